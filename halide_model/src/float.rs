//! Numbers of floating point, for practice: IEEE 754 single and double precision, rounded to nearest, even on ties.
//! Spec: [rule: halide.float].

use crate::int::Int;
use crate::op::Op;
use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};
use std::fmt;

pub use crate::scalar::Precision;

/// A number of either precision. Equality is that of bits; there is one NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Float {
    /// The precision.
    pub precision: Precision,
    /// The bits of the number in double precision, which holds every single one.
    pub bits: u64,
}

/// 2^63
const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;

impl Float {
    /// A number rounded to a precision.
    pub fn new(precision: Precision, v: f64) -> Float {
        let v = match precision {
            Precision::Single => f64::from(to_single(v)),
            Precision::Double => v,
        };
        Float { precision, bits: if v.is_nan() { f64::NAN.to_bits() } else { v.to_bits() } }
    }

    /// An integer rounded to a precision, once.
    pub fn of_int(precision: Precision, v: &Int) -> Float {
        let big = v.to_big();
        match precision {
            Precision::Single => Float::new(precision, f64::from(big.to_f32().unwrap_or(f32::NAN))),
            Precision::Double => Float::new(precision, big.to_f64().unwrap_or(f64::NAN)),
        }
    }

    /// The number.
    pub fn value(self) -> f64 {
        f64::from_bits(self.bits)
    }

    /// What is before the point. What does not fit 64 bits, signed or not, and NaN give 0: [H-17].
    pub fn truncated(self) -> Int {
        let v = self.value().trunc();
        let fits = (-TWO_TO_63..2.0 * TWO_TO_63).contains(&v);
        BigInt::from_f64(v).filter(|_| fits).map_or(Int::ZERO, Int::from_big)
    }

    /// The number in single precision.
    pub fn single(self) -> f32 {
        to_single(self.value())
    }

    /// In another precision.
    #[must_use]
    pub fn to(self, precision: Precision) -> Float {
        Float::new(precision, self.value())
    }
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "this is the rounding that is meant"
)]
pub(crate) fn to_single(v: f64) -> f32 {
    v as f32
}

impl fmt::Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.value())
    }
}

/// What an operation on numbers gives: a number or a truth value.
pub enum Outcome {
    /// A number.
    Float(Float),
    /// A truth value.
    Truth(bool),
}

/// An operation on two numbers of one precision: a sum, difference, product or quotient of single numbers that is rounded
/// to double and then to single is the one that is rounded once, for double has more than twice the digits.
pub fn binary(op: Op, a: Float, b: Float) -> Option<Outcome> {
    let (x, y) = (a.value(), b.value());
    let rounded = |v| Some(Outcome::Float(Float::new(a.precision, v)));
    match op {
        Op::Add => rounded(x + y),
        Op::Sub => rounded(x - y),
        Op::Mul => rounded(x * y),
        Op::Div => rounded(x / y),
        Op::Min => rounded(if x < y { x } else { y }),
        Op::Max => rounded(if y < x { x } else { y }),
        Op::Lt => Some(Outcome::Truth(x < y)),
        Op::Gt => Some(Outcome::Truth(x > y)),
        #[expect(clippy::float_cmp, reason = "the comparison of IEEE 754 is what is meant")]
        Op::Eq => Some(Outcome::Truth(x == y)),
        Op::Mod => {
            // Each step is rounded.
            let floor = Float::new(a.precision, x / y).value().floor();
            rounded(x - Float::new(a.precision, y * floor).value())
        }
        Op::Or
        | Op::And
        | Op::Not
        | Op::Select
        | Op::Cast(_)
        | Op::Bits(_)
        | Op::Abs
        | Op::Math(_)
        | Op::Tuple(_)
        | Op::Elem(_) => None,
    }
}

/// How many binary digits a precision has.
pub fn digits(p: Precision) -> u32 {
    match p {
        Precision::Single => f32::MANTISSA_DIGITS,
        Precision::Double => f64::MANTISSA_DIGITS,
    }
}
