//! Literals of data, exactly, per type. Spec: [rule: c.literals].

use crate::c::tree::F16;
use num_traits::ToPrimitive;
use rewright_semantics::ast::Decimal;
use rewright_semantics::data::machine::{bfloat_of_decimal, half_of_decimal};
use rewright_semantics::types::DataType;

/// Why a literal has no value of a type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadLiteral {
    /// A fraction where integers are computed.
    #[error("{0} is no integer")]
    Fraction(Decimal),
    /// Beyond what the type holds.
    #[error("{0} does not fit {1}")]
    TooLarge(Decimal, DataType),
}

/// A literal as C text: one that C reads back as the value of the type that is nearest.
pub fn literal(d: &Decimal, t: DataType) -> Result<String, BadLiteral> {
    let too_large = || BadLiteral::TooLarge(d.clone(), t);
    match t {
        DataType::R | DataType::F32 => {
            let value: f32 = d.scientific().parse().map_err(|_| too_large())?;
            if value.is_finite() { Ok(format!("{value:?}f")) } else { Err(too_large()) }
        }
        DataType::F64 => {
            let value = d.to_f64();
            if value.is_finite() { Ok(format!("{value:?}")) } else { Err(too_large()) }
        }
        DataType::F16 => {
            let value = half_of_decimal(d);
            // The float that is equal to it, so that the cast does not round.
            if value.is_finite() { Ok(format!("({F16}){:?}f", value.to_f32())) } else { Err(too_large()) }
        }
        DataType::BF16 => {
            let value = bfloat_of_decimal(d);
            // It is computed as a float.
            if value.is_finite() { Ok(format!("{:?}f", value.to_f32())) } else { Err(too_large()) }
        }
        DataType::I8 | DataType::UI8 | DataType::UI16 | DataType::I32 => {
            let value = integer(d).ok_or_else(|| BadLiteral::Fraction(d.clone()))?;
            // Integers are promoted to `int`, so that is what a literal must fit.
            let value = i32::try_from(value).map_err(|_| too_large())?;
            Ok(if value == i32::MIN { "(-2147483647 - 1)".to_owned() } else { value.to_string() })
        }
    }
}

/// The value of a literal that is an integer; beyond 64 bits, one that no type holds.
pub fn integer(d: &Decimal) -> Option<i64> {
    if d.exponent() < 0 {
        return None;
    }
    let beyond = if d.is_negative() { i64::MIN } else { i64::MAX };
    let Ok(power) = u32::try_from(d.exponent()) else { return Some(beyond) };
    let scaled = 10_i64.checked_pow(power).and_then(|p| d.mantissa().to_i64()?.checked_mul(p));
    Some(scaled.unwrap_or(beyond))
}

/// The largest magnitude that an integer type has; none for floats.
pub fn magnitude(t: DataType) -> Option<i64> {
    match t {
        DataType::I8 => Some(128),
        DataType::UI8 => Some(255),
        DataType::UI16 => Some(65_535),
        DataType::I32 => Some(2_147_483_648),
        DataType::R | DataType::F16 | DataType::BF16 | DataType::F32 | DataType::F64 => None,
    }
}

/// The least and the greatest value of an integer type that is narrower than `int`.
pub fn range(t: DataType) -> Option<(i64, i64)> {
    match t {
        DataType::I8 => Some((i8::MIN.into(), i8::MAX.into())),
        DataType::UI8 => Some((0, u8::MAX.into())),
        DataType::UI16 => Some((0, u16::MAX.into())),
        // What is computed in `int` wraps before it is compared: -(-2^31) is no larger than the others.
        DataType::I32 | DataType::R | DataType::F16 | DataType::BF16 | DataType::F32 | DataType::F64 => None,
    }
}

/// Whether an integer type holds a value.
pub fn holds(t: DataType, k: i64) -> bool {
    match t {
        DataType::I8 => i8::try_from(k).is_ok(),
        DataType::UI8 => u8::try_from(k).is_ok(),
        DataType::UI16 => u16::try_from(k).is_ok(),
        DataType::I32 => i32::try_from(k).is_ok(),
        DataType::R | DataType::F16 | DataType::BF16 | DataType::F32 | DataType::F64 => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spec: [rule: c.literals].
    #[test]
    fn literals_are_exact_per_type() {
        let show = |m: i64, e: i32, t| literal(&Decimal::new(m, e), t).unwrap();
        assert_eq!(show(1, -1, DataType::F32), "0.1f");
        assert_eq!(literal(&Decimal::new(0, 0).negated(), DataType::F32).unwrap(), "-0.0f");
        assert_eq!(literal(&Decimal::new(0, 0).negated(), DataType::F16).unwrap(), "(float16)-0.0f");
        assert_eq!(literal(&Decimal::new(0, 0).negated(), DataType::I8).unwrap(), "0");
        assert_eq!(show(1, -1, DataType::F64), "0.1");
        assert_eq!(show(3, 0, DataType::R), "3.0f");
        assert_eq!(show(1, -30, DataType::F32), "1e-30f");
        assert_eq!(show(-7, 0, DataType::I8), "-7");
        assert_eq!(show(1, -1, DataType::F16), "(float16)0.099975586f");
        // Just above the middle of 1 and the next number: a double is the middle itself, which rounds down.
        assert_eq!(show(10_004_882_812_500_001, -16, DataType::F16), "(float16)1.0009766f");
        assert_eq!(show(1, -1, DataType::BF16), "0.100097656f");
        // Just above the middle of 1 and the next number.
        assert_eq!(show(100_390_625_000_000_001, -17, DataType::BF16), "1.0078125f");
        assert_eq!(show(100_390_625, -8, DataType::BF16), "1.0f");
        assert_eq!(show(-2_147_483_648, 0, DataType::I32), "(-2147483647 - 1)");
    }

    #[test]
    fn fractions_are_no_integers_and_large_numbers_do_not_fit() {
        assert!(matches!(literal(&Decimal::new(5, -1), DataType::I8), Err(BadLiteral::Fraction(_))));
        assert!(matches!(literal(&Decimal::new(1, 300), DataType::F32), Err(BadLiteral::TooLarge(..))));
        assert!(matches!(literal(&Decimal::new(1, 30), DataType::I32), Err(BadLiteral::TooLarge(..))));
    }
}
