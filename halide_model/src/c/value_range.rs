//! What values expressions can have in C, from those that the inputs can have: interval arithmetic. Spec: [rule: halide.c-range].

use crate::expr::{Expr, Var};
use crate::op::{Bits, Op};
use crate::range::{GREATEST, LEAST};
use crate::typed::Scalar;
use crate::value::Value;
use num_traits::ToPrimitive;
use rewright_base::sym::Name;
use rustc_hash::FxHashMap;

/// An interval of integers, both ends inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ValueRange {
    pub(super) lo: i128,
    pub(super) hi: i128,
}

/// Ends are cut off here: far outside of 64 bits, and no sum or product of two of them is lost.
const FAR: i128 = 1 << 126;

impl ValueRange {
    /// All numbers of 64 bits.
    pub(super) const WORD: ValueRange = ValueRange { lo: -(1 << 63), hi: (1 << 63) - 1 };
    /// Anything.
    pub(super) const ANY: ValueRange = ValueRange { lo: -FAR, hi: FAR };
    /// Lengths of windows.
    pub(super) const LEN: ValueRange = ValueRange { lo: 0, hi: (1 << 31) - 1 };
    const TRUTH: ValueRange = ValueRange { lo: 0, hi: 1 };

    pub(super) fn new(lo: i128, hi: i128) -> ValueRange {
        ValueRange { lo: lo.clamp(-FAR, FAR), hi: hi.clamp(-FAR, FAR) }
    }

    /// Parameters, and where windows begin.
    pub(super) fn input() -> ValueRange {
        ValueRange::new(LEAST.into(), GREATEST.into())
    }

    /// What is left of it when a check has passed: the numbers of 64 bits.
    pub(super) fn checked(self) -> ValueRange {
        let clamp = |v: i128| v.clamp(ValueRange::WORD.lo, ValueRange::WORD.hi);
        ValueRange { lo: clamp(self.lo), hi: clamp(self.hi) }
    }

    /// Whether all of it has 64 bits.
    pub(super) fn fits(self) -> bool {
        self.within(ValueRange::WORD)
    }

    /// Whether 128 bits hold all of it.
    pub(super) fn near(self) -> bool {
        -FAR < self.lo && self.hi < FAR
    }

    pub(super) fn within(self, outer: ValueRange) -> bool {
        outer.lo <= self.lo && self.hi <= outer.hi
    }

