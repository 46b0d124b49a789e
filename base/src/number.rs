//! Exact rational numbers: machine integers as long as they suffice, big ones after that.

mod gcd;

use crate::decimal::Decimal;
use gcd::gcd;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::Ratio;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// A rational number in lowest terms.
///
/// Invariant: `den > 0`; `Big` holds only what does not fit `Small`. So `==` is equality of numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// `num / den`.
    Small {
        /// Numerator.
        num: i64,
        /// Denominator, positive.
        den: i64,
    },
    /// Anything else.
    Big(Arc<Ratio<BigInt>>),
}

/// Literals beyond this power of ten are not expanded into digits.
const MAX_EXPONENT: u32 = 10_000;

impl Number {
    /// 0.
    pub const ZERO: Number = Number::int(0);
    /// 1.
    pub const ONE: Number = Number::int(1);
    /// A number that takes more bits is for the domains to give up: repeated squaring would otherwise take
    /// all memory, and the greatest common divisors all time.
    pub const MAX_BITS: u64 = 1 << 13;

    /// An integer.
    pub const fn int(num: i64) -> Number {
        Number::Small { num, den: 1 }
    }

    /// The quotient of two integers; 0 when the divisor is 0.
    pub fn ratio(num: i64, den: i64) -> Number {
        Number::from_wide(i128::from(num), i128::from(den))
    }

    /// The number a literal stands for, or `None` when it has more digits than anyone would write out.
    pub fn from_decimal(decimal: &Decimal) -> Option<Number> {
        let exponent = decimal.exponent();
        if exponent == 0
            && let Some(small) = decimal.mantissa().to_i64()
        {
            return Some(Number::int(small));
        }
        let magnitude = exponent.unsigned_abs();
        if magnitude > MAX_EXPONENT {
            return None;
        }
        let power = BigInt::from(10).pow(magnitude);
        let mantissa = decimal.mantissa().clone();
        Some(Number::from_big(if exponent < 0 {
            Ratio::new(mantissa, power)
        } else {
            Ratio::from_integer(mantissa * power)
        }))
    }

    fn from_wide(num: i128, den: i128) -> Number {
        if num == 0 || den == 0 {
            return Number::ZERO;
        }
        let divisor = num.gcd(&den) * den.signum();
        let (num, den) = (num / divisor, den / divisor);
        match (i64::try_from(num), i64::try_from(den)) {
            (Ok(num), Ok(den)) => Number::Small { num, den },
            (Err(_), _) | (_, Err(_)) => {
                Number::Big(Arc::new(Ratio::new_raw(BigInt::from(num), BigInt::from(den))))
            }
        }
    }

    fn from_big(ratio: Ratio<BigInt>) -> Number {
        match (ratio.numer().to_i64(), ratio.denom().to_i64()) {
            (Some(num), Some(den)) => Number::Small { num, den },
            (None, _) | (_, None) => Number::Big(Arc::new(ratio)),
        }
    }

    fn to_big(&self) -> Ratio<BigInt> {
        match self {
            Number::Small { num, den } => Ratio::new_raw(BigInt::from(*num), BigInt::from(*den)),
            Number::Big(ratio) => ratio.as_ref().clone(),
        }
    }

    /// Whether this is 0.
    pub fn is_zero(&self) -> bool {
        matches!(self, Number::Small { num: 0, .. })
    }

    /// Whether this is below 0.
    pub fn is_negative(&self) -> bool {
        match self {
            Number::Small { num, .. } => *num < 0,
            Number::Big(ratio) => ratio.is_negative(),
        }
    }

    /// How many bits it takes to write this down, roughly.
    pub fn bits(&self) -> u64 {
        match self {
            Number::Small { .. } => 128,
            Number::Big(ratio) => ratio.numer().bits() + ratio.denom().bits(),
        }
    }

    /// `-self`.
    #[must_use]
    pub fn neg(&self) -> Number {
        match self {
            Number::Small { num, den } => match num.checked_neg() {
                Some(num) => Number::Small { num, den: *den },
                None => Number::from_wide(-i128::from(*num), i128::from(*den)),
            },
            Number::Big(ratio) => Number::from_big(-ratio.as_ref().clone()),
        }
    }

    /// `self + other`.
    #[must_use]
    #[inline]
    pub fn add(&self, other: &Number) -> Number {
        if let (Number::Small { num: a, den: 1 }, Number::Small { num: b, den: 1 }) = (self, other)
            && let Some(num) = a.checked_add(*b)
        {
            return Number::Small { num, den: 1 };
        }
        self.add_slowly(other)
    }

