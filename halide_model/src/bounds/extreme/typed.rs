//! Ends of the operations that typed algorithms have besides.

use super::Path;
use crate::bounds::float_range::truncated;
use crate::bounds::normal::Normal;
use crate::expr::Expr;
use crate::op::math::Math;
use crate::op::{Bits, Op};
use crate::typed::Scalar;

impl Path<'_> {
    /// A cast does nothing where its argument lies in the type, and gives no more than the type holds.
    pub(super) fn unary(&self, op: Op, a: &Expr, up: bool, from: usize) -> Option<Normal> {
        let ends = || Some([self.of(a, false, from)?, self.of(a, true, from)?]);
        match op {
            Op::Math(Math::Truncate) => {
                let (lo, hi) = truncated(a)?;
                Some(Normal::constant(if up { hi } else { lo }))
            }
            Op::Cast(Scalar::Integer) => self.of(a, up, from),
            Op::Cast(scalar) => {
                let (lo, hi) = scalar.range()?;
                let [lo, hi] = [Normal::constant(lo.to_i64()?), Normal::constant(hi.to_i64()?)];
                let fits = ends().filter(|[a, b]| self.terms.not_more(&lo, a) && self.terms.not_more(b, &hi));
                let [lo, hi] = fits.or_else(|| scalar.narrow_range().map(|_| [lo, hi]))?;
                Some(if up { hi } else { lo })
            }
            Op::Abs => {
                let [lo, hi] = ends()?;
                let minus = self.terms.scale(&lo, -1);
                Some(if up { self.terms.maximum(vec![minus, hi]) } else { Normal::constant(0) })
            }
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Min | Op::Max | Op::Select => None,
            Op::Or
            | Op::And
            | Op::Not
            | Op::Lt
            | Op::Gt
            | Op::Eq
            | Op::Bits(_)
            | Op::Math(_)
            | Op::Tuple(_)
            | Op::Elem(_) => None,
        }
    }

    /// `a & k` lies in `0..=k` where `k` is not negative.
    pub(super) fn bits(&self, bits: Bits, a: &Expr, b: &Expr, up: bool, from: usize) -> Option<Normal> {
        let masks = [a, b].into_iter().filter_map(|e| {
            let (lo, hi) = (self.of(e, false, from)?, self.of(e, true, from)?);
            self.terms.nonnegative(&lo).then_some(hi)
        });
        let masks: Vec<Normal> = if bits == Bits::And { masks.collect() } else { Vec::new() };
        match (masks.is_empty(), up) {
            (true, _) => None,
            (false, true) => Some(self.terms.minimum(masks)),
            (false, false) => Some(Normal::constant(0)),
        }
    }
}
