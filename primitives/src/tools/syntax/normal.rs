//! Normal forms of data expressions: polynomials over the rationals in the cells that are read.
//!
//! Which reads are of one cell, the solver says. What a normal form may use depends on the numbers
//! ([`crate::tools::syntax::operand`]): floating-point expressions stand for real ones; of integers, which wrap, only sums,
//! differences, products and whole literals are taken apart, and all else is a function of its operands that
//! nothing is known of; where both mix, every operator is such a function.

use crate::tools::syntax::operand::Numbers;
use rewright_effects::conditions;
use rewright_effects::context::Context;
use rewright_effects::locset::Loc;
use rewright_effects::obligation::Obligation;
use rewright_semantics::ast::{BinOp, Decimal, Expr, ExprKind, Literal};
use rewright_semantics::data::Arith;
use rewright_semantics::data::poly::Poly;
use rewright_semantics::data::rational::Rational;
use rewright_semantics::externs::Extern;
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::sym::Name;

/// Brings expressions at one place into normal form.
pub struct Normalizer<'a> {
    ctx: &'a Context,
    numbers: Option<Numbers>,
    decide: &'a dyn Fn(&Obligation) -> bool,
    cells: Vec<Cell>,
    functions: Vec<(Function, Vec<Rational>)>,
    used: Vec<Obligation>,
}

/// A cell or data field that is read.
struct Cell {
    at: Loc,
    name: Name,
}

/// An operation of which nothing is known.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Function {
    Literal(Decimal),
    Neg,
    Bin(BinOp),
    Extern(Extern),
}

impl<'a> Normalizer<'a> {
    /// For expressions at the hole of a context; `decide` says whether an obligation is proved.
    pub fn new(
        ctx: &'a Context,
        numbers: Option<Numbers>,
        decide: &'a dyn Fn(&Obligation) -> bool,
    ) -> Normalizer<'a> {
        Normalizer { ctx, numbers, decide, cells: Vec::new(), functions: Vec::new(), used: Vec::new() }
    }

    /// What was proved on the way: that reads are of one cell.
    pub fn used(self) -> Vec<Obligation> {
        self.used
    }

    /// How many cells have been met so far.
    pub fn cells(&self) -> usize {
        self.cells.len()
    }

    /// The texts of the cells met after so many others.
    pub fn names_after(&self, count: usize) -> impl Iterator<Item = Name> {
        self.cells.iter().skip(count).map(|c| c.name)
    }

    /// The normal form; `None` for what is no data value.
    pub fn of(&mut self, e: &Expr) -> Option<Rational> {
        match &e.kind {
            ExprKind::Read { .. } | ExprKind::ReadConfig { .. } => self.read(e),
            ExprKind::Lit(Literal::Data(value)) => Some(self.literal(value)),
            ExprKind::Neg(a) => {
                let a = self.of(a)?;
                let ring = self.numbers.is_some();
                Some(if ring { a.neg() } else { self.function(Function::Neg, vec![a]) })
            }
            ExprKind::Bin { op, lhs, rhs } => {
                let (a, b) = (self.of(lhs)?, self.of(rhs)?);
                Some(self.arith(*op, a, b)?)
            }
            ExprKind::Extern { func, args } => {
                let args: Option<Vec<Rational>> = args.iter().map(|a| self.of(a)).collect();
                let args = args?;
                Some(match self.numbers {
                    Some(Numbers::Floating) => Rational::call(*func, &args),
                    Some(Numbers::Integers) | None => self.function(Function::Extern(*func), args),
                })
            }
            ExprKind::Window(_)
            | ExprKind::Lit(Literal::Int(_) | Literal::Bool(_))
            | ExprKind::Not(_)
            | ExprKind::Stride { .. } => None,
        }
    }

    fn arith(&mut self, op: BinOp, a: Rational, b: Rational) -> Option<Rational> {
        let arith = Arith::of(op)?;
        let known = match (self.numbers, arith) {
            (Some(Numbers::Floating), _) => true,
            (Some(Numbers::Integers), Arith::Add | Arith::Sub | Arith::Mul) => true,
            (Some(Numbers::Integers), Arith::Div) | (None, _) => false,
        };
        Some(if known { a.arith(arith, b) } else { self.function(Function::Bin(op), vec![a, b]) })
    }

    fn literal(&mut self, value: &Decimal) -> Rational {
        let known = match self.numbers {
            Some(Numbers::Floating) => true,
            // What does not fit in 32 bits, or is no whole number, stands for another one in C.
            Some(Numbers::Integers) => value.exponent() >= 0 && value.to_f64().abs() <= f64::from(i32::MAX),
            None => false,
        };
        if known {
            Rational::from_decimal(value)
        } else {
            self.function(Function::Literal(value.clone()), Vec::new())
        }
    }

    fn read(&mut self, e: &Expr) -> Option<Rational> {
        let at = conditions::place(&self.ctx.env, e)?;
        for cell in &self.cells {
            let Some(same) = conditions::same_place(self.ctx, &cell.at, &at) else { continue };
            if (self.decide)(&same) {
                self.used.push(same.at(e.span, "this read"));
                return Some(Rational::term(Some(Poly::var(cell.name, &[]))));
            }
        }
        let text = Name::new(&expr_to_string(e));
        // Two cells that are written alike: their names are, but not they.
        let taken = self.cells.iter().filter(|c| c.name.as_str().trim_end_matches('\'') == text.as_str());
        let name = Name::new(&format!("{text}{}", "'".repeat(taken.count())));
        self.cells.push(Cell { at, name });
        Some(Rational::term(Some(Poly::var(name, &[]))))
    }

    /// `f(args)`, the same for the same arguments.
    fn function(&mut self, f: Function, args: Vec<Rational>) -> Rational {
        if args.contains(&Rational::TooLarge) {
            return Rational::TooLarge;
        }
        let known = self.functions.iter().position(|(g, others)| *g == f && *others == args);
        let k = known.unwrap_or_else(|| {
            self.functions.push((f, args));
            self.functions.len() - 1
        });
        let k = i64::try_from(k).unwrap_or(i64::MAX);
        Rational::term(Some(Poly::var(Name::new("value"), &[k])))
    }
}
