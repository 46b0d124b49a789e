//! The integers ℤ: one machine word while they fit, as long as they must be otherwise.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;

/// An integer. Equal integers have equal representations: [`Int::Big`] never holds what fits an `i64`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Int {
    /// One that fits a machine word.
    Small(i64),
    /// One that does not.
    Big(Box<BigInt>),
}

/// The longest distance of a shift: as many bits as the widest type has.
pub const FARTHEST_SHIFT: i64 = 64;

impl Int {
    /// Zero.
    pub const ZERO: Int = Int::Small(0);
    /// One.
    pub const ONE: Int = Int::Small(1);

    /// 1 for true, 0 for false.
    pub fn truth(b: bool) -> Int {
        Int::Small(i64::from(b))
    }

    /// Whether it is not zero: what counts as true (Thesis §2.4.1).
    pub fn is_true(&self) -> bool {
        *self != Int::ZERO
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        match self {
            Int::Small(v) => *v < 0,
            Int::Big(v) => v.is_negative(),
        }
    }

    /// As a machine word, if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        match self {
            Int::Small(v) => Some(*v),
            Int::Big(_) => None,
        }
    }

    /// As a big integer.
    pub fn to_big(&self) -> BigInt {
        match self {
            Int::Small(v) => BigInt::from(*v),
            Int::Big(v) => (**v).clone(),
        }
    }

    /// The signed integer of 64 bits with the same low bits, if these are all that there are.
    pub fn low_bits(&self) -> Option<i64> {
        self.to_big().to_u64().map(u64::cast_signed).or_else(|| self.to_i64())
    }

    /// From a big integer.
    pub fn from_big(v: BigInt) -> Int {
        v.to_i64().map_or_else(|| Int::Big(Box::new(v)), Int::Small)
    }

    fn both(a: &Int, b: &Int, small: fn(i64, i64) -> Option<i64>, big: fn(BigInt, BigInt) -> BigInt) -> Int {
        if let (Int::Small(a), Int::Small(b)) = (a, b)
            && let Some(v) = small(*a, *b)
        {
            return Int::Small(v);
        }
        Int::from_big(big(a.to_big(), b.to_big()))
    }

    /// `a + b`
    #[must_use]
    pub fn add(&self, b: &Int) -> Int {
        Int::both(self, b, i64::checked_add, |a, b| a + b)
    }

    /// `a - b`
    #[must_use]
    pub fn sub(&self, b: &Int) -> Int {
        Int::both(self, b, i64::checked_sub, |a, b| a - b)
    }

    /// `a * b`
    #[must_use]
    pub fn mul(&self, b: &Int) -> Int {
        Int::both(self, b, i64::checked_mul, |a, b| a * b)
    }

    /// Euclidean quotient; 0 when `b` is 0. [rule: halide.arith]
    #[must_use]
    pub fn div(&self, b: &Int) -> Int {
        if *b == Int::ZERO {
            return Int::ZERO;
        }
        Int::both(self, b, i64::checked_div_euclid, |a, b| {
            let rest = euclidean_rest(&a, &b);
            (a - rest) / b
        })
    }

    /// Euclidean remainder, `0 <= a mod b < |b|`; 0 when `b` is 0. [rule: halide.arith]
    #[must_use]
    pub fn rem(&self, b: &Int) -> Int {
        if *b == Int::ZERO {
            return Int::ZERO;
        }
        Int::both(self, b, i64::checked_rem_euclid, |a, b| euclidean_rest(&a, &b))
    }

    /// `a & b`, in two's complement.
    #[must_use]
    pub fn and(&self, b: &Int) -> Int {
        Int::both(self, b, |a, b| Some(a & b), |a, b| a & b)
    }

    /// `a | b`
    #[must_use]
    pub fn or(&self, b: &Int) -> Int {
        Int::both(self, b, |a, b| Some(a | b), |a, b| a | b)
    }

    /// `a ^ b`
    #[must_use]
    pub fn xor(&self, b: &Int) -> Int {
        Int::both(self, b, |a, b| Some(a ^ b), |a, b| a ^ b)
    }

    /// `a · 2^b`, rounded down. Distances of more than [`FARTHEST_SHIFT`] count as that: no bit of any type is left then.
    #[must_use]
    pub fn shl(&self, b: &Int) -> Int {
        let by = b.to_i64().unwrap_or(if b.is_negative() { i64::MIN } else { i64::MAX });
        let by = by.clamp(-FARTHEST_SHIFT, FARTHEST_SHIFT);
        let a = self.to_big();
        Int::from_big(if by >= 0 { a << by.unsigned_abs() } else { a >> by.unsigned_abs() })
    }

    /// `|a|`
    #[must_use]
    pub fn abs(&self) -> Int {
        if self.is_negative() { Int::ZERO.sub(self) } else { self.clone() }
    }
}

fn euclidean_rest(a: &BigInt, b: &BigInt) -> BigInt {
    let rest = a % b;
    if rest.is_negative() { rest + b.abs() } else { rest }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Int) -> Ordering {
        match (self, other) {
            (Int::Small(a), Int::Small(b)) => a.cmp(b),
            (Int::Small(_), Int::Big(b)) => BigInt::zero().cmp(b),
            (Int::Big(a), Int::Small(_)) => (**a).cmp(&BigInt::zero()),
            (Int::Big(a), Int::Big(b)) => a.cmp(b),
        }
    }
}

impl From<i64> for Int {
    fn from(v: i64) -> Int {
        Int::Small(v)
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Int::Small(v) => write!(f, "{v}"),
            Int::Big(v) => write!(f, "{v}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_is_total_and_euclidean() {
        for a in -20_i64..=20 {
            for b in -6_i64..=6 {
                let (q, r) = (Int::Small(a).div(&b.into()), Int::Small(a).rem(&b.into()));
                let (q, r) = (q.to_i64().unwrap(), r.to_i64().unwrap());
                if b == 0 {
                    assert_eq!((q, r), (0, 0));
                } else {
                    assert!(a == b * q + r && 0 <= r && r < b.abs(), "{a} {b} {q} {r}");
                }
            }
        }
    }

    #[test]
    fn what_leaves_the_word_is_exact_and_comes_back() {
        let top = Int::Small(i64::MAX);
        let more = top.add(&Int::ONE);
        assert!(matches!(more, Int::Big(_)));
        assert!(more > top && Int::Small(i64::MIN) < more);
        assert_eq!(more.sub(&Int::ONE), top);
        let low = Int::Small(i64::MIN).mul(&Int::Small(3));
        assert_eq!(low.div(&Int::Small(3)), Int::Small(i64::MIN));
        assert_eq!(low.sub(&Int::ONE).rem(&Int::Small(-3)), Int::Small(2));
        assert_eq!(Int::Small(i64::MIN).div(&Int::Small(-1)), more);
    }
}
