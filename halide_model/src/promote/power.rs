//! `pow`: an exponent that is an integer literal is multiplied out. Spec: [rule: halide.math].

use super::{Typed, Types, is_literal, wrong};
use crate::expr::Expr;
use crate::op::Op;
use crate::op::math::Math;

/// The greatest exponent that is multiplied out: the product is a tree of that many factors.
const MOST_FACTORS: u64 = 1_000;

impl Types {
    /// In the type of the base, integers included, which wrap around at each product.
    pub(super) fn power(&self, a: &Expr, b: &Expr) -> Typed<Expr> {
        match b.as_i64().filter(|_| is_literal(b)) {
            Some(n) if n.unsigned_abs() > MOST_FACTORS => wrong(format!(
                "`pow` with the literal {n} is multiplied out: it is at most {MOST_FACTORS}, or a number of floating point"
            )),
            Some(n) => self.multiplied(a, n),
            None => Ok(self.float_pair(Math::Pow, a, b)),
        }
    }

    fn multiplied(&self, a: &Expr, n: i64) -> Typed<Expr> {
        let one = || self.cast(self.scalar(a), Expr::int(1));
        match n {
            0 => Ok(one()),
            1 => Ok(a.clone()),
            i64::MIN..0 => self.arithmetic(Op::Div, one(), self.multiplied(a, n.saturating_neg())?),
            2.. => {
                let half = self.multiplied(a, n / 2)?;
                let square = self.arithmetic(Op::Mul, half.clone(), half)?;
                if n % 2 == 0 { Ok(square) } else { self.arithmetic(Op::Mul, square, a.clone()) }
            }
        }
    }
}
