//! What is positive because a loop around a demand runs: what is asked is asked by an iteration. Spec:
//! [rule: halide.not-larger].

use super::scope::is_simple;
use super::{Ends, Path, Step, as_sum, defined};
use crate::bounds::normal::{Normal, Sum};
use crate::expr::{End, Expr, Hole, Interval, Region, Var};
use crate::op::Op;

impl Path<'_> {
    /// Whether it is certainly at least 1: by what is known, or because a loop around runs only where it is.
    pub(super) fn positive(&self, n: &Normal) -> bool {
        let runs = |s: &std::rc::Rc<Step>| match s.as_ref() {
            Step::Loop(_, domain) => {
                let len = self.terms.normalize(&domain.len);
                // What is asked about may have lost holes that the loop has, or may be in terms of another region's.
                self.counts(&len, n)
                    || self.counts(&self.in_simple_terms(len.clone()), n)
                    || self.counts(&self.in_terms_of_others(len), n)
            }
            Step::Let(..) | Step::Regions(_) | Step::Fact(_) | Step::Begins(..) => false,
        };
        self.known(&self.terms.add(n, &Normal::constant(-1)))
            || (self.known(n) && self.steps.iter().any(runs))
    }

    /// Whether a loop around certainly never runs, as over a region of which nothing is asked: then nothing is asked in it.
    pub(crate) fn never_runs(&self) -> bool {
        self.steps.iter().any(|s| match s.as_ref() {
            Step::Loop(_, domain) => {
                let len = self.in_terms_of_others(self.terms.normalize(&domain.len));
                as_sum(&len).and_then(Sum::as_constant).is_some_and(|len| len <= 0)
            }
            Step::Let(..) | Step::Regions(_) | Step::Fact(_) | Step::Begins(..) => false,
        })
    }

    /// With the holes that are simple, most of them those of another stage, replaced by what they stand for.
    fn in_terms_of_others(&self, mut n: Normal) -> Normal {
        for step in self.steps.iter().rev() {
            let Step::Regions(regions) = step.as_ref() else { continue };
            for r in regions.iter().rev().filter(|r| Some(**r) != self.region) {
                let ends = self.known.and_then(|k| k.ends.get(r));
                if let Some(ends) = ends.filter(|e| e.iter().all(is_simple)) {
                    n = defined(n, *r, ends, self.terms);
                }
            }
        }
        n
    }

    /// Whether `len >= 1` says that `n >= 1` where `n >= 0`: `len` is a multiple of `n`, or the number of tiles that cover one.
    fn counts(&self, len: &Normal, n: &Normal) -> bool {
        let Some(sum) = as_sum(len) else { return false };
        let multiple = self.divided(sum, n).is_some_and(|(_, rest)| rest <= 0);
        multiple || self.tiled(sum).is_some_and(|inside| self.counts(&Normal::Sum(inside), n))
    }

    /// `x` where the sum is `(x + c) div k` and at least 1 only if `x` is, which is what `c < k` says.
    fn tiled(&self, sum: &Sum) -> Option<Sum> {
        let [(Expr::Op(Op::Div, args), 1)] = sum.terms() else { return None };
        let [x, k] = args.as_ref() else { return None };
        let k = k.as_i64().filter(|k| *k > 0)?;
        let mut x = as_sum(&self.terms.normalize(x))?.clone();
        let tiles = sum.constant <= 0 && x.constant < k;
        x.constant = 0;
        tiles.then_some(x)
    }

    /// With the lengths of a region that are constant, and those that a loop around runs over, replaced by the distance of its
    /// ends: there they are not cut off at 0.
    pub(super) fn lengths_inside(&self, mut n: Normal, region: Region, ends: &[Ends]) -> Normal {
        for (dim, e) in ends.iter().enumerate() {
            let len = Var::Hole(Hole { region, dim, end: End::Len });
            if let Some(count) = e.constant_length(self.terms) {
                n = self.terms.replaced(&n, len, &Normal::constant(count));
            } else if n.mentions(len) && self.positive(&Normal::opaque(Expr::Var(len))) {
                let first = match &e.lo {
                    Normal::Sum(_) => e.lo.clone(),
                    Normal::Min(_) | Normal::Max(_) => self.terms.normalize(&Interval::hole(region, dim).min),
                };
                let steps = self.terms.add(&e.hi, &self.terms.scale(&first, -1));
                n = self.terms.replaced(&n, len, &self.terms.add(&steps, &Normal::constant(1)));
            }
        }
        n
    }
}