    fn add_slowly(&self, other: &Number) -> Number {
        if let (Number::Small { num: a, den: b }, Number::Small { num: c, den: d }) = (self, other) {
            // Each product is below 2^126 in magnitude, so neither it nor the sum overflows.
            let [a, b, c, d] = [a, b, c, d].map(|n| i128::from(*n));
            return Number::from_wide(a * d + c * b, b * d);
        }
        Number::from_big(sum(&self.to_big(), &other.to_big()))
    }

    /// `self - other`.
    #[must_use]
    pub fn sub(&self, other: &Number) -> Number {
        if let (Number::Small { num: a, den: 1 }, Number::Small { num: b, den: 1 }) = (self, other)
            && let Some(num) = a.checked_sub(*b)
        {
            return Number::Small { num, den: 1 };
        }
        self.add_slowly(&other.neg())
    }

    /// `self * other`.
    #[must_use]
    #[inline]
    pub fn mul(&self, other: &Number) -> Number {
        if let (Number::Small { num: a, den: 1 }, Number::Small { num: b, den: 1 }) = (self, other)
            && let Some(num) = a.checked_mul(*b)
        {
            return Number::Small { num, den: 1 };
        }
        self.mul_slowly(other)
    }

    fn mul_slowly(&self, other: &Number) -> Number {
        if let (Number::Small { num: a, den: b }, Number::Small { num: c, den: d }) = (self, other) {
            let [a, b, c, d] = [a, b, c, d].map(|n| i128::from(*n));
            return Number::from_wide(a * c, b * d);
        }
        Number::from_big(product(&self.to_big(), &other.to_big()))
    }

    /// `1 / self`, and 0 for 0. Division is total: spec [rule: data.division].
    #[must_use]
    pub fn inverse(&self) -> Number {
        match self {
            Number::Small { num, den } => Number::ratio(*den, *num),
            Number::Big(ratio) if ratio.is_zero() => Number::ZERO,
            Number::Big(ratio) => Number::from_big(ratio.recip()),
        }
    }

    /// The nearest integer, the even one of two equally near.
    #[must_use]
    pub fn round_half_even(&self) -> Number {
        let ratio = self.to_big();
        let two = BigInt::from(2);
        let floor = ratio.floor().to_integer();
        let rest = (ratio - Ratio::from_integer(floor.clone())) * two;
        let up = match rest.cmp(&Ratio::from_integer(BigInt::from(1))) {
            Ordering::Less => false,
            Ordering::Greater => true,
            Ordering::Equal => floor.is_odd(),
        };
        Number::from_big(Ratio::from_integer(if up { floor + 1 } else { floor }))
    }
}

/// `a/b + c/d`: common factors of the denominators are taken out first, so that the only divisor left to
/// look for is one of theirs. Knuth, *The Art of Computer Programming*, section 4.5.1.
fn sum(x: &Ratio<BigInt>, y: &Ratio<BigInt>) -> Ratio<BigInt> {
    let (a, b, c, d) = (x.numer(), x.denom(), y.numer(), y.denom());
    let common = gcd(b, d);
    if common.is_one() {
        return Ratio::new_raw(a * d + c * b, b * d);
    }
    let part = b / &common;
    let num = a * (d / &common) + c * &part;
    let rest = gcd(&num, &common);
    Ratio::new_raw(num / &rest, part * (d / rest))
}

/// `a/b * c/d`, where only `a` and `d`, and `c` and `b`, can have common factors.
fn product(x: &Ratio<BigInt>, y: &Ratio<BigInt>) -> Ratio<BigInt> {
    let (a, b, c, d) = (x.numer(), x.denom(), y.numer(), y.denom());
    let (left, right) = (gcd(a, d), gcd(c, b));
    Ratio::new_raw((a / &left) * (c / &right), (b / right) * (d / left))
}

impl Ord for Number {
    fn cmp(&self, other: &Number) -> Ordering {
        match (self, other) {
            (Number::Small { num: a, den: b }, Number::Small { num: c, den: d }) => {
                (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b)))
            }
            (Number::Big(_), Number::Small { .. } | Number::Big(_))
            | (Number::Small { .. }, Number::Big(_)) => self.to_big().cmp(&other.to_big()),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `3`, `-7/2`.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Small { num, den: 1 } => num.fmt(f),
            Number::Small { num, den } => write!(f, "{num}/{den}"),
            Number::Big(ratio) => ratio.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn big(n: &Number) -> Ratio<BigInt> {
        n.to_big()
    }

