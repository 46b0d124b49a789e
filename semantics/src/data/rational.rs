//! The domain Rational: exact numbers. Spec: [rule: data.rational].
//!
//! Precisions play no part here: casts are the identity. What is not rational, such as `sin(1)`, is
//! left standing as a term of uninterpreted functions, so that no digit is ever made up: if two
//! programs compute the same term, they agree for every meaning of the functions.

use crate::ast::Decimal;
use crate::data::number::Number;
use crate::data::poly::{Atom, Poly, is_interpreted};
use crate::data::{Arith, Comparison, DataDomain, Datum};
use crate::externs::Extern;
use crate::sym::Name;
use crate::types::DataType;
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// The domain.
#[derive(Clone, Copy, Debug)]
pub struct RationalDomain;

/// A value: a number, a term, or one that has been given up.
///
/// Invariant: a `Term` is not constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Rational {
    /// A number.
    Number(Number),
    /// A polynomial in uninterpreted functions (and, in the symbolic domain, in the inputs).
    Term(Arc<Poly>),
    /// Larger than the interpreter is prepared to handle; equal to nothing, different from nothing.
    TooLarge,
}

impl Rational {
    /// An integer.
    pub fn int(value: i64) -> Rational {
        Rational::Number(Number::int(value))
    }

    /// A number; given up when it is too large.
    #[inline]
    fn number(value: Number) -> Rational {
        match &value {
            Number::Small { .. } => Rational::Number(value),
            Number::Big(_) if value.bits() <= Number::MAX_BITS => Rational::Number(value),
            Number::Big(_) => Rational::TooLarge,
        }
    }

    /// A polynomial; `None` stands for one that is too large.
    pub fn term(poly: Option<Poly>) -> Rational {
        match poly {
            None => Rational::TooLarge,
            Some(p) => match p.as_constant() {
                Some(c) => Rational::Number(c),
                None => Rational::Term(Arc::new(p)),
            },
        }
    }

    /// The literal's value.
    pub fn from_decimal(decimal: &Decimal) -> Rational {
        Number::from_decimal(decimal).map_or(Rational::TooLarge, Rational::number)
    }

    fn to_poly(&self) -> Option<Poly> {
        match self {
            Rational::Number(n) => Some(Poly::constant(n.clone())),
            Rational::Term(p) => Some(p.as_ref().clone()),
            Rational::TooLarge => None,
        }
    }

    /// `-self`.
    #[must_use]
    pub fn neg(&self) -> Rational {
        match self {
            Rational::Number(n) => Rational::Number(n.neg()),
            Rational::Term(p) => Rational::Term(Arc::new(p.neg())),
            Rational::TooLarge => Rational::TooLarge,
        }
    }

    /// `self op other`; division by zero gives 0.
    #[must_use]
    #[inline]
    pub fn arith(self, op: Arith, other: Rational) -> Rational {
        match (self, other) {
            (Rational::Number(a), Rational::Number(b)) => Rational::number(match op {
                Arith::Add => a.add(&b),
                Arith::Sub => a.sub(&b),
                Arith::Mul => a.mul(&b),
                Arith::Div => a.mul(&b.inverse()),
            }),
            (a, b) => a.arith_of_terms(op, &b),
        }
    }

    fn arith_of_terms(self, op: Arith, other: &Rational) -> Rational {
        let (Some(a), Some(b)) = (self.into_poly(), other.to_poly()) else {
            return Rational::TooLarge;
        };
        Rational::term(match op {
            Arith::Add => a.plus(&b),
            Arith::Sub => a.plus(&b.neg()),
            Arith::Mul => a.times(&b),
            Arith::Div => b.inverse().and_then(|b| a.times(&b)),
        })
    }

    /// The polynomial, without a copy when no one else holds it: keeps a long sum linear.
    fn into_poly(self) -> Option<Poly> {
        match self {
            Rational::Number(n) => Some(Poly::constant(n)),
            Rational::Term(p) => Some(Arc::unwrap_or_clone(p)),
            Rational::TooLarge => None,
        }
    }

    /// `f(args)`: computed where the arguments decide it, left standing where they do not.
    pub fn call(func: Extern, args: &[Rational]) -> Rational {
        if args.contains(&Rational::TooLarge) {
            return Rational::TooLarge;
        }
        if let (Extern::Fma | Extern::FmaFtz, [a, b, c]) = (func, args) {
            return a.clone().arith(Arith::Mul, b.clone()).arith(Arith::Add, c.clone());
        }
        let known = if is_interpreted(func) { evaluate(func, args) } else { None };
        known.unwrap_or_else(|| Rational::applied(func, args))
    }

    fn applied(func: Extern, args: &[Rational]) -> Rational {
        let args: Option<Arc<[Poly]>> = args.iter().map(Rational::to_poly).collect();
        Rational::term(args.and_then(|args| Poly::atom(Atom::Apply(func, args))))
    }

    /// How this relates to another value, where that does not depend on any input.
    fn order(&self, other: &Rational) -> Option<Ordering> {
        match self.clone().arith(Arith::Sub, other.clone()) {
            Rational::Number(n) => Some(n.cmp(&Number::ZERO)),
            Rational::Term(_) | Rational::TooLarge => None,
        }
    }