    pub(super) fn hull(self, other: ValueRange) -> ValueRange {
        ValueRange { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    pub(super) fn add(self, b: ValueRange) -> ValueRange {
        ValueRange::new(self.lo.saturating_add(b.lo), self.hi.saturating_add(b.hi))
    }

    fn sub(self, b: ValueRange) -> ValueRange {
        ValueRange::new(self.lo.saturating_sub(b.hi), self.hi.saturating_sub(b.lo))
    }

    fn mul(self, b: ValueRange) -> ValueRange {
        let ends = [(self.lo, b.lo), (self.lo, b.hi), (self.hi, b.lo), (self.hi, b.hi)];
        ValueRange::around(ends.map(|(x, y)| x.saturating_mul(y)))
    }

    fn around<const N: usize>(ends: [i128; N]) -> ValueRange {
        let (lo, hi) = (ends.iter().min().copied(), ends.iter().max().copied());
        ValueRange::new(lo.unwrap_or(-FAR), hi.unwrap_or(FAR))
    }

    fn magnitude(self) -> i128 {
        self.lo.abs().max(self.hi.abs())
    }

    /// A quotient is no greater than what is divided.
    fn div(self, b: ValueRange) -> ValueRange {
        match b.lo {
            c if c == b.hi && c != 0 => ValueRange::around([self.lo, self.hi].map(|a| a.div_euclid(c))),
            _ => ValueRange::new(-self.magnitude(), self.magnitude()),
        }
    }

    fn rem(self, b: ValueRange) -> ValueRange {
        let most = (b.magnitude() - 1).max(0);
        // Already reduced by every divisor that there can be.
        let reduced = self.lo >= 0 && b.lo > 0 && self.hi < b.lo;
        if reduced { self } else { ValueRange::new(0, most) }
    }
}

/// What is known of variables and of the values in memory.
#[derive(Clone, Default)]
pub(super) struct Known {
    pub(super) vars: FxHashMap<Var, ValueRange>,
    pub(super) memory: FxHashMap<Name, ValueRange>,
}

impl Known {
    /// The values that an expression can have, in ℤ.
    pub(super) fn reach(&self, e: &Expr) -> ValueRange {
        match e {
            Expr::Const(Value::Int(v)) => {
                let v = v.to_big().to_i128().unwrap_or(FAR);
                ValueRange::new(v, v)
            }
            Expr::Const(Value::Float(_)) => ValueRange::WORD,
            Expr::Const(Value::Tuple(_) | Value::Error(_)) => ValueRange::new(0, 0),
            Expr::Var(v) => self.vars.get(v).copied().unwrap_or(ValueRange::WORD),
            Expr::Access(a) => self.memory.get(&a.func).copied().unwrap_or(ValueRange::WORD),
            Expr::Op(op, args) => operation(*op, &args.iter().map(|a| self.reach(a)).collect::<Vec<_>>()),
        }
    }

    /// Whether an expression and all of its parts have 64 bits, and the values that it can have.
    ///
    /// `ring`: the result is wanted modulo 2^64 only, so that sums, differences and products at the root are exact
    /// whatever they pass through.
    pub(super) fn held(&self, e: &Expr, ring: bool) -> (bool, ValueRange) {
        let (fine, reach) = match e {
            Expr::Const(_) | Expr::Var(_) | Expr::Access(_) => (true, self.reach(e)),
            Expr::Op(op, args) => {
                // A cast keeps the low bits.
                let exact = matches!(op, Op::Cast(_)) || ring && matches!(op, Op::Add | Op::Sub | Op::Mul);
                let parts: Vec<(bool, ValueRange)> = args.iter().map(|a| self.held(a, exact)).collect();
                let reaches: Vec<ValueRange> = parts.iter().map(|(_, r)| *r).collect();
                (parts.iter().all(|(fine, _)| *fine), operation(*op, &reaches))
            }
        };
        (fine && (ring || reach.fits()), reach)
    }
}

/// What an operation can give.
pub(super) fn operation(op: Op, args: &[ValueRange]) -> ValueRange {
    let of = |i: usize| args.get(i).copied().unwrap_or(ValueRange::WORD);
    match op {
        Op::Add => of(0).add(of(1)),
        Op::Sub => of(0).sub(of(1)),
        Op::Mul => of(0).mul(of(1)),
        Op::Div => of(0).div(of(1)),
        Op::Mod => of(0).rem(of(1)),
        Op::Or | Op::And | Op::Not | Op::Lt | Op::Gt | Op::Eq => ValueRange::TRUTH,
        Op::Math(m) if m.is_truth() => ValueRange::TRUTH,
        Op::Cast(scalar) => stored(scalar, of(0)),
        Op::Bits(Bits::And) if of(0).lo >= 0 || of(1).lo >= 0 => {
            let masks = [of(0), of(1)].into_iter().filter(|r| r.lo >= 0).map(|r| r.hi);
            ValueRange::new(0, masks.min().unwrap_or(FAR))
        }
        Op::Bits(Bits::Shl | Bits::Shr) => ValueRange::ANY,
        Op::Bits(_) | Op::Math(_) | Op::Tuple(_) | Op::Elem(_) => ValueRange::WORD,
        Op::Abs => ValueRange::new(0, of(0).magnitude()),
        Op::Select => of(1).hull(of(2)),
        Op::Min => ValueRange::new(of(0).lo.min(of(1).lo), of(0).hi.min(of(1).hi)),
        Op::Max => ValueRange::new(of(0).lo.max(of(1).lo), of(0).hi.max(of(1).hi)),
    }
}

/// What a func's points can hold when a value in this range is stored.
pub(super) fn stored(scalar: Scalar, value: ValueRange) -> ValueRange {
    let all = match scalar.range() {
        Some((lo, hi)) => {
            let end = |v: crate::int::Int| v.to_big().to_i128().unwrap_or(FAR);
            // A point of 64 unsigned bits is read as a signed number.
            ValueRange::new(end(lo), end(hi))
        }
        None => ValueRange::WORD,
    };
    let all = if all.fits() { all } else { ValueRange::WORD };
    if value.within(all) { value } else { all }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::apply;

    /// Every value that operands in the intervals give lies in the interval of the result.
    #[test]
    fn results_lie_in_the_interval() {
        let ops = [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Mod, Op::Min, Op::Max, Op::Lt, Op::And, Op::Eq];
        let (x, y) = (Var::Param(Name::new("x")), Var::Param(Name::new("y")));
        let mut tight = 0;
        for op in ops {
            for (a, b) in (-5..=3_i64).flat_map(|a| (a..a + 4).map(move |b| (a, b))) {
                for (c, d) in (-4..=3_i64).flat_map(|c| (c..c + 4).map(move |d| (c, d))) {
                    let mut known = Known::default();
                    known.vars.insert(x, ValueRange::new(a.into(), b.into()));
                    known.vars.insert(y, ValueRange::new(c.into(), d.into()));
                    let reach = known.reach(&Expr::binary(op, Expr::Var(x), Expr::Var(y)));
                    let (mut least, mut most) = (i128::MAX, i128::MIN);
                    for (i, j) in (a..=b).flat_map(|i| (c..=d).map(move |j| (i, j))) {
                        let v = apply(op, &[Value::int(i), Value::int(j)]).and_then(|v| v.to_i64()).unwrap();
                        assert!(
                            reach.lo <= v.into() && i128::from(v) <= reach.hi,
                            "{i} {op:?} {j}: {reach:?}"
                        );
                        (least, most) = (least.min(v.into()), most.max(v.into()));
                    }
                    tight += usize::from(reach == ValueRange::new(least, most));
                }
            }
        }
        assert!(tight > 3_000, "only {tight} intervals are as small as they can be");
    }

    #[test]
    fn far_numbers_stay_far() {
        let word = ValueRange::WORD;
        let cube = word.mul(word).mul(word);
        assert!(!cube.fits() && cube.lo < word.lo && cube.hi > word.hi);
        assert!(!word.div(ValueRange::new(-1, -1)).fits(), "the least number by -1");
        assert!(word.div(ValueRange::new(2, 2)).fits());
    }
}
