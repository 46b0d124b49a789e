//! Updates that combine: `f[ē] <- f[ē] ⊕ e`, with an operation that is associative and commutative.
//! Spec: [rule: halide.combines].

use crate::alg::{Func, Update};
use crate::expr::{Access, Expr};
use crate::op::{Bits, Op};
use crate::typed::Scalar;
use crate::value::Value;
use rewright_base::sym::Name;

/// What an update combines a point with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combination {
    /// ⊕
    op: Op,
    /// The type that the result is made to fit, if it is.
    fits: Option<Scalar>,
    /// What the points hold.
    scalar: Scalar,
    /// e
    pub with: Expr,
}

impl Combination {
    /// What an update does, if it combines: nothing else of it reads the func, and no number is rounded.
    pub fn of(f: &Func, u: &Update, typed: bool) -> Option<Combination> {
        Combination::loose(f, u, typed).filter(|c| combines(c.op, c.fits, c.scalar))
    }

    /// The same, whatever the operation.
    pub fn loose(f: &Func, u: &Update, typed: bool) -> Option<Combination> {
        // Without types a store may wrap around, and does not say so.
        if f.scalar.is_float() || !f.parts.is_empty() || !typed && f.scalar != Scalar::Integer {
            return None;
        }
        let (fits, inner) = match &u.rhs {
            Expr::Op(Op::Cast(s), args) if *s == f.scalar => (Some(*s), args.first()?),
            other @ (Expr::Op(..) | Expr::Const(_) | Expr::Var(_) | Expr::Access(_)) => (None, other),
        };
        let Expr::Op(op, args) = inner else { return None };
        let [a, b] = args.as_ref() else { return None };
        let here = |e: &Expr| matches!(e, Expr::Access(Access { func, args, .. }) if *func == f.name && **args == *u.lhs);
        let with = match (here(a), here(b)) {
            (true, _) => b,
            (false, true) => a,
            (false, false) => return None,
        };
        let reads = |e: &Expr| e.accesses().iter().any(|a| a.func == f.name);
        if reads(with) || reads(&u.cond) || u.lhs.iter().any(reads) {
            return None;
        }
        Some(Combination { op: *op, fits, scalar: f.scalar, with: with.clone() })
    }

    /// `a ⊕ b`
    pub fn apply(&self, a: Expr, b: Expr) -> Expr {
        let e = Expr::binary(self.op, a, b);
        match self.fits {
            Some(s) => Expr::op(Op::Cast(s), [e]),
            None => e,
        }
    }

    /// The value that changes nothing, if there is one.
    pub fn identity(&self) -> Option<Expr> {
        let range = self.scalar.range();
        let least = range.clone().map(|(lo, _)| lo);
        let greatest = range.map(|(_, hi)| hi);
        let value = match self.op {
            Op::Add | Op::Sub | Op::Bits(Bits::Or | Bits::Xor) => return Some(self.constant(Expr::int(0))),
            Op::Mul => return Some(self.constant(Expr::int(1))),
            Op::Bits(Bits::And) => match self.scalar {
                Scalar::Integer | Scalar::Signed(_) => return Some(self.constant(Expr::int(-1))),
                Scalar::Bool | Scalar::Unsigned(_) | Scalar::Float(_) => greatest,
            },
            Op::Min => greatest,
            Op::Max => least,
            Op::Div | Op::Mod | Op::Or | Op::And | Op::Not => None,
            Op::Lt | Op::Gt | Op::Eq | Op::Select | Op::Cast(_) | Op::Bits(Bits::Shl | Bits::Shr) => None,
            Op::Abs | Op::Math(_) | Op::Tuple(_) | Op::Elem(_) => None,
        };
        value.map(|v| self.constant(Expr::Const(Value::Int(v))))
    }

    fn constant(&self, e: Expr) -> Expr {
        if self.scalar == Scalar::Integer { e } else { Expr::op(Op::Cast(self.scalar), [e]) }
    }
}

/// Whether an operation, made to fit a type or not, is associative and commutative on the values of that type.
fn combines(op: Op, fits: Option<Scalar>, scalar: Scalar) -> bool {
    match op {
        // Sums and products wrap around at the end as they do on the way.
        Op::Add | Op::Mul => fits.is_some() || scalar == Scalar::Integer,
        Op::Min | Op::Max | Op::Bits(Bits::And | Bits::Or | Bits::Xor) => true,
        Op::Sub | Op::Div | Op::Mod | Op::Or | Op::And | Op::Not | Op::Lt | Op::Gt | Op::Eq => false,
        Op::Select | Op::Cast(_) | Op::Bits(Bits::Shl | Bits::Shr) | Op::Abs | Op::Math(_) => false,
        Op::Tuple(_) | Op::Elem(_) => false,
    }
}

/// The combination of an update stage of a func, counted from 1.
pub fn of_stage(p: &crate::alg::Algorithm, func: Name, stage: usize) -> Option<Combination> {
    let f = p.func(func)?;
    Combination::of(f, f.updates.get(stage.checked_sub(1)?)?, p.typed)
}
