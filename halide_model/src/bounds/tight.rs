//! The tight engine: for each region the hull of all points it is asked to contain, in normal form, with loop variables
//! replaced by the end of their range where the expression is monotone in them, and ranges narrowed by the conditions
//! on the way. Spec: [rule: halide.tight].

use super::normal::{Normal, at_most, maximum, minimum, nonnegative, normalize, simplify};
use super::query::Query;
use super::values::Ranges;
use super::{NoBounds, Solution};
use crate::expr::{End, Expr, Hole, Interval, Region, Var};
use crate::tgt::Program;
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
    let mut known = Known::default();
    let mut solution = Solution::default();
    for region in order(t, &collected.regions) {
        let rank = t.algorithm.func(region.func()).map_or(0, |f| f.vars.len());
        let mut dims = Vec::new();
        for dim in 0..rank {
            let mine = collected.demands.iter().filter(|d| d.region == region && d.dim == dim);
            dims.push(Hull { region, dim, ranges: &ranges, known: &known }.of(mine)?);
        }
        let given = directives::apply(region, dims, &collected.claims);
        known.ends.insert(region, given.ends);
        solution.regions.insert(region, given.bounds);
        if !given.checks.is_empty() {
            solution.checks.insert(region, given.checks);
        }
    }
    Ok(solution)
}

/// The regions that are determined, with the first and the last point of each dimension.
#[derive(Default)]
pub(crate) struct Known {
    ends: BTreeMap<Region, Vec<Ends>>,
}

/// The first and the last point.
#[derive(Clone)]
pub(crate) struct Ends {
    lo: Normal,
    hi: Normal,
}

impl Ends {
    /// `(lo, hi - lo + 1)`; the length in terms of the minimum's own hole where that is shorter.
    fn interval(&self, region: Region, dim: usize) -> Interval {
        let min = match &self.lo {
            Normal::Sum(_) => self.lo.clone(),
            Normal::Min(_) | Normal::Max(_) => normalize(&Interval::hole(region, dim).min),
        };
        let len = self.hi.add(&min.scale(-1)).add(&Normal::constant(1));
        let never_negative = matches!((&self.lo, &len), (Normal::Sum(_), n) if nonnegative(n));
        let len = if never_negative { len } else { maximum(vec![len, Normal::constant(0)]) };
        Interval { min: self.lo.to_expr(), len: len.to_expr() }
    }
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
    known: &'a Known,
}

impl Hull<'_> {
    fn of<'d>(&self, demands: impl Iterator<Item = &'d Demand>) -> Result<Ends, NoBounds> {
        let (mut lows, mut highs): (Vec<Normal>, Vec<Normal>) = (Vec::new(), Vec::new());
        for d in demands {
            let Some((lo, hi)) = self.ends(d)? else { continue };
            lows.push(normalize(&lo));
            highs.push(normalize(&hi));
        }
        if lows.is_empty() {
            return Ok(Ends { lo: Normal::constant(0), hi: Normal::constant(-1) });
        }
        Ok(Ends { lo: minimum(lows).trimmed(false), hi: maximum(highs).trimmed(true) })
    }

    /// The ends of a demand; nothing when the region meets it whatever its bounds are.
    fn ends(&self, d: &Demand) -> Result<Option<(Expr, Expr)>, NoBounds> {
        let shown = || crate::text::print::expr(&d.lo);
        for own_facts in [true, false] {
            let path = Path::new(&d.path, self.region, self.known, self.ranges, own_facts);
            let (Some(lo), Some(hi)) = (path.extreme(&d.lo, false), path.extreme(&d.hi, true)) else {
                return Err(self.none(format!("`{}` is not bounded", shown())));
            };
            if !self.is_own(&lo) && !self.is_own(&hi) {
                return Ok(Some((path.clamped(&lo, false), path.clamped(&hi, true))));
            }
            let own = Interval::hole(self.region, self.dim);
            if at_most(&own.min, &lo) && at_most(&hi, &last(&own)) {
                return Ok(None);
            }
        }
        Err(self.none(format!("`{}` depends on them", shown())))
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
