//! The domain Symbolic: polynomials in the inputs. Spec: [rule: data.symbolic].
//!
//! One run stands for all data at the given sizes: control never depends on data, so every data takes
//! the same path. Values are those of the rational domain with variables in them.

use crate::ast::Decimal;
use crate::data::number::Number;
use crate::data::poly::{Atom, Poly, Var};
use crate::data::rational::Rational;
use crate::data::{Arith, Comparison, DataDomain, Datum};
use crate::externs::Extern;
use crate::sym::Name;
use crate::types::DataType;

/// The domain.
#[derive(Clone, Copy, Debug)]
pub struct SymbolicDomain;

impl Rational {
    /// The value when each variable stands for what `at` says.
    pub fn evaluate(&self, at: &impl Fn(&Var) -> Rational) -> Rational {
        match self {
            Rational::Number(_) | Rational::TooLarge => self.clone(),
            Rational::Term(p) => evaluate_poly(p, at),
        }
    }
}

fn evaluate_poly(p: &Poly, at: &impl Fn(&Var) -> Rational) -> Rational {
    let mut sum = Rational::int(0);
    for (atoms, coefficient) in p.terms() {
        let mut product = Rational::Number(coefficient.clone());
        for (atom, power) in atoms {
            let value = evaluate_atom(atom, at);
            product = product.arith(Arith::Mul, raise(value, *power));
        }
        sum = sum.arith(Arith::Add, product);
    }
    sum
}

fn evaluate_atom(atom: &Atom, at: &impl Fn(&Var) -> Rational) -> Rational {
    match atom {
        Atom::Var(var) => at(var),
        Atom::Inverse(p) => Rational::int(1).arith(Arith::Div, evaluate_poly(p, at)),
        Atom::Apply(func, args) => {
            let args: Vec<Rational> = args.iter().map(|p| evaluate_poly(p, at)).collect();
            Rational::call(*func, &args)
        }
    }
}

/// `value^power`, by squaring.
fn raise(value: Rational, power: u32) -> Rational {
    let (mut base, mut left, mut result) = (value, power, Rational::int(1));
    while left > 0 {
        if left % 2 == 1 {
            result = result.arith(Arith::Mul, base.clone());
        }
        left /= 2;
        if left > 0 {
            base = base.clone().arith(Arith::Mul, base);
        }
    }
    result
}

/// Points tried before two different normal forms are called undecided.
const POINTS: u64 = 16;

/// A small rational that depends on the variable and the point only.
fn sample(var: &Var, point: u64) -> Rational {
    let mut hash = point.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x2545_f491_4f6c_dd1d);
    let mut stir = |byte: u64| {
        hash = (hash ^ byte).wrapping_mul(0x0100_0000_01b3);
        hash ^= hash >> 29;
    };
    var.name.as_str().bytes().for_each(|b| stir(u64::from(b)));
    var.index.iter().for_each(|i| stir(i.cast_unsigned()));
    stir(0);
    let num = i64::try_from(hash % 23).map_or(0, |n| n - 11);
    let den = i64::try_from((hash >> 8) % 3).map_or(1, |n| n + 1);
    Rational::Number(Number::ratio(num, den))
}

impl DataDomain for SymbolicDomain {
    type Value = Rational;

    fn literal(decimal: &Decimal, _: DataType) -> Rational {
        Rational::from_decimal(decimal)
    }

    fn input(name: Name, index: &[i64], _: &Decimal, _: DataType) -> Rational {
        Rational::term(Some(Poly::var(name, index)))
    }

    fn cast(value: Rational, _: DataType) -> Datum<Rational> {
        Datum::Known(value)
    }

    fn neg(value: Rational) -> Rational {
        value.neg()
    }

    fn arith(op: Arith, a: Rational, b: Rational) -> Datum<Rational> {
        Datum::Known(a.arith(op, b))
    }

    fn call(func: Extern, args: &[Rational]) -> Rational {
        Rational::call(func, args)
    }

