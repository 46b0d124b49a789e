//! Equalities between integers that are known to hold, and what follows from them.
//!
//! Gaussian elimination over the atoms of [`Linear`]. An equation with a coefficient ±1 defines that
//! atom, everywhere, inside of divisions too; the others are kept as rows and used at the end. An
//! equation in which the defined variable also occurs inside a division, such as `n % 8 == 0`, that is
//! `n - 8 * (n / 8) = 0`, gives the quotient a name `k` first: then `n = 8 * k`, and `(n + 8) / 8`
//! is `k + 1`. Incomplete on purpose: no inequality is used. Spec: [rule: type.facts].

use super::linear::{Atom, Linear};
use crate::sym::Sym;
use num_integer::Integer;

/// A solved set of equations.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Each atom equals the form, which mentions none of the atoms defined before it.
    defs: Vec<(Atom, Linear)>,
    /// Each form is 0.
    rows: Vec<Linear>,
}

impl Facts {
    /// The consequences of `e = 0` for each of these.
    pub fn solve<'a>(equations: impl IntoIterator<Item = &'a Linear>) -> Facts {
        let mut facts = Facts::default();
        for eq in equations {
            // Naming quotients can leave equations with quotients to name, for ever: hence the bound.
            // What is left then is merely not known.
            let mut pending = vec![eq.clone()];
            for _ in 0..8 {
                let Some(eq) = pending.pop() else { break };
                pending.extend(facts.learn(&eq));
            }
        }
        facts
    }

    /// Whether `a = b` follows.
    pub fn prove_equal(&self, a: &Linear, b: &Linear) -> bool {
        a == b || a.clone().minus(b).is_ok_and(|d| self.prove_zero(&d))
    }

    /// Whether `e = 0` follows.
    pub fn prove_zero(&self, e: &Linear) -> bool {
        let mut rows: Vec<Linear> = Vec::new();
        for row in &self.rows {
            rows.extend(self.reduced(row).and_then(|row| eliminated(&row, &rows)));
        }
        let rest = self.reduced(e).and_then(|e| eliminated(&e, &rows));
        rest.and_then(|e| e.as_constant()) == Some(0)
    }

    /// Takes in `eq = 0`; returns equations that are to be taken in next.
    fn learn(&mut self, eq: &Linear) -> Vec<Linear> {
        let Some(eq) = self.reduced(eq).map(|e| without_common_factor(&e)) else { return Vec::new() };
        let Some((x, sign)) = pivot(&eq) else {
            self.rows.push(eq);
            return Vec::new();
        };
        let names = named_quotients(&eq, &x);
        let name = |a: &Atom| names.iter().find(|(q, _)| q == a).map(|(_, k)| Linear::atom(k.clone()));
        let def = eq.substitute(&name).and_then(|e| Linear::atom(x.clone()).plus(-sign, &e));
        let Ok(def) = def else { return Vec::new() };
        self.defs.push((x, def));
        names.into_iter().filter_map(|(q, k)| Linear::atom(k).minus(&Linear::atom(q)).ok()).collect()
    }

    /// The form with every defined atom replaced; `None` on overflow.
    fn reduced(&self, e: &Linear) -> Option<Linear> {
        let mut e = e.clone();
        for (x, def) in &self.defs {
            if e.mentions(x) {
                e = e.substitute(&|a| (a == x).then(|| def.clone())).ok()?;
            }
        }
        Some(e)
    }
}

/// An atom with coefficient ±1 and that coefficient: best one that occurs nowhere else, best a variable.
fn pivot(eq: &Linear) -> Option<(Atom, i64)> {
    let rank = |a: &Atom| {
        let inside = eq.terms().any(|(b, _)| is_inside(a, b));
        (inside, matches!(a, Atom::Div(..)))
    };
    let unit = eq.terms().filter(|(_, k)| k.unsigned_abs() == 1);
    let (x, sign) = unit.min_by_key(|(a, _)| rank(a))?;
    Some((x.clone(), sign))
}

/// Whether `x` occurs in the dividend of `a`.
fn is_inside(x: &Atom, a: &Atom) -> bool {
    matches!(a, Atom::Div(l, _) if l.mentions(x))
}

