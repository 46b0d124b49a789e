//! Control expressions.

use super::affine::{is_affine, tidied};
use super::sum::Sum;
use super::{Simplifier, divided, shorter, without_zero};
use num_integer::Integer;
use rewright_effects::conditions;
use rewright_effects::effexpr::Sort;
use rewright_semantics::ast::{BinOp, Expr, ExprKind, Literal, OpClass};
use rewright_semantics::build::{and, bin, boolean, div, eq, ge, int, lt, not, or, rem};
use rewright_semantics::syntax::walk::map_children;
use std::sync::Arc;

impl Simplifier<'_> {
    /// A control expression of either sort.
    pub(super) fn control(&self, e: &Expr) -> Expr {
        match self.sort(e) {
            Sort::Int => self.int(e),
            Sort::Bool => self.truth(e),
        }
    }

    fn sort(&self, e: &Expr) -> Sort {
        match &e.kind {
            ExprKind::Neg(_) | ExprKind::Stride { .. } | ExprKind::Lit(Literal::Int(_)) => Sort::Int,
            ExprKind::Not(_) | ExprKind::Lit(Literal::Bool(_)) => Sort::Bool,
            ExprKind::Bin { op, .. } => match op.class() {
                OpClass::Arithmetic => Sort::Int,
                OpClass::Comparison | OpClass::Logical => Sort::Bool,
            },
            ExprKind::Read { .. }
            | ExprKind::Window(_)
            | ExprKind::Lit(Literal::Data(_))
            | ExprKind::Extern { .. }
            | ExprKind::ReadConfig { .. } => self.ctx.lift(e).sort(),
        }
    }

    /// Whether a truth value holds by what may be used to simplify.
    pub(super) fn holds(&self, e: &Expr) -> bool {
        (self.decide)(&conditions::holds_unsaid(self.ordered.as_ref().unwrap_or(self.ctx), e))
    }

    /// An integer.
    fn int(&self, e: &Expr) -> Expr {
        if let Some(known) = self.constant(e) {
            return int(known);
        }
        let by_terms = match &e.kind {
            ExprKind::Lit(_) => return e.clone(),
            ExprKind::Neg(_) | ExprKind::Bin { op: BinOp::Add | BinOp::Sub | BinOp::Mul, .. } => {
                let parts = map_children(e, &mut |_, part| self.int(part));
                if self.ordered.is_some() && !is_affine(&parts) {
                    tidied(parts)
                } else {
                    let parts = without_zero(parts);
                    self.sum(&parts).map_or(parts.clone(), |sum| shorter(parts, sum))
                }
            }
            ExprKind::Bin { op: op @ (BinOp::Div | BinOp::Mod), lhs, rhs: _ } => {
                let Some((_, m)) = divided(e, *op) else { return e.clone() };
                let dividend = self.int(lhs);
                if self.ordered.is_some() {
                    let said = self.whole_remainder(*op, &dividend, m);
                    said.unwrap_or_else(|| self.division(*op, dividend, m))
                } else {
                    let plain = bin(*op, dividend.clone(), m);
                    let found = if *op == BinOp::Div {
                        self.quotient(&dividend, m)
                    } else {
                        self.remainder(&dividend, m)
                    };
                    found.map_or(plain.clone(), |found| shorter(plain, found))
                }
            }
            ExprKind::Read { .. }
            | ExprKind::Window(_)
            | ExprKind::Not(_)
            | ExprKind::Bin { .. }
            | ExprKind::Extern { .. }
            | ExprKind::Stride { .. }
            | ExprKind::ReadConfig { .. } => e.clone(),
        };
        self.constant(&by_terms).map_or(by_terms, int)
    }

    /// The value of an expression that is the same in every state at the place.
    fn constant(&self, e: &Expr) -> Option<i64> {
        if let ExprKind::Lit(_) = e.kind {
            return None;
        }
        if self.ordered.is_none()
            && let Some(c) = self.ctx.lift(e).as_int()
        {
            return Some(c);
        }
        let guessed = self.known.iter().filter(|(known, _)| known == e).map(|(_, c)| *c);
        guessed.into_iter().find(|c| self.holds_here(&eq(e.clone(), *c)))
    }

    /// Of `e % m`, `e` where a guard says that `e / m` is 0.
    fn whole_remainder(&self, op: BinOp, e: &Expr, m: i64) -> Option<Expr> {
        let quotient = div(e.clone(), m);
        let is_said = op == BinOp::Mod && self.known.iter().any(|(known, c)| *c == 0 && *known == quotient);
        (is_said && self.holds_here(&eq(rem(e.clone(), m), e.clone()))).then(|| e.clone())
    }

    /// Whether a truth value holds, guards and all.
    fn holds_here(&self, e: &Expr) -> bool {
        (self.decide)(&conditions::holds_unsaid(self.ctx, e))
    }

    /// The terms of a sum brought together; `q` and `r` of `m * (e / m) + e % m` become `e`.
    fn sum(&self, e: &Expr) -> Option<Expr> {
        let mut sum = Sum::of(e)?;
        while let Some((gone, k, whole)) = self.rejoined(&sum) {
            sum.terms = sum
                .terms
                .into_iter()
                .enumerate()
                .filter(|(n, _)| !gone.contains(n))
                .map(|(_, t)| t)
                .collect();
            sum.add(k, &whole)?;
        }
        Some(sum.expr())
    }

    /// Terms `k * m * (e / m)` and `k * (e % m)` that are `k * e`; the first alone, when `m` divides `e`.
    fn rejoined(&self, sum: &Sum) -> Option<(Vec<usize>, i64, Expr)> {
        for (n, (k, term)) in sum.terms.iter().enumerate() {
            let Some((whole, m)) = divided(term, BinOp::Div) else { continue };
            if k % m != 0 {
                continue;
            }
            let rest = sum.terms.iter().position(|(j, other)| {
                *j == k / m && divided(other, BinOp::Mod).is_some_and(|(e, d)| e == whole && d == m)
            });
            if let Some(rest) = rest {
                return Some((vec![n, rest], k / m, whole.clone()));
            }
            if self.holds(&eq(rem(whole.clone(), m), 0)) {
                return Some((vec![n], k / m, whole.clone()));
            }
        }
        None
    }

    /// `e = m * q + r` with `0 <= r < m`.
    fn divided(&self, e: &Sum, m: i64) -> Option<(Sum, Sum)> {
        let floor = |k: i64, m: i64| Integer::div_floor(&k, &m);
        let (down, near) = (e.split(m, floor), e.split(m, |k, m| k / m));
        let near = if near == down { None } else { near };
        for (q, r) in [down, near].into_iter().flatten() {
            // The constant may belong to the quotient or to the rest.
            for by in [0, 1, -1] {
                let (mut q, mut r) = (q.clone(), r.clone());
                q.constant = q.constant.checked_add(by)?;
                r.constant = r.constant.checked_sub(by.checked_mul(m)?)?;
                if r.as_constant().is_some_and(|c| (0..m).contains(&c)) {
                    return Some((q, r));
                }
                if r.as_constant().is_none() {
                    let rest = r.expr();
                    if self.holds(&and(ge(rest.clone(), 0), lt(rest, m))) {
                        return Some((q, r));
                    }
                }
            }
        }
        None
    }

    /// `e / m`
    fn quotient(&self, e: &Expr, m: i64) -> Option<Expr> {
        let sum = Sum::of(e)?;
        if let Some((q, _)) = self.divided(&sum, m) {
            return Some(q.expr());
        }
        if let Some(whole) = self.without_fraction(&sum, m) {
            let whole = whole.expr();
            return self.quotient(&whole, m).or(Some(div(whole, m)));
        }
        // A common factor leaves: (g * a + c) / (g * d) = (a + c / g) / d.
        let g = sum.terms.iter().fold(m, |g, (k, _)| g.gcd(k));
        if g > 1 {
            let (reduced, _) = sum.split(g, |k, m| Integer::div_floor(&k, &m))?;
            return self.quotient(&reduced.expr(), m / g).or(Some(div(reduced.expr(), m / g)));
        }
        if let Some((inner, d)) = divided(e, BinOp::Div) {
            return Some(div(inner.clone(), d.checked_mul(m)?));
        }
        // What is a multiple leaves: (m * a + b) / m = a + b / m.
        let (q, rest) = sum.split(m, |k, m| Integer::div_floor(&k, &m))?;
        let mut out = q;
        out.add(1, &div(rest.expr(), m))?;
        Some(shorter(div(e.clone(), m), out.expr()))
    }

    /// Of `(c * a + b) / m` with `0 <= b < c`, where `c` divides `m`, the quotient of `c * a` is the same.
    fn without_fraction(&self, sum: &Sum, m: i64) -> Option<Sum> {
        let factors = sum.terms.iter().filter_map(|(k, _)| k.checked_abs());
        for c in factors.filter(|c| (2..m).contains(c) && m % c == 0) {
            let (q, rest) = sum.split(c, |k, m| Integer::div_floor(&k, &m))?;
            let b = rest.expr();
            if !rest.terms.is_empty() && self.holds(&and(ge(b.clone(), 0), lt(b, c))) {
                let mut whole = Sum::default();
                whole.add_sum(c, &q)?;
                return Some(whole);
            }
        }
        None
    }

    /// `e % m`
    fn remainder(&self, e: &Expr, m: i64) -> Option<Expr> {
        let sum = Sum::of(e)?;
        if let Some((_, r)) = self.divided(&sum, m) {
            return Some(r.expr());
        }
        if self.holds(&eq(rem(e.clone(), m), 0)) {
            return Some(int(0));
        }
        if let Some((inner, d)) = divided(e, BinOp::Mod)
            && d % m == 0
        {
            return Some(rem(inner.clone(), m));
        }
        let (_, floor) = sum.split(m, |k, m| Integer::div_floor(&k, &m))?;
        let (_, near) = sum.split(m, |k, m| k / m)?;
        Some(shorter(rem(near.expr(), m), rem(floor.expr(), m)))
    }

    /// A truth value.
    fn truth(&self, e: &Expr) -> Expr {
        if let ExprKind::Lit(_) = e.kind {
            return e.clone();
        }
        if self.ordered.is_some() {
            return self.folded(e);
        }
        if self.holds(e) {
            return boolean(true);
        }
        if self.holds(&not(e.clone())) {
            return boolean(false);
        }
        match &e.kind {
            ExprKind::Not(a) => self.negation(&self.truth(a)),
            ExprKind::Bin { op: op @ (BinOp::And | BinOp::Or), lhs, rhs } => self.junction(*op, lhs, rhs),
            ExprKind::Bin { op, lhs, rhs } if op.class() == OpClass::Comparison => {
                let (a, b) = (self.control(lhs), self.control(rhs));
                let plain = bin(*op, a.clone(), b.clone());
                match self.sort(lhs) {
                    Sort::Int => cancelled(*op, &a, &b).map_or(plain.clone(), |c| shorter(plain, c)),
                    Sort::Bool => plain,
                }
            }
            ExprKind::Bin { .. }
            | ExprKind::Read { .. }
            | ExprKind::Window(_)
            | ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Extern { .. }
            | ExprKind::Stride { .. }
            | ExprKind::ReadConfig { .. } => e.clone(),
        }
    }

    /// A truth value that is a literal only where literals are compared, and where a literal decides it.
    fn folded(&self, e: &Expr) -> Expr {
        let ExprKind::Bin { op, lhs, rhs } = &e.kind else {
            let ExprKind::Not(a) = &e.kind else { return e.clone() };
            return self.negation(&self.truth(a));
        };
        let (a, b) = (self.control(lhs), self.control(rhs));
        match (op, &a.kind, &b.kind) {
            (BinOp::And, ExprKind::Lit(Literal::Bool(true)), _)
            | (BinOp::Or, ExprKind::Lit(Literal::Bool(false)), _)
            | (BinOp::And, _, ExprKind::Lit(Literal::Bool(false)))
            | (BinOp::Or, _, ExprKind::Lit(Literal::Bool(true))) => b,
            (BinOp::And, _, ExprKind::Lit(Literal::Bool(true)))
            | (BinOp::Or, _, ExprKind::Lit(Literal::Bool(false)))
            | (BinOp::And, ExprKind::Lit(Literal::Bool(false)), _)
            | (BinOp::Or, ExprKind::Lit(Literal::Bool(true)), _) => a,
            (_, ExprKind::Lit(Literal::Int(x)), ExprKind::Lit(Literal::Int(y))) => {
                compared(*op, *x, *y).map_or_else(|| bin(*op, a.clone(), b.clone()), boolean)
            }
            _ => bin(*op, a, b),
        }
    }

    fn negation(&self, a: &Expr) -> Expr {
        let opposite = |op: BinOp| match op {
            BinOp::Lt => Some(BinOp::Ge),
            BinOp::Le => Some(BinOp::Gt),
            BinOp::Gt => Some(BinOp::Le),
            BinOp::Ge => Some(BinOp::Lt),
            BinOp::Add
            | BinOp::Sub
            | BinOp::Mul
            | BinOp::Div
            | BinOp::Mod
            | BinOp::Eq
            | BinOp::And
            | BinOp::Or => None,
        };
        match &a.kind {
            ExprKind::Lit(Literal::Bool(b)) => boolean(!b),
            ExprKind::Not(inner) => inner.as_ref().clone(),
            ExprKind::Bin { op, lhs, rhs } => match opposite(*op) {
                Some(op) => Expr::new(ExprKind::Bin { op, lhs: Arc::clone(lhs), rhs: Arc::clone(rhs) }),
                None => not(a.clone()),
            },
            ExprKind::Read { .. }
            | ExprKind::Window(_)
            | ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Extern { .. }
            | ExprKind::Stride { .. }
            | ExprKind::ReadConfig { .. } => not(a.clone()),
        }
    }

    /// `a and b`, `a or b`: one of them, where it makes the other superfluous.
    fn junction(&self, op: BinOp, lhs: &Expr, rhs: &Expr) -> Expr {
        let (a, b) = (self.truth(lhs), self.truth(rhs));
        let implies = |a: &Expr, b: &Expr| self.holds(&or(not(a.clone()), b.clone()));
        let (left_is_stronger, right_is_stronger) = (implies(&a, &b), implies(&b, &a));
        // Of `and` the stronger one is left, of `or` the weaker one.
        let conjunction = op == BinOp::And;
        if (conjunction && left_is_stronger) || (!conjunction && right_is_stronger) {
            a
        } else if left_is_stronger || right_is_stronger {
            b
        } else {
            bin(op, a, b)
        }
    }
}

/// What a comparison of numbers says.
fn compared(op: BinOp, x: i64, y: i64) -> Option<bool> {
    match op {
        BinOp::Eq => Some(x == y),
        BinOp::Lt => Some(x < y),
        BinOp::Le => Some(x <= y),
        BinOp::Gt => Some(x > y),
        BinOp::Ge => Some(x >= y),
        BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Mod | BinOp::And | BinOp::Or => None,
    }
}

/// A comparison of sums without what stands on both sides.
fn cancelled(op: BinOp, a: &Expr, b: &Expr) -> Option<Expr> {
    let difference = Sum::of(a)?.minus(&Sum::of(b)?)?;
    let (mut left, mut right) = (Sum::default(), Sum::default());
    for (k, e) in difference.terms {
        if k > 0 {
            left.add_sum(k, &Sum::of(&e)?)?
        } else {
            right.add_sum(k.checked_neg()?, &Sum::of(&e)?)?
        }
    }
    if difference.constant > 0 {
        left.constant = difference.constant;
    } else {
        right.constant = difference.constant.checked_neg()?;
    }
    Some(bin(op, left.expr(), right.expr()))
}
