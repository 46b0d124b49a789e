//! What conditions on the way to a demand say of its ends.

use super::monotone::Monotonicity;
use super::{Path, Step, as_sum, contains, has_access};
use crate::bounds::normal::{Normal, Sum};
use crate::expr::{Expr, Var};
use crate::op::Op;

impl Path<'_> {
    /// An end in terms of what is in scope, tightened by conditions that are in scope as well: where `k >= 0` is
    /// known, `min(e, e + k)` is `e`, and the variables that `k` cancels are gone from it.
    pub(crate) fn clamped(&self, e: &Expr, up: bool) -> Expr {
        let mut ends = vec![self.terms.normalize(e)];
        let Normal::Sum(end) = self.terms.normalize(e) else { return e.clone() };
        for fact in self.facts.iter().filter_map(|(_, f)| as_sum(f)) {
            let in_scope = |v: &Var| !self.binds_inside(*v);
            if !fact.to_expr().vars().iter().all(in_scope) || has_access(&fact.to_expr()) {
                continue;
            }
            for (atom, k) in end.terms().iter().filter(|(a, _)| matches!(a, Expr::Var(Var::Loop(..)))) {
                let Some(l) = fact.factor(atom) else { continue };
                let times = if up { -(k / l) } else { k / l };
                if k % l == 0 && times > 0 {
                    let times = if up { times } else { -times };
                    let scaled = self.terms.scale(&Normal::Sum(fact.clone()), times);
                    ends.push(self.terms.add(&self.terms.normalize(e), &scaled));
                }
            }
        }
        (if up { self.terms.minimum(ends) } else { self.terms.maximum(ends) }).to_expr()
    }

    /// What `n` is at most (`up`) or at least by conditions on the variable of a let, where `n` is monotone in it. The
    /// loops that its value is made of may end apart from each other, as after a swap or a fusion; then nothing else
    /// knows where the variable ends. [rule: halide.not-larger] And whether one says where a shifted variable begins.
    pub(super) fn told(&self, n: &Normal, at: usize, v: Var, up: bool) -> (Vec<Normal>, bool) {
        if !n.mentions(v) {
            return (Vec::new(), false);
        }
        let last = match self.grows(n, v) {
            Monotonicity::Increasing => up,
            Monotonicity::Decreasing => !up,
            Monotonicity::Constant | Monotonicity::Unknown => return (Vec::new(), false),
        };
        let inside = self.facts.iter().map(|(i, _)| *i).filter(|i| *i > at);
        let begins = |i: &usize| matches!(self.steps.get(*i).map(AsRef::as_ref), Some(Step::Begins(n, _)) if n.mentions(v));
        let begins = !last && inside.clone().any(|i| begins(&i));
        let facts: Vec<(usize, Normal)> = inside
            .filter_map(|i| match self.steps.get(i)?.as_ref() {
                Step::Fact(fact) | Step::Begins(fact, _) => Some((i, self.with_values(fact, at + 1..i))),
                Step::Let(..) | Step::Loop(..) | Step::Regions(_) => None,
            })
            .collect();
        let mut ends = self.candidates(&facts, &Expr::Var(v), last, at + 1, at + 1);
        ends.retain(|n| !n.mentions(v));
        (ends.into_iter().map(|end| self.terms.replaced(n, v, &end)).collect(), begins)
    }

    /// What conditions from the `depth`-th step on say about an atom, without what is bound from the `from`-th on.
    pub(super) fn candidates(
        &self,
        facts: &[(usize, Normal)],
        atom: &Expr,
        up: bool,
        depth: usize,
        from: usize,
    ) -> Vec<Normal> {
        let mut out = Vec::new();
        for (inside, fact) in facts {
            if *inside < depth {
                continue;
            }
            let of = |n: &Normal| self.candidate(as_sum(n)?, atom, up, from);
            match fact {
                Normal::Sum(_) => out.extend(of(fact)),
                // All parts of a minimum are not negative when it is not; of a maximum, some part.
                Normal::Min(parts) => out.extend(parts.iter().filter_map(of)),
                Normal::Max(parts) => {
                    let may_be = parts.iter().filter(|p| !self.terms.negative(p));
                    let ends = may_be.map(of).collect::<Option<Vec<_>>>().filter(|ends| !ends.is_empty());
                    out.extend(
                        ends.map(|ends| if up { self.terms.maximum(ends) } else { self.terms.minimum(ends) }),
                    );
                }
            }
        }
        out
    }

    /// `k·a + rest >= 0`: `a <= rest div -k` when `k` is negative, `a >= -(rest div k)` when it is positive.
    fn candidate(&self, s: &Sum, atom: &Expr, up: bool, from: usize) -> Option<Normal> {
        let k = s.factor(atom)?;
        if (k < 0) != up {
            return None;
        }
        let rest_expr = s.without(atom).to_expr();
        if contains(&rest_expr, atom) {
            return None;
        }
        let quotient = self.terms.normalize(&Expr::binary(Op::Div, rest_expr, Expr::int(k.checked_abs()?)));
        let end = self.eliminate(&quotient, true, from)?;
        Some(if up { end } else { self.terms.scale(&end, -1) })
    }
}