/// The divisions of `eq` in which `x` occurs, each with a fresh name.
fn named_quotients(eq: &Linear, x: &Atom) -> Vec<(Atom, Atom)> {
    let quotients = eq.terms().filter(|(a, _)| is_inside(x, a));
    quotients.map(|(a, _)| (a.clone(), Atom::Var(Sym::fresh("k")))).collect()
}

/// `e` divided by the common factor of all its numbers: has the same zeros.
fn without_common_factor(e: &Linear) -> Linear {
    let g = e.terms().fold(e.offset(), |g, (_, k)| g.gcd(&k));
    if g > 1 { e.floor_div(g).unwrap_or_else(|_| e.clone()) } else { e.clone() }
}

/// `e` with the last atom of each row eliminated, in order; `None` on overflow.
fn eliminated(e: &Linear, rows: &[Linear]) -> Option<Linear> {
    let mut e = e.clone();
    for row in rows {
        let Some((x, r)) = row.terms().last() else { continue };
        let c = e.coefficient(x);
        if c != 0 {
            e = without_common_factor(&e.times(r).ok()?.plus(c.checked_neg()?, row).ok()?);
        }
    }
    Some(e)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::Expr;
    use crate::build::{add, div, mul, rem, sub, var};

    /// Whether `a = b` follows from the equalities.
    fn follows(known: &[(Expr, Expr)], a: Expr, b: Expr) -> bool {
        let of = |e: &Expr| Linear::of(e).expect("quasi-affine");
        let equations: Vec<Linear> = known.iter().map(|(l, r)| of(&sub(l.clone(), r.clone()))).collect();
        Facts::solve(&equations).prove_equal(&of(&a), &of(&b))
    }

    #[test]
    fn equal_variables_are_equal_inside_divisions() {
        let (n, m, l) = (Sym::fresh("n"), Sym::fresh("m"), Sym::fresh("l"));
        let known = [(var(n), var(m)), (add(m, 1), var(l))];
        assert!(follows(&known, div(add(n, 7), 8), div(add(l, 6), 8)));
        assert!(!follows(&known, var(n), var(l)));
        assert!(!follows(&[], var(n), var(m)));
    }

    #[test]
    fn a_divisible_size_is_its_tiles() {
        let n = Sym::fresh("n");
        let known = [(rem(n, 8), 0.into())];
        assert!(follows(&known, mul(8, div(n, 8)), var(n)));
        assert!(follows(&known, div(add(n, 8), 8), add(div(n, 8), 1)));
        assert!(follows(&known, div(n, 4), mul(2, div(n, 8))));
        assert!(!follows(&known, mul(16, div(n, 16)), var(n)));
    }

    #[test]
    fn a_known_remainder_is_not_a_divisible_size() {
        let n = Sym::fresh("n");
        let known = [(rem(n, 8), 3.into())];
        assert!(follows(&known, add(mul(8, div(n, 8)), 3), var(n)));
        assert!(!follows(&known, mul(8, div(n, 8)), var(n)));
    }

    #[test]
    fn equations_without_a_unit_coefficient_count() {
        let (a, b, c) = (Sym::fresh("a"), Sym::fresh("b"), Sym::fresh("c"));
        let known = [(mul(2, a), mul(3, b)), (mul(5, b), mul(7, c))];
        assert!(follows(&known, mul(10, a), mul(21, c)));
        assert!(!follows(&known, mul(10, a), mul(20, c)));
        assert!(follows(&[(mul(2, a), mul(2, b))], var(a), var(b)));
    }

    #[test]
    fn odd_equations_are_survived() {
        let (n, m) = (Sym::fresh("n"), Sym::fresh("m"));
        assert!(!follows(&[(div(n, 2), sub(n, 3))], var(n), var(m)));
        assert!(!follows(&[(0.into(), 1.into())], var(n), var(m)));
        assert!(!follows(&[(mul(i64::MAX, n), mul(i64::MAX - 1, m))], mul(i64::MAX - 2, n), var(m)));
    }
}
