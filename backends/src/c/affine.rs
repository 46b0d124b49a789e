//! Control integers in normal form: a sum of integer multiples of atoms, plus a constant.
//!
//! Control arithmetic is quasi-affine (PLDI'22 §3.1), so that every control integer has such a form,
//! where division and remainder are atoms over a form of their own.

use rewright_semantics::ast::{BinOp, Config, Expr, ExprKind, Literal};
use rewright_semantics::sym::{Name, Sym};
use std::sync::Arc;

/// What a normal form is a sum of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// A control variable.
    Var(Sym),
    /// `Cfg.field`
    Config(Arc<Config>, Name),
    /// `stride(x, d)`
    Stride(Sym, usize),
    /// `⌊e / c⌋`, with c > 0
    Div(Box<Affine>, i64),
    /// `e - c * ⌊e / c⌋`, with c > 0
    Mod(Box<Affine>, i64),
}

/// `Σ k * atom + constant`. Atoms are distinct, factors are not zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Affine {
    /// Factors and atoms, in order of first occurrence.
    pub terms: Vec<(i64, Atom)>,
    /// The constant.
    pub constant: i64,
}

/// Why a control expression has no normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAffine {
    /// A constant does not fit 64 bits.
    #[error("a constant of this expression does not fit 64 bits")]
    Overflow,
    /// The expression is none of control integers, or not quasi-affine; the type checker refuses it.
    #[error("this is not a quasi-affine control expression")]
    NotQuasiAffine,
}

impl Affine {
    /// A constant.
    pub fn constant(k: i64) -> Affine {
        Affine { terms: Vec::new(), constant: k }
    }

    /// One atom.
    pub fn atom(a: Atom) -> Affine {
        Affine { terms: vec![(1, a)], constant: 0 }
    }

    /// The value, where it is known.
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// `self + k * other`
    pub fn plus_scaled(&self, k: i64, other: &Affine) -> Result<Affine, NotAffine> {
        let mut sum = self.clone();
        sum.constant = add(sum.constant, mul(k, other.constant)?)?;
        for (c, atom) in &other.terms {
            let c = mul(k, *c)?;
            match sum.terms.iter_mut().find(|(_, a)| a == atom) {
                Some((known, _)) => *known = add(*known, c)?,
                None => sum.terms.push((c, atom.clone())),
            }
        }
        sum.terms.retain(|(c, _)| *c != 0);
        Ok(sum)
    }

    /// `k * self`
    pub fn scaled(&self, k: i64) -> Result<Affine, NotAffine> {
        Affine::default().plus_scaled(k, self)
    }

    /// `⌊self / c⌋`
    fn divided(self, c: i64) -> Result<Affine, NotAffine> {
        match (self.as_constant(), c) {
            (_, ..=0) => Err(NotAffine::NotQuasiAffine),
            (_, 1) => Ok(self),
            (Some(k), _) => Ok(Affine::constant(k.div_euclid(c))),
            (None, _) => Ok(Affine::atom(Atom::Div(Box::new(self), c))),
        }
    }

    /// `self mod c`, never negative
    fn remainder(self, c: i64) -> Result<Affine, NotAffine> {
        match (self.as_constant(), c) {
            (_, ..=0) => Err(NotAffine::NotQuasiAffine),
            (_, 1) => Ok(Affine::constant(0)),
            (Some(k), _) => Ok(Affine::constant(k.rem_euclid(c))),
            (None, _) => Ok(Affine::atom(Atom::Mod(Box::new(self), c))),
        }
    }

    /// The normal form of a control integer.
    pub fn of(e: &Expr) -> Result<Affine, NotAffine> {
        match &e.kind {
            ExprKind::Read { name, idx } if idx.is_empty() => Ok(Affine::atom(Atom::Var(*name))),
            ExprKind::Lit(Literal::Int(k)) => Ok(Affine::constant(*k)),
            ExprKind::Neg(e) => Affine::of(e)?.scaled(-1),
            ExprKind::Bin { op, lhs, rhs } => Affine::of_binary(*op, &Affine::of(lhs)?, &Affine::of(rhs)?),
            ExprKind::Stride { name, dim } => Ok(Affine::atom(Atom::Stride(*name, *dim))),
            ExprKind::ReadConfig { config, field } => Ok(Affine::atom(Atom::Config(config.clone(), *field))),
            ExprKind::Read { .. }
            | ExprKind::Window(_)
            | ExprKind::Lit(Literal::Bool(_) | Literal::Data(_))
            | ExprKind::Not(_)
            | ExprKind::Extern { .. } => Err(NotAffine::NotQuasiAffine),
        }
    }

    fn of_binary(op: BinOp, l: &Affine, r: &Affine) -> Result<Affine, NotAffine> {
        match op {
            BinOp::Add => l.plus_scaled(1, r),
            BinOp::Sub => l.plus_scaled(-1, r),
            BinOp::Mul => match (l.as_constant(), r.as_constant()) {
                (Some(k), _) => r.scaled(k),
                (_, Some(k)) => l.scaled(k),
                (None, None) => Err(NotAffine::NotQuasiAffine),
            },
            BinOp::Div => l.clone().divided(r.as_constant().ok_or(NotAffine::NotQuasiAffine)?),
            BinOp::Mod => l.clone().remainder(r.as_constant().ok_or(NotAffine::NotQuasiAffine)?),
            BinOp::Eq | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::And | BinOp::Or => {
                Err(NotAffine::NotQuasiAffine)
            }
        }
    }

    /// The same without remainders of its own: `e mod c` is `e - c * ⌊e / c⌋`. Two forms of one number are then more often
    /// the same.
    pub fn without_remainders(&self) -> Result<Affine, NotAffine> {
        let mut sum = Affine::constant(self.constant);
        for (k, atom) in &self.terms {
            sum = match atom {
                Atom::Mod(e, c) => {
                    sum.plus_scaled(*k, e)?.plus_scaled(mul(-*c, *k)?, &Affine::clone(e).divided(*c)?)?
                }
                Atom::Var(_) | Atom::Config(..) | Atom::Stride(..) | Atom::Div(..) => {
                    sum.plus_scaled(*k, &Affine::atom(atom.clone()))?
                }
            };
        }
        Ok(sum)
    }

    /// Whether any atom, at any depth, satisfies `test`.
    pub fn any_atom(&self, test: &impl Fn(&Atom) -> bool) -> bool {
        self.terms.iter().any(|(_, a)| {
            test(a)
                || match a {
                    Atom::Div(e, _) | Atom::Mod(e, _) => e.any_atom(test),
                    Atom::Var(_) | Atom::Config(..) | Atom::Stride(..) => false,
                }
        })
    }

    /// Whether a configuration field is read.
    pub fn reads_config(&self) -> bool {
        self.any_atom(&|a| matches!(a, Atom::Config(..)))
    }

    /// Whether a variable occurs.
    pub fn mentions(&self, x: Sym) -> bool {
        self.any_atom(&|a| *a == Atom::Var(x))
    }
}

fn add(a: i64, b: i64) -> Result<i64, NotAffine> {
    a.checked_add(b).ok_or(NotAffine::Overflow)
}

fn mul(a: i64, b: i64) -> Result<i64, NotAffine> {
    a.checked_mul(b).ok_or(NotAffine::Overflow)
}
