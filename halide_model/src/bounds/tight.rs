//! The tight engine: for each region the hull of all points it is asked to contain, in normal form, with loop variables
//! replaced by the end of their range where the expression is monotone in them, and ranges narrowed by the conditions
//! on the way. Spec: [rule: halide.tight].

use super::normal::{Normal, at_most, maximum, minimum, normalize, simplify};
use super::query::Query;
use super::values::Ranges;
use super::{NoBounds, Solution};
use crate::expr::{End, Expr, Hole, Interval, Region, Var};
use crate::tgt::{Claim, Program};
use crate::value::Op;
use std::collections::BTreeMap;
use std::rc::Rc;

mod demands;
mod directives;
mod extreme;
mod monotone;

pub(crate) use extreme::Path;

/// What stands between a region's quantifier and a demand on it, outermost first.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// `∀v ∈ I`
    Loop(Var, Interval),
    /// `let v = e`
    Let(Var, Expr),
    /// `∃?ℓ`
    Regions(Vec<Region>),
    /// `n >= 0`
    Fact(Normal),
}

/// `lo..=hi` must be in a dimension of a region.
pub(crate) struct Demand {
    pub(crate) region: Region,
    pub(crate) dim: usize,
    pub(crate) lo: Expr,
    pub(crate) hi: Expr,
    pub(crate) path: Vec<Rc<Step>>,
}

/// Bounds for every region of the query.
///
/// # Errors
/// The first region for which there are none.
pub fn tight(t: &Program, q: &Query) -> Result<Solution, NoBounds> {
    let collected = demands::collect(q);
    let ranges = Ranges::of(&t.algorithm);
    let mut solution = Solution::default();
    for region in order(t, &collected.regions) {
        let rank = t.algorithm.func(region.func()).map_or(0, |f| f.vars.len());
        let mut dims = Vec::new();
        for dim in 0..rank {
            let mine = collected.demands.iter().filter(|d| d.region == region && d.dim == dim);
            let hull = Hull { region, dim, ranges: &ranges, solution: &solution, claims: &collected.claims };
            dims.push(hull.of(mine)?);
        }
        let given = directives::apply(region, dims, &collected.claims);
        solution.regions.insert(region, given.bounds);
        if !given.checks.is_empty() {
            solution.checks.insert(region, given.checks);
        }
    }
    Ok(solution)
}

/// Compute regions first, consumers before producers and later stages before earlier ones; then allocations.
fn order(t: &Program, regions: &[Region]) -> Vec<Region> {
    let mut out = regions.to_vec();
    out.sort_by_key(|r| {
        let from_end = t.algorithm.funcs.len() - t.algorithm.index(r.func()).unwrap_or(0);
        match r {
            Region::Cpu(s) => (0, from_end, std::cmp::Reverse(s.stage), s.spec),
            Region::Mem(_) => (1, from_end, std::cmp::Reverse(0), 0),
        }
    });
    out
}

struct Hull<'a> {
    region: Region,
    dim: usize,
    ranges: &'a Ranges,
    solution: &'a Solution,
    claims: &'a [(Claim, Expr)],
}

impl Hull<'_> {
    fn of<'d>(&self, demands: impl Iterator<Item = &'d Demand>) -> Result<Interval, NoBounds> {
        let (mut lows, mut highs): (Vec<Normal>, Vec<Normal>) = (Vec::new(), Vec::new());
        for d in demands {
            let path = Path::new(&d.path, self.region, self.solution, self.ranges, self.claims);
            let (lo, hi) = (path.extreme(&d.lo, false), path.extreme(&d.hi, true));
            let (Some(lo), Some(hi)) = (lo, hi) else {
                let shown = crate::text::print::expr(&d.lo);
                return Err(self.none(format!("`{shown}` is not bounded")));
            };
            if self.is_own(&lo) || self.is_own(&hi) {
                let own = Interval::hole(self.region, self.dim);
                if at_most(&own.min, &lo) && at_most(&hi, &last(&own)) {
                    continue;
                }
                return Err(self.none(format!("they depend on themselves: {}", crate::text::print::expr(&hi))));
            }
            lows.push(normalize(&lo));
            highs.push(normalize(&hi));
        }
        if lows.is_empty() {
            return Ok(Interval { min: Expr::int(0), len: Expr::int(0) });
        }
        let (min, max) = (minimum(lows), maximum(highs));
        let len = max.add(&min.scale(-1)).add(&Normal::constant(1));
        let len = maximum(vec![len, Normal::constant(0)]);
        Ok(Interval { min: min.to_expr(), len: len.to_expr() })
    }

    fn is_own(&self, e: &Expr) -> bool {
        [End::Min, End::Len]
            .into_iter()
            .any(|end| (0..8).any(|dim| e.mentions(Var::Hole(Hole { region: self.region, dim, end }))))
    }

    fn none(&self, why: String) -> NoBounds {
        NoBounds { region: self.region, dim: self.dim, why }
    }
}

/// The last point of an interval: `min + len - 1`.
pub(crate) fn last(i: &Interval) -> Expr {
    let end = Expr::binary(Op::Add, i.min.clone(), i.len.clone());
    simplify(&Expr::binary(Op::Sub, end, Expr::int(1)))
}

/// The definitions of a region's holes.
pub(crate) fn definitions(region: Region, bounds: &[Interval]) -> BTreeMap<Var, Expr> {
    let mut out = BTreeMap::new();
    for (dim, i) in bounds.iter().enumerate() {
        out.insert(Var::Hole(Hole { region, dim, end: End::Min }), i.min.clone());
        out.insert(Var::Hole(Hole { region, dim, end: End::Len }), i.len.clone());
    }
    out
}