    /// Equal normal forms are the same; free ones are otherwise different; for the rest, a point where
    /// the values differ decides, and without one nothing does.
    fn compare(a: &Rational, b: &Rational) -> Comparison {
        let first = a.compare(b);
        if first != Comparison::Undecided {
            return first;
        }
        let differs = |point| {
            let at = |var: &Var| sample(var, point);
            a.evaluate(&at).compare(&b.evaluate(&at)) == Comparison::Different
        };
        if (0..POINTS).any(differs) { Comparison::Different } else { Comparison::Undecided }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A small expression over two variables, run in any domain.
    #[derive(Clone, Debug)]
    enum Term {
        Var(bool),
        Lit(i64),
        Neg(Box<Term>),
        Arith(Arith, Box<Term>, Box<Term>),
        Call(Extern, Vec<Term>),
    }

    fn terms() -> impl Strategy<Value = Term> {
        let leaf = prop_oneof![any::<bool>().prop_map(Term::Var), (-3i64..4).prop_map(Term::Lit)];
        leaf.prop_recursive(5, 24, 4, |inner| {
            let op = prop_oneof![Just(Arith::Add), Just(Arith::Sub), Just(Arith::Mul), Just(Arith::Div)];
            let func = (0..Extern::ALL.len()).prop_map(|k| Extern::ALL[k]);
            prop_oneof![
                inner.clone().prop_map(|t| Term::Neg(Box::new(t))),
                (op, inner.clone(), inner.clone()).prop_map(|(op, a, b)| Term::Arith(
                    op,
                    Box::new(a),
                    Box::new(b)
                )),
                (func, prop::collection::vec(inner, 4)).prop_map(|(f, mut args)| {
                    args.truncate(f.arity());
                    Term::Call(f, args)
                }),
            ]
        })
    }

    fn run(t: &Term, vars: &[Rational; 2]) -> Rational {
        match t {
            Term::Var(first) => vars[usize::from(!first)].clone(),
            Term::Lit(n) => Rational::int(*n),
            Term::Neg(t) => run(t, vars).neg(),
            Term::Arith(op, a, b) => run(a, vars).arith(*op, run(b, vars)),
            Term::Call(f, args) => Rational::call(*f, &args.iter().map(|t| run(t, vars)).collect::<Vec<_>>()),
        }
    }

    fn variables() -> [Rational; 2] {
        ["x", "y"].map(|n| Rational::term(Some(Poly::var(Name::new(n), &[]))))
    }

    proptest! {
        #[test]
        fn evaluating_commutes_with_computing(t in terms(), x in -4i64..5, y in -4i64..5) {
            let symbolic = run(&t, &variables());
            let at = |v: &Var| Rational::int(if v.name.as_str() == "x" { x } else { y });
            let numeric = run(&t, &[Rational::int(x), Rational::int(y)]);
            if symbolic != Rational::TooLarge {
                prop_assert_eq!(symbolic.evaluate(&at), numeric);
            }
        }

        #[test]
        fn ring_laws_hold(a in terms(), b in terms(), c in terms()) {
            let [a, b, c] = [a, b, c].map(|t| run(&t, &variables()));
            let op = |op, a: &Rational, b: &Rational| a.clone().arith(op, b.clone());
            prop_assert_eq!(op(Arith::Add, &a, &b), op(Arith::Add, &b, &a));
            prop_assert_eq!(op(Arith::Mul, &a, &b), op(Arith::Mul, &b, &a));
            let left = op(Arith::Mul, &a, &op(Arith::Add, &b, &c));
            let right = op(Arith::Add, &op(Arith::Mul, &a, &b), &op(Arith::Mul, &a, &c));
            if left != Rational::TooLarge && right != Rational::TooLarge {
                prop_assert_eq!(left, right);
            }
            prop_assert_eq!(op(Arith::Sub, &a, &b), op(Arith::Add, &a, &b.neg()));
        }
    }

    #[test]
    fn different_normal_forms_of_one_function_are_never_called_different() {
        let [x, _] = variables();
        let again = x.clone().arith(Arith::Mul, x.clone()).arith(Arith::Div, x.clone());
        assert_eq!(SymbolicDomain::compare(&x, &again), Comparison::Undecided);
        let other = again.arith(Arith::Add, Rational::int(1));
        assert_eq!(SymbolicDomain::compare(&x, &other), Comparison::Different);
    }

    #[test]
    fn the_larger_of_two_prints_readably() {
        let [x, y] = variables();
        let m = Rational::call(Extern::Fmaxf, &[x.clone(), y.neg()]);
        let twice = m.clone().arith(Arith::Add, m).arith(Arith::Sub, Rational::int(1));
        assert_eq!(twice.to_string(), "2*fmaxf(x, -y) - 1");
    }
}
