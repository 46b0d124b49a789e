//! Arithmetic where sums are to be in order: it is done in sums of variables. Of a sum with a quotient, a remainder or a field in
//! it only zeros and ones go, and a division takes from its dividend what it divides as a whole. That is what Exo does; its
//! schedules look for what stays, such as the loop of `n / 8 * 8 % 8` iterations.

use super::sum::Sum;
use super::{Simplifier, divided, is, without_zero};
use num_integer::Integer;
use rewright_semantics::ast::{BinOp, Expr, ExprKind};
use rewright_semantics::build::{and, boolean, div, ge, int, lt, neg, rem};
use rewright_semantics::syntax::walk::each_child;

/// Whether it is a sum of multiples of variables.
pub(super) fn is_affine(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Read { .. } | ExprKind::Lit(_) => true,
        ExprKind::Neg(_) | ExprKind::Bin { op: BinOp::Add | BinOp::Sub | BinOp::Mul, .. } => {
            let mut affine = true;
            each_child(e, &mut |_, part| affine &= is_affine(part));
            affine
        }
        ExprKind::Window(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => false,
    }
}

/// A sum, difference or multiple that is not affine, without its zeros and ones. `m * (e / m) + e % m` is `e`.
pub(super) fn tidied(e: Expr) -> Expr {
    let ExprKind::Bin { op, lhs, rhs } = &e.kind else { return e };
    let (a, b) = (lhs.as_ref(), rhs.as_ref());
    let found = match op {
        BinOp::Add => whole(a, b).or_else(|| whole(b, a)),
        BinOp::Sub if is(a, 0) => Some(neg(b.clone())),
        BinOp::Sub => other_part(a, b),
        BinOp::Mul if is(a, 0) || is(b, 0) => Some(int(0)),
        BinOp::Mul if is(a, 1) => Some(b.clone()),
        BinOp::Mul if is(b, 1) => Some(a.clone()),
        BinOp::Mul
        | BinOp::Div
        | BinOp::Mod
        | BinOp::Eq
        | BinOp::Lt
        | BinOp::Le
        | BinOp::Gt
        | BinOp::Ge
        | BinOp::And
        | BinOp::Or => None,
    };
    found.unwrap_or_else(|| without_zero(e))
}

/// Of `m * (e / m)` and `e % m`: `e`.
fn whole(multiple: &Expr, rest: &Expr) -> Option<Expr> {
    let ExprKind::Bin { op: BinOp::Mul, lhs, rhs } = &multiple.kind else { return None };
    let (e, m) = divided(rest, BinOp::Mod)?;
    let quotient = div(e.clone(), m);
    let both = [(lhs, rhs), (rhs, lhs)];
    both.into_iter().any(|(a, b)| is(a, m) && **b == quotient).then(|| e.clone())
}

/// Of `a + b` and one of the two, the other.
fn other_part(sum: &Expr, one: &Expr) -> Option<Expr> {
    let ExprKind::Bin { op: BinOp::Add, lhs, rhs } = &sum.kind else { return None };
    let parts = [(lhs, rhs), (rhs, lhs)];
    parts.into_iter().find(|(a, _)| a.as_ref() == one).map(|(_, b)| b.as_ref().clone())
}

/// The largest factor of a divisor that is looked for.
const MOST_FACTOR: i64 = 1 << 10;

/// `e = m * q + rest`, where the rest has each summand that is no multiple of `m` as it is.
fn multiples(e: &Sum, m: i64) -> Option<(Sum, Sum)> {
    e.split(m, |k, m| if k % m == 0 { k / m } else { 0 })
}

/// `e / m`, where `e / a / b` is `e / (a * b)`.
fn quotient_of_quotients(e: Expr, m: i64) -> Expr {
    match divided(&e, BinOp::Div).and_then(|(inner, d)| Some((inner, d.checked_mul(m)?))) {
        Some((inner, both)) => quotient_of_quotients(inner.clone(), both),
        None => div(e, m),
    }
}

impl Simplifier<'_> {
    /// `e / m` or `e % m`.
    pub(super) fn division(&self, op: BinOp, e: Expr, m: i64) -> Expr {
        if m == 1 {
            return if op == BinOp::Mod { int(0) } else { e };
        }
        if op == BinOp::Mod {
            return if is_affine(&e) { self.affine_remainder(&e, m) } else { rem(e, m) };
        }
        if is_affine(&e) {
            return self.affine_quotient(&e, m).unwrap_or_else(|| div(e, m));
        }
        quotient_of_quotients(e, m)
    }

    /// `e / m`, by a factor of `m` where it is not known by all of it.
    fn affine_quotient(&self, e: &Expr, m: i64) -> Option<Expr> {
        let sum = Sum::of(e)?;
        if let Some(q) = self.taken(&sum, m) {
            return Some(q.expr());
        }
        let small = (2..=MOST_FACTOR).take_while(|d| d * d <= m);
        let factors = small.filter(|d| m % d == 0).flat_map(|d| [d, m / d]);
        let mut found = factors.filter_map(|d| Some((self.taken(&sum, d)?, m / d)));
        found.next().map(|(q, rest)| match q.as_constant() {
            Some(c) => int(Integer::div_floor(&c, &rest)),
            None => div(q.expr(), rest),
        })
    }

    /// The quotient of what `m` divides, where the rest is between 0 and `m`.
    fn taken(&self, e: &Sum, m: i64) -> Option<Sum> {
        let (mut q, rest) = multiples(e, m)?;
        if rest.terms.is_empty() {
            q.constant = Integer::div_floor(&e.constant, &m);
            return Some(q);
        }
        self.is_less(&rest.expr(), m).then_some(q)
    }

    /// `e % m`
    fn affine_remainder(&self, e: &Expr, m: i64) -> Expr {
        let Some((_, rest)) = Sum::of(e).and_then(|sum| multiples(&sum, m)) else { return rem(e.clone(), m) };
        if rest.terms.is_empty() {
            return int(Integer::mod_floor(&rest.constant, &m));
        }
        let rest = rest.expr();
        if self.is_less(&rest, m) { rest } else { rem(rest, m) }
    }

    /// Whether `0 <= e < m`, but not for the reason that the place is never reached: then all would be 0.
    fn is_less(&self, e: &Expr, m: i64) -> bool {
        self.holds(&and(ge(e.clone(), 0), lt(e.clone(), m))) && !self.holds(&boolean(false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rewright_semantics::build::{add, mul, sub};
    use rewright_semantics::sym::Sym;

    #[test]
    fn of_a_sum_with_a_quotient_only_zeros_and_ones_go() {
        let n = Sym::fresh("n");
        let (q, r) = (div(n, 4), rem(n, 4));
        assert!(is_affine(&sub(mul(4, add(n, 1)), n)) && !is_affine(&mul(4, q.clone())));
        assert_eq!(tidied(add(mul(4, q.clone()), r.clone())), Expr::from(n));
        assert_eq!(tidied(add(r.clone(), mul(q.clone(), 4))), Expr::from(n));
        assert_eq!(tidied(sub(add(q.clone(), r.clone()), q.clone())), r);
        assert_eq!(tidied(sub(0, q.clone())), neg(q.clone()));
        assert_eq!(tidied(mul(1, q.clone())), q);
        for stays in [mul(4, q.clone()), add(mul(2, q.clone()), r.clone()), sub(q.clone(), add(q.clone(), r))]
        {
            assert_eq!(tidied(stays.clone()), stays);
        }
    }
}
