//! Ends of quotients and remainders. Spec: [rule: halide.not-larger].

use super::{Path, as_sum};
use crate::bounds::normal::{Normal, Sum, factors};
use crate::expr::Expr;
use crate::op::Op;

impl Path<'_> {
    pub(super) fn quotient(&self, a: &Expr, b: &Expr, up: bool, from: usize) -> Option<Normal> {
        if let Some(k) = self.terms.simplify(b).as_i64() {
            let end = self.of(a, up == (k > 0), from)?;
            return Some(self.terms.normalize(&Expr::binary(Op::Div, end.to_expr(), Expr::int(k))));
        }
        let same_divisor = self.of(b, true, from)? == self.terms.normalize(b);
        if same_divisor
            && self.positive(&self.terms.normalize(b))
            && let Some(q) = self.exact(&self.of(a, up, from)?, &self.terms.normalize(b), up)
        {
            return Some(q);
        }
        if same_divisor && self.known(&self.terms.normalize(b)) {
            // Quotients by what is not negative grow with what is divided.
            let end = self.of(a, up, from)?.to_expr();
            return Some(self.terms.normalize(&Expr::binary(Op::Div, end, b.clone())));
        }
        // |a div b| <= |a|
        let (lo, hi) = (self.of(a, false, from)?, self.of(a, true, from)?);
        let most = self.terms.maximum(vec![self.terms.scale(&lo, -1), hi]);
        Some(if up { most } else { self.terms.scale(&most, -1) })
    }

    pub(super) fn remainder(&self, a: &Expr, b: &Expr, up: bool, from: usize) -> Option<Normal> {
        if let Some(k) = self.terms.simplify(b).as_i64() {
            return Some(self.constant_remainder(a, k, up, from));
        }
        if !up {
            return Some(Normal::constant(0));
        }
        let most = self.of(b, true, from)?;
        let one_less = Normal::constant(-1);
        if self.positive(&self.terms.normalize(b)) {
            return Some(self.terms.add(&most, &one_less));
        }
        let least = self.terms.scale(&self.of(b, false, from)?, -1);
        let ends = [most, least].map(|n| self.terms.add(&n, &one_less));
        Some(self.terms.maximum(ends.into_iter().chain([Normal::constant(0)]).collect()))
    }

    /// `0..|k|`, or less when the whole range of `a` has one quotient.
    fn constant_remainder(&self, a: &Expr, k: i64, up: bool, from: usize) -> Normal {
        let ends = (self.of(a, false, from), self.of(a, true, from));
        if let (Some(lo), Some(hi)) = ends {
            let over = |n: &Normal, op| self.terms.simplify(&Expr::binary(op, n.to_expr(), Expr::int(k)));
            if over(&lo, Op::Div) == over(&hi, Op::Div) {
                return self.terms.normalize(&over(if up { &hi } else { &lo }, Op::Mod));
            }
        }
        if up { Normal::constant(k.saturating_abs().saturating_sub(1).max(0)) } else { Normal::constant(0) }
    }

    /// [`Path::exact_quotient`] part by part.
    pub(super) fn exact(&self, n: &Normal, b: &Normal, up: bool) -> Option<Normal> {
        let (parts, least) = match n {
            Normal::Sum(s) => return self.exact_quotient(s, b, up),
            Normal::Min(parts) => (parts, true),
            Normal::Max(parts) => (parts, false),
        };
        let found: Vec<Normal> = parts.iter().filter_map(|p| self.exact(p, b, up)).collect();
        // Any part bounds a minimum from above, a maximum from below.
        if found.len() < parts.len() && least != up {
            return None;
        }
        if found.is_empty() {
            return None;
        }
        Some(if least { self.terms.minimum(found) } else { self.terms.maximum(found) })
    }

    /// An end of `(b·q + c) div b`, for a constant `c` and `b >= 1`.
    fn exact_quotient(&self, end: &Sum, b: &Normal, up: bool) -> Option<Normal> {
        let (quotient, c) = self.divided(end, b)?;
        let part = match (c, up) {
            (0, _) | (1.., false) => Normal::constant(0),
            (-1, _) | (..-1, true) => Normal::constant(-1),
            (..-1, false) | (1.., true) => {
                self.terms.normalize(&Expr::binary(Op::Div, Expr::int(c), b.to_expr()))
            }
        };
        Some(self.terms.add(&quotient, &part))
    }

    /// `q` and `c` where `n = b·q + c` for a constant `c`.
    pub(super) fn divided(&self, n: &Sum, b: &Normal) -> Option<(Normal, i64)> {
        let Normal::Sum(divisor) = b else { return None };
        let leading = divisor.terms().iter().find(|(_, k)| *k == 1).map(|(a, _)| a.clone())?;
        let (mut rest, mut quotient) = (Normal::Sum(n.clone()), Normal::constant(0));
        for _ in 0..8 {
            let Normal::Sum(s) = &rest else { return None };
            let found = s.terms().iter().find_map(|(a, k)| without_factor(a, &leading).map(|q| (q, *k)));
            let Some((q, k)) = found else { break };
            let q = self.terms.normalize(&Expr::binary(Op::Mul, Expr::int(k), q));
            let taken = self.terms.normalize(&Expr::binary(Op::Mul, q.to_expr(), b.to_expr()));
            rest = self.terms.add(&rest, &self.terms.scale(&taken, -1));
            quotient = self.terms.add(&quotient, &q);
        }
        let c = as_sum(&rest)?.as_constant()?;
        Some((quotient, c))
    }
}

fn without_factor(product: &Expr, factor: &Expr) -> Option<Expr> {
    let mut all = factors(product);
    let i = all.iter().position(|f| f == factor)?;
    all.remove(i);
    Some(all.into_iter().reduce(|a, b| Expr::binary(Op::Mul, a, b)).unwrap_or(Expr::int(1)))
}
