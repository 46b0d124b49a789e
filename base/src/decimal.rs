//! Decimal fractions, as they are written.

use num_bigint::BigInt;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A decimal fraction `mantissa * 10^exponent`, exactly as written. Normal form: the mantissa has no
/// trailing decimal zero, and zero has exponent 0. `2` and `2.0` are equal, and each prints as it was written;
/// `-0.0` is another literal than `0.0`, since floating-point numbers have both.
#[derive(Clone, Debug)]
pub struct Decimal {
    mantissa: BigInt,
    exponent: i32,
    /// Whether this is `-0.0`.
    minus_zero: bool,
    /// Written without a point.
    integer: bool,
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Decimal) -> bool {
        self.mantissa == other.mantissa
            && self.exponent == other.exponent
            && self.minus_zero == other.minus_zero
    }
}

impl Eq for Decimal {}

impl Hash for Decimal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.mantissa.hash(state);
        self.exponent.hash(state);
        self.minus_zero.hash(state);
    }
}

impl Decimal {
    /// The number `mantissa * 10^exponent`, brought into normal form.
    pub fn new(mantissa: impl Into<BigInt>, exponent: i32) -> Decimal {
        let (mut mantissa, mut exponent) = (mantissa.into(), exponent);
        let normal = |mantissa, exponent| Decimal { mantissa, exponent, minus_zero: false, integer: false };
        if mantissa == BigInt::ZERO {
            return normal(mantissa, 0);
        }
        // Most literals are short, and arithmetic on machine integers allocates nothing.
        if let Ok(mut short) = i64::try_from(&mantissa) {
            if short % 10 != 0 || exponent == i32::MAX {
                return normal(mantissa, exponent);
            }
            while short % 10 == 0 && exponent < i32::MAX {
                short /= 10;
                exponent += 1;
            }
            return normal(short.into(), exponent);
        }
        let ten = BigInt::from(10);
        while &mantissa % &ten == BigInt::ZERO && exponent < i32::MAX {
            mantissa /= &ten;
            exponent += 1;
        }
        normal(mantissa, exponent)
    }

    /// An integer, which prints without a point.
    pub fn integer(value: impl Into<BigInt>) -> Decimal {
        Decimal { integer: true, ..Decimal::new(value, 0) }
    }

    /// The digits, as an integer.
    pub fn mantissa(&self) -> &BigInt {
        &self.mantissa
    }

    /// The power of ten.
    pub fn exponent(&self) -> i32 {
        self.exponent
    }

    /// With a minus before it. Of an integer 0 this is 0.
    #[must_use]
    pub fn negated(&self) -> Decimal {
        let minus_zero = self.mantissa == BigInt::ZERO && !self.integer && !self.minus_zero;
        Decimal { mantissa: -&self.mantissa, minus_zero, ..*self }
    }

    /// Whether this is below zero, or `-0.0`.
    pub fn is_negative(&self) -> bool {
        self.minus_zero || self.mantissa < BigInt::ZERO
    }

    /// As languages read a floating-point number: `-15e-1`.
    pub fn scientific(&self) -> String {
        let sign = if self.is_negative() { "-" } else { "" };
        format!("{sign}{}e{}", self.mantissa.magnitude(), self.exponent)
    }

    /// The nearest `f64`.
    pub fn to_f64(&self) -> f64 {
        self.scientific().parse().expect("digits and an exponent form a float")
    }
}

/// As Python reads it back: with a point or an exponent (`3.0`, `0.125`, `1e-30`), if it is not an [integer](Decimal::integer).
impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negative() { "-" } else { "" };
        let digits = self.mantissa.magnitude().to_string();
        let len = i64::try_from(digits.len()).expect("a literal's digits fit in memory");
        let exponent = i64::from(self.exponent);
        let point = len + exponent;
        if exponent >= 0 && (point <= 16 || self.integer) {
            let zeros = usize::try_from(exponent).expect("checked: not negative");
            let point = if self.integer { "" } else { ".0" };
            write!(f, "{sign}{digits}{}{point}", "0".repeat(zeros))
        } else if exponent < 0 && point > 0 {
            let (whole, part) = digits.split_at(usize::try_from(point).expect("checked: positive"));
            write!(f, "{sign}{whole}.{part}")
        } else if exponent < 0 && point > -6 {
            let zeros = usize::try_from(-point).expect("checked: not positive");
            write!(f, "{sign}0.{}{digits}", "0".repeat(zeros))
        } else {
            write!(f, "{sign}{digits}e{exponent}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_print_as_they_are_read() {
        let show = |m: i64, e: i32| Decimal::new(m, e).to_string();
        assert_eq!(show(30, -1), "3.0");
        assert_eq!(show(125, -3), "0.125");
        assert_eq!(show(-15, -1), "-1.5");
        assert_eq!(show(0, 7), "0.0");
        assert_eq!(show(1, -30), "1e-30");
        assert_eq!(show(1, 30), "1e30");
        assert_eq!(show(1200, 0), "1200.0");
        assert_eq!(show(1, -3), "0.001");
        let show = |m: i64| Decimal::integer(m).to_string();
        assert_eq!([show(0), show(-2), show(1200)], ["0", "-2", "1200"]);
        assert_eq!(Decimal::integer(2), Decimal::new(20, -1));
    }

    #[test]
    fn zero_has_a_sign_where_it_is_no_integer() {
        let zero = Decimal::new(0, 0);
        assert_eq!([zero.to_string(), zero.negated().to_string()], ["0.0", "-0.0"]);
        assert_ne!(zero, zero.negated());
        assert_eq!(zero, zero.negated().negated());
        assert!(zero.negated().to_f64().is_sign_negative());
        assert_eq!(Decimal::integer(0).negated().to_string(), "0");
        assert_eq!(Decimal::new(15, -1).negated(), Decimal::new(-15, -1));
    }
}
