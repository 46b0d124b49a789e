//! What values expressions can have in C, from those that the inputs can have: interval arithmetic. Spec: [rule: halide.c-range].

use crate::expr::{Expr, Var};
use crate::op::Op;
use crate::range::{GREATEST, LEAST};
use crate::typed::Scalar;
use crate::value::Value;
use num_traits::ToPrimitive;
use rewright_base::sym::Name;
use rustc_hash::FxHashMap;

/// An interval of integers, both ends inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    pub(super) lo: i128,
    pub(super) hi: i128,
}

/// Ends are cut off here: far outside of 64 bits, and no sum or product of two of them is lost.
const FAR: i128 = 1 << 126;

impl Reach {
    /// All numbers of 64 bits.
    pub(super) const WORD: Reach = Reach { lo: -(1 << 63), hi: (1 << 63) - 1 };
    /// Anything.
    pub(super) const ANY: Reach = Reach { lo: -FAR, hi: FAR };
    /// Lengths of windows.
    pub(super) const LEN: Reach = Reach { lo: 0, hi: (1 << 31) - 1 };
    const TRUTH: Reach = Reach { lo: 0, hi: 1 };

    pub(super) fn new(lo: i128, hi: i128) -> Reach {
        Reach { lo: lo.clamp(-FAR, FAR), hi: hi.clamp(-FAR, FAR) }
    }

    /// Parameters, and where windows begin.
    pub(super) fn input() -> Reach {
        Reach::new(LEAST.into(), GREATEST.into())
    }

    /// What is left of it when a check has passed: the numbers of 64 bits.
    pub(super) fn checked(self) -> Reach {
        let clamp = |v: i128| v.clamp(Reach::WORD.lo, Reach::WORD.hi);
        Reach { lo: clamp(self.lo), hi: clamp(self.hi) }
    }

    /// Whether all of it has 64 bits.
    pub(super) fn fits(self) -> bool {
        self.within(Reach::WORD)
    }

    fn within(self, outer: Reach) -> bool {
        outer.lo <= self.lo && self.hi <= outer.hi
    }

