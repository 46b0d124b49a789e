//! Expressions.

use super::super::lex::Token;
use super::{Parse, Parser};
use crate::expr::{Access, Expr, Interval, Var};
use crate::float::{Float, Precision};
use crate::int::Int;
use crate::op::{Bits, Op};
use crate::promote::{Comparison, TypeError, Types};
use crate::value::Value;
use rewright_base::diag::Diagnostic;
use rewright_base::span::Span;
use rewright_base::sym::Name;

/// How deeply expressions may be nested.
const MAX_DEPTH: usize = 200;

/// How many operators an expression may have: a sum is as deep a tree as it has terms, and trees are walked recursively.
pub(super) const MAX_OPERATORS: usize = 5_000;

/// Comparisons, and whether they stand for a negation.
const COMPARISONS: [(&str, Op, bool); 6] = [
    ("<=", Op::Gt, true),
    (">=", Op::Lt, true),
    ("!=", Op::Eq, true),
    ("<", Op::Lt, false),
    (">", Op::Gt, false),
    ("=", Op::Eq, false),
];

/// Operations on bits, those that bind least first.
const BITS: [&[Bits]; 4] = [&[Bits::Or], &[Bits::Xor], &[Bits::And], &[Bits::Shl, Bits::Shr]];

/// Operators of other languages, and what is meant.
const FOREIGN: [(&str, &str); 7] = [
    ("/", "the quotient is `a div b`, rounded so that the remainder is not negative"),
    ("%", "the remainder is `a mod b`, never negative"),
    ("==", "equality is `a = b`"),
    ("&&", "the conjunction is `a and b`"),
    ("||", "the disjunction is `a or b`"),
    ("!", "the negation is `not a`"),
    ("?", "a choice is `select(c, a, b)`"),
];

impl Parser {
    pub(super) fn interval(&mut self, scope: &[Name]) -> Parse<Interval> {
        self.eat("(")?;
        let min = self.index(scope)?;
        self.eat(",")?;
        let len = self.index(scope)?;
        self.eat(")")?;
        Ok(Interval { min, len })
    }

    pub(super) fn expr(&mut self, scope: &[Name]) -> Parse<Expr> {
        if self.depth == 0 {
            self.operators = 0;
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.wrong("a less deeply nested expression");
        }
        let out = if self.is_word("let") { self.let_in(scope) } else { self.disjunction(scope) };
        self.depth -= 1;
        self.no_foreign_operator()?;
        out
    }

    /// A coordinate, or an end of an interval.
    pub(super) fn index(&mut self, scope: &[Name]) -> Parse<Expr> {
        let start = self.span();
        let e = self.expr(scope)?;
        match &self.types {
            Some(types) => types.index(&e).map_err(|w| mismatch(w, self.since(start).0)),
            None => Ok(e),
        }
    }

    /// A condition of an update or a specialization.
    pub(super) fn condition(&mut self, scope: &[Name]) -> Parse<Expr> {
        let start = self.span();
        let e = self.expr(scope)?;
        match &self.types {
            Some(types) => types.condition(&e).map_err(|w| mismatch(w, self.since(start).0)),
            None => Ok(e),
        }
    }

    /// An operation, with types if the pipeline has them.
    fn made(
        &self,
        start: Span,
        plain: impl FnOnce() -> Expr,
        typed: impl FnOnce(&Types) -> Result<Expr, TypeError>,
    ) -> Parse<Expr> {
        match &self.types {
            Some(types) => typed(types).map_err(|w| mismatch(w, self.since(start).0)),
            None => Ok(plain()),
        }
    }

    fn logic(&self, start: Span, op: Op, args: Vec<Expr>) -> Parse<Expr> {
        self.made(start, || Expr::op(op, args.clone()), |t| t.logic(op, args.clone()))
    }

