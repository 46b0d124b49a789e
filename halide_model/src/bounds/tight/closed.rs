//! Regions that ask something of themselves: a stage whose predicate reads its own func at points that its loops visit
//! beyond the region, as those of a rounded tail do. What is asked depends on the bounds that it is to determine, so the
//! region is widened until it contains what it asks for then. Spec: [rule: halide.closed].

use super::super::demand::{Ends, defined};
use super::super::normal::{Normal, Normalizer};
use super::super::origin::Origin;
use super::branches::{Branch, End, hull};
use super::directives::{self, Given};
use super::{Asked, LARGE};
use crate::expr::{Expr, Region};
use crate::tgt::Claim;

/// What one demand asks of a dimension.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) dim: usize,
    pub(super) when: Vec<Branch>,
    pub(super) origin: Origin,
    pub(super) lo: Normal,
    pub(super) hi: Normal,
}

/// How often a region is widened: once for each tail that is rounded up behind another.
const ROUNDS: usize = 4;

/// A region whose bounds are to be found.
pub(super) struct Closing<'a> {
    pub(super) region: Region,
    pub(super) rank: usize,
    pub(super) claims: &'a [(Claim, Expr)],
    pub(super) terms: &'a Normalizer,
}

impl Closing<'_> {
    /// Bounds that contain all that is asked, and what that is in each dimension; or what is asked for more whenever it is
    /// given.
    pub(super) fn closed(&self, parts: Vec<Part>) -> Result<(Given, Vec<Vec<Asked>>), Part> {
        let (own, mut all): (Vec<Part>, Vec<Part>) = parts.into_iter().partition(|p| self.is_own(p));
        let mut rounds = 0;
        loop {
            let required: Vec<Ends> = (0..self.rank).map(|d| self.hull(&all, d)).collect();
            let given = directives::apply(self.region, required.clone(), self.claims, self.terms);
            let now = own.iter().map(|p| self.with(p, &given.ends));
            let beyond: Vec<Part> =
                now.filter(|p| !all.contains(p) && !self.is_inside(p, &required)).collect();
            let Some(first) = beyond.first() else {
                return Ok((given, (0..self.rank).map(|d| asked(&all, d)).collect()));
            };
            if rounds == ROUNDS || beyond.iter().any(|p| p.lo.size().max(p.hi.size()) > LARGE) {
                return Err(own.iter().find(|p| p.origin == first.origin).unwrap_or(first).clone());
            }
            rounds += 1;
            all.extend(beyond);
        }
    }

    fn is_own(&self, p: &Part) -> bool {
        [&p.lo, &p.hi].into_iter().any(|n| n.to_expr().has_var(&|v| v.region() == Some(self.region)))
    }

    /// What a part asks for where the region has these ends.
    fn with(&self, p: &Part, ends: &[Ends]) -> Part {
        let of = |n: &Normal| defined(n.clone(), self.region, ends, self.terms);
        Part { lo: of(&p.lo), hi: of(&p.hi), ..p.clone() }
    }

    fn is_inside(&self, p: &Part, required: &[Ends]) -> bool {
        required.get(p.dim).is_some_and(|e| {
            let not_more = |a: &Normal, b: &Normal| self.terms.at_most(&a.to_expr(), &b.to_expr());
            not_more(&e.lo, &p.lo) && not_more(&p.hi, &e.hi)
        })
    }

    /// The first and the last point that is asked for in a dimension.
    fn hull(&self, all: &[Part], dim: usize) -> Ends {
        let mine = || all.iter().filter(move |p| p.dim == dim);
        let end = |p: &Part, end: &Normal| End { when: p.when.clone(), end: end.clone() };
        let lo = hull(mine().map(|p| end(p, &p.lo)).collect(), false, self.terms);
        let hi = hull(mine().map(|p| end(p, &p.hi)).collect(), true, self.terms);
        match (lo, hi) {
            (Some(lo), Some(hi)) => Ends::new(lo, hi),
            (None, _) | (_, None) => Ends::new(Normal::constant(0), Normal::constant(-1)),
        }
    }
}

fn asked(all: &[Part], dim: usize) -> Vec<Asked> {
    let mine = all.iter().filter(|p| p.dim == dim);
    mine.map(|p| Asked { origin: p.origin.clone(), lo: p.lo.to_expr(), hi: p.hi.to_expr() }).collect()
}
