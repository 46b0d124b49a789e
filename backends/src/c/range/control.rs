//! What control expressions of the language come to, by interval arithmetic.

use super::Interval;
use rewright_semantics::ast::{BinOp, Config, Expr, ExprKind, Literal};
use rewright_semantics::sym::{Name, Sym};

/// What the value of an expression hangs on.
pub(crate) enum Leaf<'a> {
    /// A variable.
    Var(Sym),
    /// A stride of a buffer.
    Stride,
    /// A field of a configuration.
    Field(&'a Config, Name),
    /// No control value.
    Data,
}

/// What a control expression comes to, by what its leaves come to; truth values are 0 and 1.
pub(crate) fn value(e: &Expr, leaf: &impl Fn(Leaf<'_>) -> Interval) -> Interval {
    match &e.kind {
        ExprKind::Read { name, .. } => leaf(Leaf::Var(*name)),
        ExprKind::Lit(Literal::Int(n)) => Interval::point(*n),
        ExprKind::Neg(e) => value(e, leaf).negated(),
        ExprKind::Bin { op, lhs, rhs } => binary(*op, value(lhs, leaf), value(rhs, leaf)),
        ExprKind::Stride { .. } => leaf(Leaf::Stride),
        ExprKind::ReadConfig { config, field } => leaf(Leaf::Field(config, *field)),
        ExprKind::Not(_) | ExprKind::Lit(Literal::Bool(_)) => Interval::new(0, 1),
        ExprKind::Window(_) | ExprKind::Lit(Literal::Data(_)) | ExprKind::Extern { .. } => leaf(Leaf::Data),
    }
}

fn binary(op: BinOp, a: Interval, b: Interval) -> Interval {
    match op {
        BinOp::Add => a.plus(b),
        BinOp::Sub => a.minus(b),
        BinOp::Mul => a.times(b),
        BinOp::Div => a.divided(b.lo),
        BinOp::Mod => a.remainder(b.lo),
        BinOp::Eq | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::And | BinOp::Or => {
            Interval::new(0, 1)
        }
    }
}