    fn arithmetic(&self, start: Span, op: Op, a: &Expr, b: &Expr) -> Parse<Expr> {
        let plain = || Expr::binary(op, a.clone(), b.clone());
        self.made(start, plain, |t| t.arithmetic(op, a.clone(), b.clone()))
    }

    fn bits(&self, start: Span, bits: Bits, a: &Expr, b: &Expr) -> Parse<Expr> {
        let plain = || Expr::binary(Op::Bits(bits), a.clone(), b.clone());
        self.made(start, plain, |t| t.bits(bits, a.clone(), b.clone()))
    }

    /// Takes an operator if it stands here, and counts it.
    fn operator(&mut self, sign: &str) -> Parse<bool> {
        let found = self.take(sign);
        self.operators += usize::from(found);
        if self.operators > MAX_OPERATORS {
            let why = format!("an expression has at most {MAX_OPERATORS} operators");
            let help = "name parts of it: a func of its own for each";
            return Err(Diagnostic::error("halide.syntax", self.span(), why).help(help));
        }
        Ok(found)
    }

    /// What follows an expression is no operator of another language.
    fn no_foreign_operator(&self) -> Parse<()> {
        let found = FOREIGN.into_iter().find(|(sign, _)| self.is_sign(sign));
        found.map_or(Ok(()), |(sign, help)| {
            let why = format!("`{sign}` is not an operator of this language");
            Err(Diagnostic::error("halide.syntax", self.span(), why).help(help))
        })
    }

    fn disjunction(&mut self, scope: &[Name]) -> Parse<Expr> {
        let start = self.span();
        let mut e = self.conjunction(scope)?;
        while self.operator("or")? {
            let b = self.conjunction(scope)?;
            e = self.logic(start, Op::Or, vec![e, b])?;
        }
        Ok(e)
    }

    fn conjunction(&mut self, scope: &[Name]) -> Parse<Expr> {
        let start = self.span();
        let mut e = self.negation(scope)?;
        while self.operator("and")? {
            let b = self.negation(scope)?;
            e = self.logic(start, Op::And, vec![e, b])?;
        }
        Ok(e)
    }

    fn negation(&mut self, scope: &[Name]) -> Parse<Expr> {
        let start = self.span();
        let mut negations = 0;
        while self.operator("not")? {
            negations += 1;
        }
        let mut e = self.comparison(scope)?;
        for _ in 0..negations {
            e = self.logic(start, Op::Not, vec![e])?;
        }
        Ok(e)
    }

    fn comparison(&mut self, scope: &[Name]) -> Parse<Expr> {
        let start = self.span();
        let a = self.bitwise(scope, &BITS)?;
        let Some((sign, op, negated)) = COMPARISONS.into_iter().find(|(sign, ..)| self.is_sign(sign)) else {
            return Ok(a);
        };
        self.at += 1;
        self.operators += 1;
        let b = self.bitwise(scope, &BITS)?;
        let plain = || {
            let e = Expr::binary(op, a.clone(), b.clone());
            if negated { Expr::op(Op::Not, [e]) } else { e }
        };
        let by = Comparison::of_sign(sign).unwrap_or(Comparison::Equal);
        self.made(start, plain, |t| t.compared(by, a.clone(), b.clone()))
    }

    /// Operations on bits, those of the first level binding least.
    fn bitwise(&mut self, scope: &[Name], levels: &[&[Bits]]) -> Parse<Expr> {
        let Some((level, tighter)) = levels.split_first() else { return self.sum(scope) };
        let start = self.span();
        let mut e = self.bitwise(scope, tighter)?;
        while let Some(bits) = level.iter().copied().find(|b| self.is_sign(b.name())) {
            self.operator(bits.name())?;
            let b = self.bitwise(scope, tighter)?;
            e = self.bits(start, bits, &e, &b)?;
        }
        Ok(e)
    }

