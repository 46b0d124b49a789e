//! The range that C computes control in, and the analysis that holds C to it. Spec: [rule: c.range].
//!
//! Conditions are proved over ℤ; C computes in `int_fast32_t`. What is emitted is looked at operator by
//! operator ([`eval`]), with what is known of the variables in scope ([`env`]), both for targets where
//! that type has 64 bits and for those where it has 32. What a caller promises is in [`entry`]; what
//! becomes of an expression that may overflow is decided in [`check`].

mod check;
mod control;
mod entry;
mod env;
mod eval;
mod interval;

pub(crate) use check::{REQUIRE, Ranges};
pub(crate) use control::{Leaf, value};
pub use entry::Entry;
pub(crate) use interval::Interval;

/// How many dimensions of a part may begin at their ends.
const PARTS: usize = 8;

/// How many bits `int_fast32_t` has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// 64.
    Wide,
    /// 32.
    Narrow,
}

impl Width {
    /// Both.
    pub(crate) const ALL: [Width; 2] = [Width::Wide, Width::Narrow];

    /// The width on the machine this runs on.
    pub fn here() -> Width {
        let is_wide = cfg!(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"));
        if is_wide { Width::Wide } else { Width::Narrow }
    }

    /// The numbers that the type holds.
    pub(crate) fn range(self) -> Interval {
        match self {
            Width::Wide => Interval::new(i64::MIN.into(), i64::MAX.into()),
            Width::Narrow => Interval::new(i32::MIN.into(), i32::MAX.into()),
        }
    }

    /// What control arguments and control fields are, at entry, at most in magnitude. Spec: [rule: c.entry].
    pub fn argument(self) -> i64 {
        match self {
            Width::Wide => (1 << 40) - 1,
            Width::Narrow => (1 << 24) - 1,
        }
    }

    /// How many cells a buffer has, and how large a stride is, at most: one sixteenth of the type's
    /// range, so that the offsets of a cell in all dimensions can be added up.
    pub(crate) fn cells(self) -> i128 {
        self.range().hi.div_euclid(16)
    }

    /// What the offsets of a part in all dimensions come to, at most: an empty part may begin at the end of
    /// each of them.
    fn parts(self) -> i128 {
        i128::try_from(PARTS).map_or(i128::MAX, |n| self.cells().saturating_mul(n))
    }

    /// What a control field is kept to that is computed from itself.
    fn half(self) -> Interval {
        Interval::around(self.range().hi.div_euclid(2))
    }
}