    pub(super) fn hull(self, other: Reach) -> Reach {
        Reach { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    pub(super) fn add(self, b: Reach) -> Reach {
        Reach::new(self.lo.saturating_add(b.lo), self.hi.saturating_add(b.hi))
    }

    fn sub(self, b: Reach) -> Reach {
        Reach::new(self.lo.saturating_sub(b.hi), self.hi.saturating_sub(b.lo))
    }

    fn mul(self, b: Reach) -> Reach {
        let ends = [(self.lo, b.lo), (self.lo, b.hi), (self.hi, b.lo), (self.hi, b.hi)];
        Reach::around(ends.map(|(x, y)| x.saturating_mul(y)))
    }

    fn around<const N: usize>(ends: [i128; N]) -> Reach {
        let (lo, hi) = (ends.iter().min().copied(), ends.iter().max().copied());
        Reach::new(lo.unwrap_or(-FAR), hi.unwrap_or(FAR))
    }

    fn magnitude(self) -> i128 {
        self.lo.abs().max(self.hi.abs())
    }

    /// A quotient is no greater than what is divided.
    fn div(self, b: Reach) -> Reach {
        match b.lo {
            c if c == b.hi && c != 0 => Reach::around([self.lo, self.hi].map(|a| a.div_euclid(c))),
            _ => Reach::new(-self.magnitude(), self.magnitude()),
        }
    }

    fn rem(self, b: Reach) -> Reach {
        let most = (b.magnitude() - 1).max(0);
        // Already reduced by every divisor that there can be.
        let reduced = self.lo >= 0 && b.lo > 0 && self.hi < b.lo;
        if reduced { self } else { Reach::new(0, most) }
    }
}

/// What is known of variables and of the values in memory.
#[derive(Clone, Default)]
pub(super) struct Known {
    pub(super) vars: FxHashMap<Var, Reach>,
    pub(super) memory: FxHashMap<Name, Reach>,
}

impl Known {
    /// The values that an expression can have, in ℤ.
    pub(super) fn reach(&self, e: &Expr) -> Reach {
        match e {
            Expr::Const(Value::Int(v)) => {
                let v = v.to_big().to_i128().unwrap_or(FAR);
                Reach::new(v, v)
            }
            Expr::Const(Value::Float(_)) => Reach::WORD,
            Expr::Const(Value::Error(_)) => Reach::new(0, 0),
            Expr::Var(v) => self.vars.get(v).copied().unwrap_or(Reach::WORD),
            Expr::Access(a) => self.memory.get(&a.func).copied().unwrap_or(Reach::WORD),
            Expr::Op(op, args) => operation(*op, &args.iter().map(|a| self.reach(a)).collect::<Vec<_>>()),
        }
    }

    /// Whether an expression and all of its parts have 64 bits, and the values that it can have.
    ///
    /// `ring`: the result is wanted modulo 2^64 only, so that sums, differences and products at the root are exact
    /// whatever they pass through.
    pub(super) fn held(&self, e: &Expr, ring: bool) -> (bool, Reach) {
        let (fine, reach) = match e {
            Expr::Const(_) | Expr::Var(_) | Expr::Access(_) => (true, self.reach(e)),
            Expr::Op(op, args) => {
                let exact = ring && matches!(op, Op::Add | Op::Sub | Op::Mul);
                let parts: Vec<(bool, Reach)> = args.iter().map(|a| self.held(a, exact)).collect();
                let reaches: Vec<Reach> = parts.iter().map(|(_, r)| *r).collect();
                (parts.iter().all(|(fine, _)| *fine), operation(*op, &reaches))
            }
        };
        (fine && (ring || reach.fits()), reach)
    }
}

/// What an operation can give.
fn operation(op: Op, args: &[Reach]) -> Reach {
    let of = |i: usize| args.get(i).copied().unwrap_or(Reach::WORD);
    match op {
        Op::Add => of(0).add(of(1)),
        Op::Sub => of(0).sub(of(1)),
        Op::Mul => of(0).mul(of(1)),
        Op::Div => of(0).div(of(1)),
        Op::Mod => of(0).rem(of(1)),
        Op::Or | Op::And | Op::Not | Op::Lt | Op::Gt | Op::Eq => Reach::TRUTH,
        Op::Select => of(1).hull(of(2)),
        Op::Min => Reach::new(of(0).lo.min(of(1).lo), of(0).hi.min(of(1).hi)),
        Op::Max => Reach::new(of(0).lo.max(of(1).lo), of(0).hi.max(of(1).hi)),
    }
}

/// What a func's points can hold when a value in this range is stored.
pub(super) fn stored(scalar: Scalar, value: Reach) -> Reach {
    let all = match scalar.range() {
        Some((lo, hi)) => {
            let end = |v: crate::int::Int| v.to_big().to_i128().unwrap_or(FAR);
            // A point of 64 unsigned bits is read as a signed number.
            Reach::new(end(lo), end(hi))
        }
        None => Reach::WORD,
    };
    let all = if all.fits() { all } else { Reach::WORD };
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
                    known.vars.insert(x, Reach::new(a.into(), b.into()));
                    known.vars.insert(y, Reach::new(c.into(), d.into()));
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
                    tight += usize::from(reach == Reach::new(least, most));
                }
            }
        }
        assert!(tight > 3_000, "only {tight} intervals are as small as they can be");
    }

    #[test]
    fn far_numbers_stay_far() {
        let word = Reach::WORD;
        let cube = word.mul(word).mul(word);
        assert!(!cube.fits() && cube.lo < word.lo && cube.hi > word.hi);
        assert!(!word.div(Reach::new(-1, -1)).fits(), "the least number by -1");
        assert!(word.div(Reach::new(2, 2)).fits());
    }
}
