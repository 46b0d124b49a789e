//! Comparisons of integers in one form: `e ≥ 0` or `e = 0`.

use crate::ast::{BinOp, Expr, ExprKind};
use crate::build::sub;
use crate::types::linear::Linear;

/// What is compared with 0.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// How.
    pub sign: Sign,
    /// With what.
    pub value: Expr,
}

/// A relation to 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `≥ 0`
    NotNegative,
    /// `= 0`
    Zero,
}

impl Comparison {
    /// The comparison that an expression is; `None` where it is none of integers.
    pub fn of(e: &Expr) -> Option<Comparison> {
        let ExprKind::Bin { op, lhs, rhs } = &e.kind else { return None };
        let difference = |a: &Expr, b: &Expr| sub(a.clone(), b.clone());
        let (sign, value) = match op {
            BinOp::Lt => (Sign::NotNegative, sub(difference(rhs, lhs), 1)),
            BinOp::Le => (Sign::NotNegative, difference(rhs, lhs)),
            BinOp::Gt => (Sign::NotNegative, sub(difference(lhs, rhs), 1)),
            BinOp::Ge => (Sign::NotNegative, difference(lhs, rhs)),
            BinOp::Eq => (Sign::Zero, difference(lhs, rhs)),
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Mod | BinOp::And | BinOp::Or => {
                return None;
            }
        };
        Linear::of(&value).is_ok().then_some(Comparison { sign, value })
    }
}
