//! Data expressions, and the indices and windows in them.

use super::Simplifier;
use crate::tools::syntax::operand::Numbers;
use num_integer::Integer;
use num_traits::ToPrimitive;
use rewright_semantics::ast::{BinOp, Decimal, Expr, ExprKind, Literal};
use rewright_semantics::build::neg;
use rewright_semantics::syntax::walk::map_children;

impl Simplifier<'_> {
    /// The control expressions inside a data expression, a window or a reference; where it is known which numbers
    /// are computed with, also the data.
    pub fn data(&self, e: &Expr, numbers: Option<Numbers>) -> Expr {
        match &e.kind {
            ExprKind::Read { .. } | ExprKind::Window(_) => map_children(e, &mut |_, i| self.checked(i)),
            ExprKind::Neg(_) | ExprKind::Bin { .. } | ExprKind::Extern { .. } => {
                let inner = map_children(e, &mut |_, part| self.data(part, numbers));
                numbers.and_then(|numbers| folded(&inner, numbers)).unwrap_or(inner)
            }
            ExprKind::Lit(_) | ExprKind::Not(_) | ExprKind::Stride { .. } | ExprKind::ReadConfig { .. } => {
                e.clone()
            }
        }
    }
}

/// What is exact in every precision, but for the sign of a zero: `e + 0`, `0 - e`, `e * 1`, `-(-e)`, and arithmetic
/// on small literals. `e * 0` is not, as `e` may have no value, or be infinite.
fn folded(e: &Expr, numbers: Numbers) -> Option<Expr> {
    match &e.kind {
        ExprKind::Neg(a) => {
            let ExprKind::Neg(inner) = &a.kind else { return None };
            Some(inner.as_ref().clone())
        }
        ExprKind::Bin { op, lhs, rhs } => {
            let (a, b) = (Small::of(lhs, numbers), Small::of(rhs, numbers));
            if let (Some(a), Some(b)) = (a, b) {
                if numbers == Numbers::Floating && may_be_negative_zero(*op, lhs, rhs, a, b) {
                    return None;
                }
                return a.with(*op, b).filter(|value| value.is_exact(numbers)).map(Small::expr);
            }
            match (op, a.and_then(Small::whole), b.and_then(Small::whole)) {
                (BinOp::Add, Some(0), _) | (BinOp::Mul, Some(1), _) => Some(rhs.as_ref().clone()),
                (BinOp::Add | BinOp::Sub, _, Some(0)) | (BinOp::Mul | BinOp::Div, _, Some(1)) => {
                    Some(lhs.as_ref().clone())
                }
                (BinOp::Sub, Some(0), _) => Some(neg(rhs.as_ref().clone())),
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

/// A literal `num / 2^halvings` in lowest terms.
#[derive(Clone, Copy)]
struct Small {
    num: i64,
    halvings: u32,
}

/// Whether what two literals make of a floating-point number may be negative zero, which none of those that are made is.
fn may_be_negative_zero(op: BinOp, lhs: &Expr, rhs: &Expr, a: Small, b: Small) -> bool {
    let is_negative_zero = |e: &Expr| matches!(&e.kind, ExprKind::Lit(Literal::Data(value)) if value.is_negative() && *value.mantissa() == 0.into());
    let of_zero =
        matches!(op, BinOp::Mul | BinOp::Div) && (a.num == 0 || b.num == 0) && (a.num < 0 || b.num < 0);
    of_zero || is_negative_zero(lhs) || is_negative_zero(rhs)
}

impl Small {
    /// With a numerator up to this size and few halvings a number is exact in every floating-point precision; sums,
    /// products and quotients of such that are such are computed.
    const NUM: i64 = 1 << 11;
    const HALVINGS: u32 = 10;

    /// A literal that is exact in every precision.
    fn of(e: &Expr, numbers: Numbers) -> Option<Small> {
        let ExprKind::Lit(Literal::Data(value)) = &e.kind else { return None };
        let power = value.exponent();
        let digits = Some(power.unsigned_abs()).filter(|k| *k <= Self::HALVINGS)?;
        let scale = 10_i64.checked_pow(digits)?;
        let mantissa = value.mantissa().to_i64()?;
        let found = if power < 0 {
            Self::ratio(mantissa, scale)?
        } else {
            Small { num: mantissa.checked_mul(scale)?, halvings: 0 }
        };
        Some(found).filter(|value| value.is_exact(numbers))
    }

    /// `num / den`, where it needs halvings alone.
    fn ratio(num: i64, den: i64) -> Option<Small> {
        if den == 0 {
            return None;
        }
        let common = num.gcd(&den);
        let (num, den) =
            (num.checked_div(common)?.checked_mul(den.signum())?, den.checked_div(common)?.checked_abs()?);
        (den.count_ones() == 1).then(|| Small { num, halvings: den.trailing_zeros() })
    }

    fn den(self) -> i64 {
        1 << self.halvings
    }

    fn whole(self) -> Option<i64> {
        (self.halvings == 0).then_some(self.num)
    }

    /// Integers have no halves: there a literal of half an integer is rounded first.
    fn is_exact(&self, numbers: Numbers) -> bool {
        let halvings = match numbers {
            Numbers::Floating => Self::HALVINGS,
            Numbers::Integers => 0,
        };
        self.num.abs() <= Self::NUM && self.halvings <= halvings
    }

    fn with(self, op: BinOp, other: Small) -> Option<Small> {
        let den = self.den().checked_mul(other.den())?;
        let (a, b) = (self.num.checked_mul(other.den())?, other.num.checked_mul(self.den())?);
        match op {
            BinOp::Add => Self::ratio(a.checked_add(b)?, den),
            BinOp::Sub => Self::ratio(a.checked_sub(b)?, den),
            BinOp::Mul => Self::ratio(self.num.checked_mul(other.num)?, den),
            BinOp::Div => Self::ratio(a, b),
            BinOp::Mod
            | BinOp::Eq
            | BinOp::Lt
            | BinOp::Le
            | BinOp::Gt
            | BinOp::Ge
            | BinOp::And
            | BinOp::Or => None,
        }
    }

    /// `num * 5^k / 10^k`
    fn expr(self) -> Expr {
        let digits = self.num.saturating_mul(5_i64.saturating_pow(self.halvings));
        let exponent = i32::try_from(self.halvings).map_or(0, |k: i32| -k);
        Expr::new(ExprKind::Lit(Literal::Data(Decimal::new(digits, exponent))))
    }
}