    /// Whether this equals another value.
    pub fn compare(&self, other: &Rational) -> Comparison {
        match (self, other) {
            (Rational::TooLarge, _) | (_, Rational::TooLarge) => Comparison::Undecided,
            (a, b) if a == b => Comparison::Same,
            (Rational::Number(_), Rational::Number(_)) => Comparison::Different,
            (Rational::Term(a), Rational::Term(b)) => free_or_undecided(&[a, b]),
            (Rational::Term(a), Rational::Number(_)) | (Rational::Number(_), Rational::Term(a)) => {
                free_or_undecided(&[a])
            }
        }
    }
}

fn free_or_undecided(terms: &[&Arc<Poly>]) -> Comparison {
    if terms.iter().all(|p| p.is_free()) { Comparison::Different } else { Comparison::Undecided }
}

/// An extern with a definite meaning, where its arguments decide the outcome.
fn evaluate(func: Extern, args: &[Rational]) -> Option<Rational> {
    let zero = Rational::int(0);
    let pick = |less: bool, yes: &Rational, no: &Rational| Some(if less { yes.clone() } else { no.clone() });
    match (func, args) {
        (Extern::Relu, [x]) => pick(zero.order(x)?.is_lt(), x, &zero),
        (Extern::Fabsf, [x]) => pick(x.order(&zero)?.is_lt(), &x.neg(), x),
        (Extern::Fmaxf, [x, y]) => pick(x.order(y)?.is_lt(), y, x),
        (Extern::Fminf, [x, y]) => pick(x.order(y)?.is_lt(), x, y),
        (Extern::Select, [_, _, c, d]) if c == d => Some(c.clone()),
        (Extern::Select, [a, b, c, d]) => pick(a.order(b)?.is_lt(), c, d),
        (Extern::Clamp, [Rational::Number(n)]) => {
            let held = n.round_half_even().clamp(Number::int(-128), Number::int(127));
            Some(Rational::Number(held))
        }
        _ => None,
    }
}

impl DataDomain for RationalDomain {
    type Value = Rational;

    fn literal(decimal: &Decimal, _: DataType) -> Rational {
        Rational::from_decimal(decimal)
    }

    fn input(_: Name, _: &[i64], given: &Decimal, _: DataType) -> Rational {
        Rational::from_decimal(given)
    }

    fn cast(value: Rational, _: DataType) -> Datum<Rational> {
        Datum::Known(value)
    }

    fn neg(value: Rational) -> Rational {
        value.neg()
    }

    #[inline]
    fn arith(op: Arith, a: Rational, b: Rational) -> Datum<Rational> {
        Datum::Known(a.arith(op, b))
    }

    fn call(func: Extern, args: &[Rational]) -> Rational {
        Rational::call(func, args)
    }

    fn compare(a: &Rational, b: &Rational) -> Comparison {
        a.compare(b)
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rational::Number(n) => n.fmt(f),
            Rational::Term(p) => p.fmt(f),
            Rational::TooLarge => f.write_str("(too large)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn q(num: i64, den: i64) -> Rational {
        Rational::Number(Number::ratio(num, den))
    }

    /// [rule: data.division], [rule: data.rational].
    #[test]
    fn division_is_total() {
        assert_eq!(q(3, 1).arith(Arith::Div, q(0, 1)), q(0, 1));
        assert_eq!(q(3, 1).arith(Arith::Div, q(-2, 1)), q(-3, 2));
    }

    /// [rule: data.externs].
    #[test]
    fn definite_externs_are_computed_and_others_stand() {
        let call = |f, args: &[Rational]| Rational::call(f, args);
        assert_eq!(call(Extern::Relu, &[q(-1, 2)]), q(0, 1));
        assert_eq!(call(Extern::Fabsf, &[q(-1, 2)]), q(1, 2));
        assert_eq!(call(Extern::Fmaxf, &[q(1, 2), q(1, 3)]), q(1, 2));
        assert_eq!(call(Extern::Fminf, &[q(1, 2), q(1, 3)]), q(1, 3));
        assert_eq!(call(Extern::Select, &[q(1, 3), q(1, 2), q(7, 1), q(8, 1)]), q(7, 1));
        assert_eq!(call(Extern::Select, &[q(1, 2), q(1, 2), q(7, 1), q(8, 1)]), q(8, 1));
        assert_eq!(call(Extern::Clamp, &[q(1000, 1)]), q(127, 1));
        assert_eq!(call(Extern::Clamp, &[q(-5, 2)]), q(-2, 1));
        let s = call(Extern::Sin, &[q(1, 1)]);
        assert_eq!(s.to_string(), "sin(1)");
        assert_eq!(s.clone().arith(Arith::Sub, s.clone()), q(0, 1));
        assert_eq!(s.compare(&call(Extern::Sin, &[q(2, 1)])), Comparison::Different);
    }

    #[test]
    fn what_grows_without_bound_is_given_up_and_equals_nothing() {
        let mut x = q(3, 1);
        for _ in 0..64 {
            x = x.clone().arith(Arith::Mul, x);
        }
        assert_eq!(x, Rational::TooLarge);
        assert_eq!(x.compare(&x), Comparison::Undecided);
        let mut y = q(1, 1);
        for _ in 0..5_000 {
            y = Rational::call(Extern::Sin, &[y.clone()])
                .arith(Arith::Add, Rational::call(Extern::Cos, &[y]));
        }
        assert_eq!(y, Rational::TooLarge);
    }
}
