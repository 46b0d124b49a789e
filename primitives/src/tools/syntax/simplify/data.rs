//! Data expressions, and the indices and windows in them.

use super::Simplifier;
use num_traits::ToPrimitive;
use rewright_semantics::ast::{BinOp, Decimal, Expr, ExprKind, Literal};
use rewright_semantics::syntax::walk::map_children;

impl Simplifier<'_> {
    /// The control expressions inside a data expression, a window or a reference; with `fold`, also the data.
    pub fn data(&self, e: &Expr, fold: bool) -> Expr {
        match &e.kind {
            ExprKind::Read { .. } | ExprKind::Window(_) => map_children(e, &mut |_, i| self.checked(i)),
            ExprKind::Neg(_) | ExprKind::Bin { .. } | ExprKind::Extern { .. } => {
                let inner = map_children(e, &mut |_, part| self.data(part, fold));
                if fold { folded(&inner).unwrap_or(inner) } else { inner }
            }
            ExprKind::Lit(_) | ExprKind::Not(_) | ExprKind::Stride { .. } | ExprKind::ReadConfig { .. } => {
                e.clone()
            }
        }
    }
}

/// What is exact in every precision, but for the sign of a zero: `e + 0`, `e * 1`, `-(-e)`, and arithmetic on
/// small whole literals. `e * 0` is not, as `e` may have no value, or be infinite.
fn folded(e: &Expr) -> Option<Expr> {
    match &e.kind {
        ExprKind::Neg(a) => {
            let ExprKind::Neg(inner) = &a.kind else { return None };
            Some(inner.as_ref().clone())
        }
        ExprKind::Bin { op, lhs, rhs } => {
            if let (Some(a), Some(b)) = (whole(lhs), whole(rhs)) {
                return computed(*op, a, b);
            }
            match (op, whole(lhs), whole(rhs)) {
                (BinOp::Add, Some(0), _) | (BinOp::Mul, Some(1), _) => Some(rhs.as_ref().clone()),
                (BinOp::Add | BinOp::Sub, _, Some(0)) | (BinOp::Mul | BinOp::Div, _, Some(1)) => {
                    Some(lhs.as_ref().clone())
                }
                _ => None,
            }
        }
        ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(_)
        | ExprKind::Not(_)
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => None,
    }
}

/// Whole numbers up to this size are exact in every floating-point precision; the sums and products of two that
/// are no larger are computed.
const EXACT: i64 = 1 << 11;

/// A whole literal.
fn whole(e: &Expr) -> Option<i64> {
    let ExprKind::Lit(Literal::Data(value)) = &e.kind else { return None };
    let power = u32::try_from(value.exponent()).ok().filter(|k| *k < 4)?;
    value.mantissa().to_i64()?.checked_mul(10_i64.checked_pow(power)?).filter(|n| n.abs() <= EXACT)
}

fn computed(op: BinOp, a: i64, b: i64) -> Option<Expr> {
    let value = match op {
        BinOp::Add => a.checked_add(b)?,
        BinOp::Sub => a.checked_sub(b)?,
        BinOp::Mul => a.checked_mul(b)?,
        BinOp::Div
        | BinOp::Mod
        | BinOp::Eq
        | BinOp::Lt
        | BinOp::Le
        | BinOp::Gt
        | BinOp::Ge
        | BinOp::And
        | BinOp::Or => return None,
    };
    (value.abs() <= EXACT).then(|| Expr::new(ExprKind::Lit(Literal::Data(Decimal::new(value, 0)))))
}
