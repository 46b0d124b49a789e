//! Sets of integers between two ends, wide enough for what 64-bit expressions come to before they wrap.

use std::fmt;

/// The integers from `lo` to `hi`, both inclusive. Ends beyond 128 bits stay at the last number there is,
/// which is out of every range that is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) lo: i128,
    pub(crate) hi: i128,
}

impl Interval {
    /// From `lo` to `hi`; just `lo` where that is none.
    pub(crate) fn new(lo: i128, hi: i128) -> Interval {
        Interval { lo, hi: hi.max(lo) }
    }

    /// One number.
    pub(crate) fn point(n: impl Into<i128>) -> Interval {
        let n = n.into();
        Interval { lo: n, hi: n }
    }

    /// From `-n` to `n`.
    pub(crate) fn around(n: i128) -> Interval {
        Interval::new(n.saturating_neg(), n)
    }

    /// Whether every number is one of the other's.
    pub(crate) fn is_within(self, other: Interval) -> bool {
        other.lo <= self.lo && self.hi <= other.hi
    }

    /// The numbers of both; of the second alone, when there is none.
    pub(crate) fn meet(self, other: Interval) -> Interval {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        if lo <= hi { Interval { lo, hi } } else { other }
    }

    /// The numbers of either, and what lies between.
    pub(crate) fn hull(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// `-x`
    pub(crate) fn negated(self) -> Interval {
        Interval { lo: self.hi.saturating_neg(), hi: self.lo.saturating_neg() }
    }

    /// `x + y`
    pub(crate) fn plus(self, other: Interval) -> Interval {
        Interval { lo: self.lo.saturating_add(other.lo), hi: self.hi.saturating_add(other.hi) }
    }

    /// `x - y`
    pub(crate) fn minus(self, other: Interval) -> Interval {
        self.plus(other.negated())
    }

    /// `x * y`
    pub(crate) fn times(self, other: Interval) -> Interval {
        let corners = [
            self.lo.saturating_mul(other.lo),
            self.lo.saturating_mul(other.hi),
            self.hi.saturating_mul(other.lo),
            self.hi.saturating_mul(other.hi),
        ];
        let first = Interval::point(corners[0]);
        corners.into_iter().fold(first, |all, n| all.hull(Interval::point(n)))
    }

    /// `⌊x / c⌋`, for `c ≥ 1`.
    pub(crate) fn divided(self, c: i128) -> Interval {
        let c = c.max(1);
        Interval { lo: self.lo.div_euclid(c), hi: self.hi.div_euclid(c) }
    }

    /// The remainder of that quotient.
    pub(crate) fn remainder(self, c: i128) -> Interval {
        let c = c.max(1);
        if self.lo.div_euclid(c) == self.hi.div_euclid(c) {
            return Interval { lo: self.lo.rem_euclid(c), hi: self.hi.rem_euclid(c) };
        }
        Interval { lo: 0, hi: c.saturating_sub(1) }
    }
}

/// `between 1 and 16`, or the one number that it is.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.lo == self.hi {
            write!(f, "{}", self.lo)
        } else {
            write!(f, "between {} and {}", self.lo, self.hi)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_holds_what_its_operands_can_come_to() {
        let ends = [-7, -3, -1, 0, 1, 2, 5];
        let all = || ends.iter().flat_map(|lo| ends.iter().map(|hi| (*lo, *hi))).filter(|(lo, hi)| lo <= hi);
        for (a, b) in all() {
            let x = Interval::new(a, b);
            for (c, d) in all() {
                let y = Interval::new(c, d);
                for m in a..=b {
                    for n in c..=d {
                        let within = |n: i128, i: Interval| Interval::point(n).is_within(i);
                        assert!(within(m + n, x.plus(y)) && within(m - n, x.minus(y)), "{x} {y}");
                        assert!(within(m * n, x.times(y)) && within(-m, x.negated()), "{x} {y}");
                        assert!(within(m.div_euclid(3), x.divided(3)), "{x}");
                        assert!(within(m.rem_euclid(3), x.remainder(3)), "{x}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_passes_128_bits_stays_out_of_range() {
        let large = Interval::point(i128::MAX);
        let range = Interval::new(i64::MIN.into(), i64::MAX.into());
        assert!(!large.plus(large).is_within(range));
        assert!(!large.times(large).is_within(range));
        assert!(!large.negated().minus(large).is_within(range));
    }

    #[test]
    fn an_interval_is_printed_by_its_ends() {
        assert_eq!(Interval::new(-1, 16).to_string(), "between -1 and 16");
        assert_eq!(Interval::point(3).to_string(), "3");
    }
}
