//! Which numbers a run may be given: coordinates and parameters of 32 bits, as in practice. Spec: [rule: halide.range].

use crate::alg::Input;
use std::fmt;

/// The least coordinate and parameter.
pub const LEAST: i64 = -(1 << 31);
/// The greatest coordinate and parameter.
pub const GREATEST: i64 = (1 << 31) - 1;

/// What an input has that is out of range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutOfRange {
    /// The parameter of this number has this value.
    Param(usize, i64),
    /// The window has points outside in this dimension, or a negative length.
    Window {
        /// The dimension.
        dim: usize,
        /// Its minimum.
        min: i64,
        /// Its length.
        len: i64,
    },
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OutOfRange::Param(i, v) => {
                write!(f, "parameter {i} is {v}: parameters lie in {LEAST}..{GREATEST}")
            }
            OutOfRange::Window { dim, len, .. } if *len < 0 => {
                write!(f, "a window has no negative length: dimension {dim} has {len}")
            }
            OutOfRange::Window { dim, min, len } => write!(
                f,
                "dimension {dim} of the window is ({min}, {len}): its points lie in {LEAST}..{GREATEST}, and there are at \
                 most {GREATEST}"
            ),
        }
    }
}

impl Input {
    /// Whether parameters and points of the window have 32 bits.
    ///
    /// # Errors
    /// The first number that has not.
    pub fn in_range(&self) -> Result<(), OutOfRange> {
        let fits = LEAST..=GREATEST;
        if let Some((i, v)) = self.params.iter().enumerate().find(|(_, v)| !fits.contains(v)) {
            return Err(OutOfRange::Param(i, *v));
        }
        let fine = |min: i64, len: i64| {
            fits.contains(&min) && (0..=GREATEST).contains(&len) && min <= GREATEST + 1 - len
        };
        match self.window.iter().enumerate().find(|(_, (min, len))| !fine(*min, *len)) {
            Some((dim, &(min, len))) => Err(OutOfRange::Window { dim, min, len }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_the_range_are_inside() {
        let input = |params: &[i64], window: &[(i64, i64)]| Input::new(params.to_vec(), window.to_vec());
        for window in [(LEAST, GREATEST), (GREATEST, 1), (GREATEST, 0), (0, 0), (-1, GREATEST)] {
            assert_eq!(input(&[LEAST, GREATEST], &[window]).in_range(), Ok(()), "{window:?}");
        }
        for (min, len) in
            [(GREATEST, 2), (0, GREATEST + 1), (LEAST - 1, 1), (1 << 62, 1), (0, -1), (i64::MAX, i64::MAX)]
        {
            let found = input(&[], &[(0, 1), (min, len)]).in_range();
            assert_eq!(found, Err(OutOfRange::Window { dim: 1, min, len }));
        }
        assert_eq!(input(&[0, LEAST - 1], &[]).in_range(), Err(OutOfRange::Param(1, LEAST - 1)));
        assert_eq!(input(&[GREATEST + 1], &[]).in_range(), Err(OutOfRange::Param(0, GREATEST + 1)));
    }
}