    fn is_normal(n: &Number) -> bool {
        match n {
            Number::Small { num, den } => *den > 0 && num.gcd(den) == 1,
            Number::Big(r) => {
                (r.numer().to_i64().is_none() || r.denom().to_i64().is_none()) && r.denom().is_positive()
            }
        }
    }

    /// Integers near every border where the fast path must give way.
    fn border() -> impl Strategy<Value = i64> {
        prop_oneof![
            any::<i64>(),
            -4i64..5,
            (0i64..3).prop_map(|d| i64::MAX - d),
            (0i64..3).prop_map(|d| i64::MIN + d),
            (-2i64..3).prop_map(|d| 3_037_000_499 + d),
            (-2i64..3).prop_map(|d| (1 << 32) + d),
        ]
    }

    proptest! {
        #[test]
        fn small_and_big_agree_at_the_borders(a in border(), b in border(), c in border(), d in border()) {
            let (x, y) = (Number::ratio(a, b), Number::ratio(c, d));
            let (u, v) = (big(&x), big(&y));
            for (small, exact) in [
                (x.add(&y), &u + &v),
                (x.sub(&y), &u - &v),
                (x.mul(&y), &u * &v),
                (x.neg(), -&u),
            ] {
                prop_assert_eq!(big(&small), exact);
                prop_assert!(is_normal(&small));
            }
            prop_assert_eq!(x.cmp(&y), u.cmp(&v));
            let inverse = x.inverse();
            prop_assert!(is_normal(&inverse));
            prop_assert_eq!(x.mul(&inverse), if x.is_zero() { Number::ZERO } else { Number::ONE });
            prop_assert_eq!(inverse.inverse(), x);
        }
    }

    /// Fractions of numbers of up to 200 bits, made of few primes so that they often share factors.
    fn fraction() -> impl Strategy<Value = Ratio<BigInt>> {
        let part = || (any::<i64>(), 0u32..40, 0u32..40, 0u32..20);
        (part(), part()).prop_map(|(n, d)| {
            let make = |(a, p, q, r): (i64, u32, u32, u32)| {
                (BigInt::from(a) | BigInt::from(1))
                    * BigInt::from(2).pow(p)
                    * BigInt::from(3).pow(q)
                    * BigInt::from(5).pow(r)
            };
            Ratio::new(make(n), make(d))
        })
    }

    proptest! {
        #[test]
        fn big_fractions_are_those_of_the_library(x in fraction(), y in fraction()) {
            let (a, b) = (Number::from_big(x.clone()), Number::from_big(y.clone()));
            for (own, theirs) in [
                (a.add(&b), &x + &y),
                (a.sub(&b), &x - &y),
                (a.sub(&a), Ratio::zero()),
                (a.mul(&b), &x * &y),
                (a.mul(&b.inverse()), &x / &y),
            ] {
                prop_assert!(is_normal(&own));
                prop_assert_eq!(big(&own), theirs);
            }
        }
    }

    #[test]
    fn overflow_goes_to_big_and_comes_back() {
        let max = Number::int(i64::MAX);
        let more = max.add(&Number::ONE);
        assert!(matches!(more, Number::Big(_)));
        assert_eq!(more.sub(&Number::ONE), max);
        assert!(matches!(Number::int(i64::MIN).neg(), Number::Big(_)));
    }

    #[test]
    fn literals_are_exact() {
        let n = |m: i64, e| Number::from_decimal(&Decimal::new(m, e));
        assert_eq!(n(125, -3), Some(Number::ratio(1, 8)));
        assert_eq!(n(3, 2), Some(Number::int(300)));
        assert_eq!(n(1, 2_000_000_000), None);
        assert_eq!(n(-1, -1).map(|n| n.to_string()), Some("-1/10".to_owned()));
    }

    #[test]
    fn halves_round_to_even() {
        for (num, den, rounded) in
            [(1, 2, 0), (3, 2, 2), (5, 2, 2), (-1, 2, 0), (-3, 2, -2), (7, 4, 2), (-7, 4, -2)]
        {
            assert_eq!(Number::ratio(num, den).round_half_even(), Number::int(rounded), "{num}/{den}");
        }
    }
}
