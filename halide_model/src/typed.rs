//! What points hold in practice: fixed-width integers and floating point, which the formal model leaves out.
//! Spec: [rule: halide.typed].

use crate::int::Int;

pub use crate::scalar::{Scalar, Width};

/// What happens to a value that does not fit, in evaluation: [rule: halide.checked]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overflow {
    /// It wraps around.
    #[default]
    Wrap,
    /// It is an error.
    Check,
}

impl Scalar {
    /// The integer as it is stored; `None` when it does not fit and that is an error.
    pub fn store(self, v: &Int, overflow: Overflow) -> Option<Int> {
        let Some((lo, hi)) = self.range() else { return Some(v.clone()) };
        if lo <= *v && *v <= hi {
            return Some(v.clone());
        }
        match overflow {
            Overflow::Check => None,
            Overflow::Wrap => Some(v.sub(&lo).rem(&hi.sub(&lo).add(&Int::ONE)).add(&lo)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [rule: halide.typed]
    #[test]
    fn values_that_do_not_fit_wrap_or_are_errors() {
        let byte = Scalar::of_name("uint8").unwrap();
        assert_eq!(byte.store(&Int::Small(-1), Overflow::Wrap), Some(Int::Small(255)));
        assert_eq!(byte.store(&Int::Small(256), Overflow::Check), None);
        let word = Scalar::of_name("int32").unwrap();
        assert_eq!(word.store(&Int::Small(1 << 31), Overflow::Wrap), Some(Int::Small(-(1 << 31))));
        assert_eq!(Scalar::Integer.store(&Int::Small(i64::MAX), Overflow::Check), Some(Int::Small(i64::MAX)));
        assert_eq!(Scalar::of_name("int7"), None);
    }
}
