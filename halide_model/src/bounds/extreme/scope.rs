//! Ends in terms of what is in scope: holes there stand for themselves or for what defines them. Spec: [rule: halide.not-larger].

use super::{Ends, Path, Step, as_sum};
use crate::bounds::demand::defined;
use crate::bounds::normal::Normal;
use crate::expr::Region;

/// Holes in scope whose definition has at most this many terms are replaced by it, so that more cancels.
const SIMPLE: usize = 2;

/// Ends of regions in scope with at most this many parts replace the regions' holes.
const SMALL: usize = 3;

impl<'a> Path<'a> {
    /// The regions in scope, innermost first, with their ends as far as they are known.
    fn in_scope(&self) -> impl Iterator<Item = (Region, &'a [Ends])> {
        let (mine, known) = (self.region, self.known);
        let around = self.steps.iter().take(self.start + 1).rev();
        let regions = around.filter_map(|step| match step.as_ref() {
            Step::Regions(regions) => Some(regions.iter().rev()),
            Step::Loop(..) | Step::Let(..) | Step::Fact(_) | Step::Begins(..) => None,
        });
        let others = regions.flatten().filter(move |r| Some(**r) != mine);
        others.filter_map(move |r| Some((*r, known?.ends.get(r)?.as_slice())))
    }

    /// With the holes in scope that are simple replaced by what they stand for.
    pub(super) fn in_simple_terms(&self, mut n: Normal) -> Normal {
        let mine = self.region.map(Region::func);
        for (r, ends) in self.in_scope() {
            if ends.iter().all(is_simple) || Some(r.func()) == mine && ends.iter().all(is_small) {
                n = defined(n, r, ends, self.terms);
            }
        }
        n
    }

    /// An end (`up`: the last) with holes in scope replaced by what they stand for: those that are simple, and those of the
    /// region's own func where nothing of that would be left out, for the hole itself says more than a part of its definition.
    pub(super) fn in_terms_of_scope(&self, mut n: Normal, up: bool) -> Normal {
        let mine = self.region.map(Region::func);
        for (r, ends) in self.in_scope() {
            if ends.iter().all(is_simple) {
                n = defined(n, r, ends, self.terms);
            } else if Some(r.func()) == mine && ends.iter().all(is_small) {
                let new = defined(self.lengths_inside(n.clone(), r, ends), r, ends, self.terms);
                if self.terms.trimmed(&new, up) == new {
                    n = new;
                }
            }
        }
        n
    }
}

pub(super) fn is_simple(e: &Ends) -> bool {
    [&e.lo, &e.hi].into_iter().all(|n| as_sum(n).is_some_and(|s| s.terms().len() <= SIMPLE))
}

pub(super) fn is_small(e: &Ends) -> bool {
    e.lo.leaves().max(e.hi.leaves()) <= SMALL
}
