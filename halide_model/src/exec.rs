//! Running completed programs: what both executors share. Thesis §2.5.2; spec: [rule: halide.exec].
//!
//! [`small`] follows the rules of Fig. 2.8 step by step; [`fast`] is compiled to slots and is held equal to it by test.

pub use crate::buffer::Buffer;
pub(crate) use crate::buffer::{MAX_POINTS, folded_bounds, folded_offset};

pub mod fast;
pub mod small;
pub mod watch;

use crate::alg::{Input, box_points};
use crate::tgt::Claim;
use crate::value::Value;
use rewright_base::sym::Name;
use std::fmt;
use std::ops::Range;

/// Why a program is stuck. The paper has four states: a failed assertion, a negative extent, a read and a write out of
/// bounds; a condition, index or extent that is an error value is a fifth [H-2].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// An assertion failed (Def. 2.11).
    Assertion(Claim),
    /// A loop has a negative extent (Def. 2.12).
    Rdom,
    /// A read out of bounds (Def. 2.13).
    Read(Name, Vec<i64>),
    /// A write out of bounds (Def. 2.13).
    Write(Name, Vec<i64>),
    /// An input buffer does not have all that is asked of it: the region that is asked for.
    Input(Name, Vec<(i64, i64)>),
    /// A condition, an index or a bound is an error value.
    ErrorValue,
    /// Not a state of the semantics: a variable that nothing binds, or a hole.
    Unbound(String),
    /// Not a state of the semantics: more memory or steps than allowed.
    TooMuch,
    /// Not a state of the semantics: a number does not fit the fast executor's words.
    Overflow,
}

impl fmt::Display for Stuck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stuck::Assertion(Claim::Bounds) => f.write_str("assertion failure: bounds given by a directive"),
            Stuck::Assertion(Claim::NoBounds) => f.write_str("assertion failure: no bounds were found"),
            Stuck::Assertion(Claim::Factor) => {
                f.write_str("assertion failure: a split factor is not positive")
            }
            Stuck::Assertion(Claim::Rdom) | Stuck::Rdom => f.write_str("rdom failure: a negative extent"),
            Stuck::Assertion(Claim::Extent) => f.write_str("assertion failure: an extent is not constant"),
            Stuck::Assertion(Claim::Special) => f.write_str("assertion failure: no specialization applies"),
            Stuck::Assertion(Claim::Required) => {
                f.write_str("assertion failure: what is required does not hold")
            }
            Stuck::Assertion(Claim::Fold) => {
                f.write_str("assertion failure: a fold factor does not hold what is live")
            }
            Stuck::Assertion(Claim::Index) => {
                f.write_str("assertion failure: an end of an index does not fit 32 bits")
            }
            Stuck::Read(g, p) => write!(f, "memory error: `{g}` is read out of bounds at {p:?}"),
            Stuck::Write(g, p) => write!(f, "memory error: `{g}` is written out of bounds at {p:?}"),
            Stuck::Input(g, b) => write!(f, "input `{g}` does not have the region {b:?} that is asked of it"),
            Stuck::ErrorValue => f.write_str("a condition, an index or a bound is an error value"),
            Stuck::Unbound(v) => write!(f, "nothing binds {v}"),
            Stuck::TooMuch => f.write_str("too much memory or too many steps"),
            Stuck::Overflow => f.write_str("a number does not fit 64 bits"),
        }
    }
}

/// What a run leaves of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Realized {
    /// The output.
    pub func: Name,
    /// Which dimensions of the window are its own.
    pub dims: Range<usize>,
    /// Its values, those that were not asked for included.
    pub buffer: Buffer,
}

/// What a run leaves: the outputs, in their order.
pub type Outputs = Vec<Realized>;

impl Realized {
    /// The points of it that are asked for, the first variable fastest.
    pub fn points(&self, z: &Input) -> Vec<Vec<i64>> {
        box_points(z.window.get(self.dims.clone()).unwrap_or_default())
    }
}

/// The values that are asked for, output by output; nothing where one is missing.
pub fn window(run: &[Realized], z: &Input) -> Option<Vec<Value>> {
    let values = |r: &Realized| r.points(z).iter().map(|y| r.buffer.get(y).cloned()).collect::<Vec<_>>();
    run.iter().flat_map(values).collect()
}

/// How many points a box has; lengths below zero count as zero.
pub(crate) fn points(bounds: &[(i64, i64)]) -> Result<usize, Stuck> {
    let mut n: usize = 1;
    for (_, len) in bounds {
        let len = usize::try_from((*len).max(0)).map_err(|_| Stuck::TooMuch)?;
        n = n.checked_mul(len).filter(|n| *n <= MAX_POINTS).ok_or(Stuck::TooMuch)?;
    }
    Ok(n)
}
