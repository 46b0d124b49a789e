//! Sums of products with integer factors: the leaves of normal forms.

use crate::expr::Expr;
use crate::op::Op;
use std::cmp::Ordering;

/// `Σ kᵢ·aᵢ + c`, where atoms `a` are variables and what is not affine, in normal form themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sum {
    /// The atoms in their order, with their factors, none of them zero.
    terms: Vec<(Expr, i64)>,
    /// c
    pub constant: i64,
}

impl Sum {
    /// An integer.
    pub fn of_constant(c: i64) -> Sum {
        Sum { terms: Vec::new(), constant: c }
    }

    /// One atom.
    pub fn atom(e: Expr) -> Sum {
        Sum { terms: vec![(e, 1)], constant: 0 }
    }

    /// The atoms in their order, with their factors, none of them zero.
    pub fn terms(&self) -> &[(Expr, i64)] {
        &self.terms
    }

    /// The atoms in their order.
    pub fn atoms(&self) -> impl Iterator<Item = &Expr> {
        self.terms.iter().map(|(a, _)| a)
    }

    /// The factor of an atom; nothing when it does not occur.
    pub fn factor(&self, atom: &Expr) -> Option<i64> {
        let at = self.terms.binary_search_by(|(a, _)| a.cmp(atom)).ok()?;
        self.terms.get(at).map(|(_, k)| *k)
    }

    /// The sum without the terms of an atom.
    #[must_use]
    pub fn without(&self, atom: &Expr) -> Sum {
        let kept = self.terms.iter().filter(|(a, _)| a != atom).cloned().collect();
        Sum { terms: kept, constant: self.constant }
    }

    /// The terms for which `keep` holds, with their factors as `f` gives them; no constant.
    pub(super) fn select(
        &self,
        keep: impl Fn(&Expr, i64) -> bool,
        f: impl Fn(i64) -> i64,
        constant: i64,
    ) -> Sum {
        let kept = self.terms.iter().filter(|(a, k)| keep(a, *k)).map(|(a, k)| (a.clone(), f(*k)));
        Sum { terms: kept.collect(), constant }
    }

    /// The terms that both have, with the same factor, and the constant of this one.
    #[must_use]
    pub fn common(&self, other: &Sum) -> Sum {
        self.select(|a, k| other.factor(a) == Some(k), |k| k, self.constant)
    }

    /// Its value, if it has no atoms.
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// `a + b`; nothing when a factor does not fit.
    pub fn add(&self, other: &Sum) -> Option<Sum> {
        self.plus(1, other)
    }

    /// `a + k·b`; nothing when a factor does not fit.
    pub fn plus(&self, k: i64, other: &Sum) -> Option<Sum> {
        let constant = self.constant.checked_add(other.constant.checked_mul(k)?)?;
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let fits = merge(&self.terms, &other.terms, k, |atom, factor| {
            terms.push((atom.clone(), factor));
            true
        });
        fits.then_some(Sum { terms, constant })
    }

    /// Whether `a - b` is certainly not negative because no term of it is; `sign` says which atoms never are.
    pub(super) fn covers(&self, other: &Sum, never_negative: impl Fn(&Expr) -> bool) -> bool {
        let constant = self.constant.checked_sub(other.constant);
        constant.is_some_and(|c| c >= 0)
            && merge(&self.terms, &other.terms, -1, |atom, factor| factor > 0 && never_negative(atom))
    }

    /// `k·a`; nothing when a factor does not fit.
    pub fn scale(&self, k: i64) -> Option<Sum> {
        if k == 0 {
            return Some(Sum::default());
        }
        let terms = self.terms.iter().map(|(a, c)| Some((a.clone(), c.checked_mul(k)?)));
        Some(Sum { terms: terms.collect::<Option<_>>()?, constant: self.constant.checked_mul(k)? })
    }

    /// As an expression.
    pub fn to_expr(&self) -> Expr {
        let mut out: Option<Expr> = None;
        for positive in [true, false] {
            for (a, k) in self.terms.iter().filter(|(_, k)| (*k > 0) == positive) {
                let scaled = |k: i64| {
                    if k == 1 { a.clone() } else { Expr::binary(Op::Mul, Expr::int(k), a.clone()) }
                };
                out = Some(match (out, k.checked_neg()) {
                    (None, _) => scaled(*k),
                    (Some(e), Some(minus)) if minus > 0 => Expr::binary(Op::Sub, e, scaled(minus)),
                    (Some(e), _) => Expr::binary(Op::Add, e, scaled(*k)),
                });
            }
        }
        match (out, self.constant) {
            (None, c) => Expr::int(c),
            (Some(e), 0) => e,
            (Some(e), c) if c < 0 && c > i64::MIN => Expr::binary(Op::Sub, e, Expr::int(-c)),
            (Some(e), c) => Expr::binary(Op::Add, e, Expr::int(c)),
        }
    }
}

/// The terms of `a + k·b` in order; whether all factors fit and `f` was true of each.
fn merge(
    mut a: &[(Expr, i64)],
    mut b: &[(Expr, i64)],
    k: i64,
    mut f: impl FnMut(&Expr, i64) -> bool,
) -> bool {
    loop {
        let (atom, factor) = match (a, b) {
            ([], []) => return true,
            ([(x, l), rest @ ..], []) => {
                a = rest;
                (x, Some(*l))
            }
            ([], [(y, m), rest @ ..]) => {
                b = rest;
                (y, m.checked_mul(k))
            }
            ([(x, l), first @ ..], [(y, m), second @ ..]) => match x.cmp(y) {
                Ordering::Less => {
                    a = first;
                    (x, Some(*l))
                }
                Ordering::Greater => {
                    b = second;
                    (y, m.checked_mul(k))
                }
                Ordering::Equal => {
                    (a, b) = (first, second);
                    (x, m.checked_mul(k).and_then(|m| l.checked_add(m)))
                }
            },
        };
        match factor {
            Some(0) => {}
            Some(factor) if f(atom, factor) => {}
            Some(_) | None => return false,
        }
    }
}
