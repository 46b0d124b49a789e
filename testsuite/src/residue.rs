//! Data modulo a large prime: what programs are compared in when only equality matters.
//!
//! Addition, multiplication and division are exact, and a value is one machine word however long a program
//! runs: exact rationals grow with every division. Two programs that compute the same rationals compute
//! the same residues; two that do not are taken for equal with a probability of about 2^-61 per cell. Extern
//! functions are arbitrary ones, so equal results are equal for some meaning of them; none is a ring
//! operation, so nothing is equal by their nature.

use rewright_semantics::ast::Decimal;
use rewright_semantics::data::number::Number;
use rewright_semantics::data::{Arith, Comparison, DataDomain, Datum};
use rewright_semantics::denote::{Interpreted, Interpreter};
use rewright_semantics::externs::Extern;
use rewright_semantics::sym::Name;
use rewright_semantics::types::DataType;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The prime 2^61 - 1.
const P: u64 = (1 << 61) - 1;

/// The domain.
#[derive(Clone, Copy, Debug)]
pub struct ResidueDomain;

/// A number below the prime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Residue(u64);

impl fmt::Display for Residue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Small numbers, negative ones included, as themselves.
        if self.0 > P / 2 { write!(f, "-{}", P - self.0) } else { self.0.fmt(f) }
    }
}

impl Residue {
    fn of(n: i64) -> Residue {
        let wide = i128::from(n).rem_euclid(i128::from(P));
        Residue(u64::try_from(wide).unwrap_or(0))
    }

    fn add(self, other: Residue) -> Residue {
        Residue((self.0 + other.0) % P)
    }

    fn neg(self) -> Residue {
        Residue((P - self.0) % P)
    }

    fn mul(self, other: Residue) -> Residue {
        let wide = u128::from(self.0) * u128::from(other.0) % u128::from(P);
        Residue(u64::try_from(wide).unwrap_or(0))
    }

    /// 0 for 0, as division by zero gives 0.
    fn inverse(self) -> Residue {
        let (mut out, mut base, mut exponent) = (Residue(1), self, P - 2);
        while exponent > 0 {
            if exponent % 2 == 1 {
                out = out.mul(base);
            }
            base = base.mul(base);
            exponent /= 2;
        }
        out
    }

    fn of_hash(value: impl Hash) -> Residue {
        let mut hasher = DefaultHasher::new();
        value.hash(&mut hasher);
        Residue(hasher.finish() % P)
    }
}

impl DataDomain for ResidueDomain {
    type Value = Residue;

    fn literal(decimal: &Decimal, _: DataType) -> Residue {
        match Number::from_decimal(decimal) {
            Some(Number::Small { num, den }) => Residue::of(num).mul(Residue::of(den).inverse()),
            Some(Number::Big(_)) | None => Residue::of_hash((decimal.mantissa(), decimal.exponent())),
        }
    }

    fn input(_: Name, _: &[i64], given: &Decimal, typ: DataType) -> Residue {
        ResidueDomain::literal(given, typ)
    }

    fn cast(value: Residue, _: DataType) -> Datum<Residue> {
        Datum::Known(value)
    }

    fn neg(value: Residue) -> Residue {
        value.neg()
    }

    fn arith(op: Arith, a: Residue, b: Residue) -> Datum<Residue> {
        Datum::Known(match op {
            Arith::Add => a.add(b),
            Arith::Sub => a.add(b.neg()),
            Arith::Mul => a.mul(b),
            Arith::Div => a.mul(b.inverse()),
        })
    }

    fn call(func: Extern, args: &[Residue]) -> Residue {
        Residue::of_hash((func, args))
    }

    fn compare(a: &Residue, b: &Residue) -> Comparison {
        if a == b { Comparison::Same } else { Comparison::Different }
    }
}

impl Interpreted for ResidueDomain {
    fn interpreter() -> &'static Interpreter<ResidueDomain> {
        static INTERPRETER: Interpreter<ResidueDomain> = Interpreter::new();
        &INTERPRETER
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_that_of_a_field() {
        for a in [-7_i64, -1, 0, 1, 2, 41, i64::MAX, i64::MIN] {
            let x = Residue::of(a);
            assert_eq!(x.add(x.neg()), Residue(0));
            assert_eq!(x.mul(x.inverse()), Residue(u64::from(a != 0)), "{a}");
            assert_eq!(x.add(x), x.mul(Residue(2)));
        }
        let third = ResidueDomain::arith(Arith::Div, Residue(1), Residue(3));
        assert_eq!(third, Datum::Known(Residue(3).inverse()));
        assert_eq!(Residue::of(-4).to_string(), "-4");
    }
}