    fn sum(&mut self, scope: &[Name]) -> Parse<Expr> {
        let start = self.span();
        let mut e = self.product(scope)?;
        loop {
            let op = if self.operator("+")? {
                Op::Add
            } else if self.operator("-")? {
                Op::Sub
            } else {
                return Ok(e);
            };
            let b = self.product(scope)?;
            e = self.arithmetic(start, op, &e, &b)?;
        }
    }

    fn product(&mut self, scope: &[Name]) -> Parse<Expr> {
        let start = self.span();
        let mut e = self.unary(scope)?;
        loop {
            let op = if self.operator("*")? {
                Op::Mul
            } else if self.operator("div")? {
                Op::Div
            } else if self.operator("mod")? {
                Op::Mod
            } else {
                return Ok(e);
            };
            let b = self.unary(scope)?;
            e = self.arithmetic(start, op, &e, &b)?;
        }
    }

    fn unary(&mut self, scope: &[Name]) -> Parse<Expr> {
        let start = self.span();
        if self.operator("~")? {
            let e = self.unary(scope)?;
            let plain = || Expr::binary(Op::Sub, Expr::int(-1), e.clone());
            return self.made(start, plain, |t| t.complement(e.clone()));
        }
        if !self.is_sign("-") {
            return self.primary(scope);
        }
        if matches!(self.tokens.get(self.at + 1), Some((Token::Int(_), _))) {
            self.at += 1;
            return self.literal(true);
        }
        self.at += 1;
        if let Token::Float(bits, single) = self.token() {
            let e = float(-f64::from_bits(*bits), *single);
            self.at += 1;
            return Ok(e);
        }
        let e = self.primary(scope)?;
        self.arithmetic(start, Op::Sub, &Expr::int(0), &e)
    }

    fn literal(&mut self, minus: bool) -> Parse<Expr> {
        let Token::Int(v) = self.token() else { return self.wrong("a number") };
        let v = if minus { Int::ZERO.sub(v) } else { v.clone() };
        self.at += 1;
        Ok(Expr::Const(Value::Int(v)))
    }

    fn primary(&mut self, scope: &[Name]) -> Parse<Expr> {
        if self.take("(") {
            let e = self.expr(scope)?;
            self.eat(")")?;
            return Ok(e);
        }
        if let Token::Float(bits, single) = self.token() {
            let e = float(f64::from_bits(*bits), *single);
            self.at += 1;
            return Ok(e);
        }
        if matches!(self.token(), Token::Int(_)) {
            return self.literal(false);
        }
        let start = self.span();
        let name = self.name("an expression")?;
        if let Some((_, e)) = self.lets.iter().rev().find(|(n, _)| *n == name) {
            return Ok(e.clone());
        }
        if let Some(e) = self.function(name, start, scope)? {
            return Ok(e);
        }
        if self.scalars.contains(&name) && !scope.contains(&name) && !self.is_sign("[") {
            let args = Vec::new().into();
            return Ok(Expr::Access(Access { func: name, site: None, args, span: self.since(start) }));
        }
        let end = if self.take("[") {
            "]"
        } else if self.take("(") {
            ")"
        } else {
            return Ok(Expr::Var(self.variable(name, scope)));
        };
        let args = self.list(end, |p| p.index(scope))?;
        Ok(Expr::Access(Access { func: name, site: None, args: args.into(), span: self.since(start) }))
    }

    /// What a name stands for: the variables of the stage hide the parameters.
    fn variable(&self, name: Name, scope: &[Name]) -> Var {
        if !scope.contains(&name) && self.params.contains(&name) {
            Var::Param(name)
        } else {
            Var::Local(name)
        }
    }
}

fn float(v: f64, single: bool) -> Expr {
    let precision = if single { Precision::Single } else { Precision::Double };
    Expr::Const(Value::Float(Float::new(precision, v)))
}

/// What does not fit together, as a diagnostic.
pub(super) fn mismatch(e: TypeError, at: Span) -> Diagnostic {
    Diagnostic::error(e.rule, at, e.why)
}
