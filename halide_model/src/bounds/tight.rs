//! The tight engine: for each region the hull of all points it is asked to contain, in normal form, with loop variables
//! replaced by the end of their range where the expression is monotone in them, and ranges narrowed by the conditions
//! on the way. Where it finds no end for a demand, that of the baseline stands, for this demand alone: answers to whole
//! queries cannot be met region by region ([rule: halide.smaller-is-not-less]). Spec: [rule: halide.tight].

use super::demand::{Demand, Ends, Known, last};
use super::extreme::Path;
use super::interval;
use super::normal::{Normal, Normalizer};
use super::origin::Origin;
use super::query::Query;
use super::values::Ranges;
use super::{NoBounds, Solution};
use crate::expr::{Expr, Interval, Region};
use crate::tgt::Program;
use branches::End;
use std::collections::BTreeMap;

pub(super) mod branches;
mod demands;
mod directives;

/// Bounds for every region of the query.
///
/// # Errors
/// The first region for which there are none.
pub fn tight(t: &Program, q: &Query) -> Result<Solution, NoBounds> {
    explained(t, q).map(|(solution, _)| solution)
}

/// What one demand comes to: the first and the last point that it asks of a dimension, in terms of what is in scope of
/// the region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Where the demand comes from.
    pub origin: Origin,
    /// The first point.
    pub lo: Expr,
    /// The last point.
    pub hi: Expr,
}

/// What was asked of each dimension of each region, without what regions meet whatever their bounds are.
pub type Reasons = BTreeMap<Region, Vec<Vec<Asked>>>;

/// [`tight`], and what each of its bounds is made of. [rule: halide.explain]
///
/// # Errors
/// The first region for which there are no bounds.
pub fn explained(t: &Program, q: &Query) -> Result<(Solution, Reasons), NoBounds> {
    let terms = Normalizer::default();
    let collected = demands::collect(q, &terms);
    let ranges = Ranges::of(&t.algorithm);
    let mut known = Known::default();
    let (mut solution, mut reasons) = (Solution::default(), Reasons::new());
    for region in order(t, &collected.regions) {
        let rank = t.algorithm.rank(region.func());
        let (mut dims, mut asked) = (Vec::new(), Vec::new());
        for dim in 0..rank {
            let mine = collected.demands.iter().filter(|d| d.region == region && d.dim == dim);
            let (ends, from) =
                Hull { region, dim, ranges: &ranges, known: &known, terms: &terms }.of(mine)?;
            dims.push(ends);
            asked.push(from);
        }
        reasons.insert(region, asked);
        let given = directives::apply(region, dims, &collected.claims, &terms);
        known.ends.insert(region, given.ends);
        solution.regions.insert(region, given.bounds);
        if !given.checks.is_empty() {
            solution.checks.insert(region, given.checks);
        }
    }
    Ok((solution, reasons))
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

/// What is found of a demand.
enum Found {
    /// The region meets it whatever its bounds are.
    Met,
    /// Its ends, or why there are none.
    Ends(Result<Normal, Why>, Result<Normal, Why>),
}

/// Why there is no end.
#[derive(Clone, Copy)]
enum Why {
    Unbounded,
    /// It depends on the bounds that it is to determine.
    Own,
}

/// Ends of the baseline's with more nodes than this are taken only where there are no others.
const LARGE: usize = 3000;

struct Hull<'a> {
    region: Region,
    dim: usize,
    ranges: &'a Ranges,
    known: &'a Known,
    terms: &'a Normalizer,
}

impl Hull<'_> {
    /// The hull of all that is asked. Where an end is not known, or not exactly, the baseline's is taken as well.
    fn of<'d>(&self, demands: impl Iterator<Item = &'d Demand>) -> Result<(Ends, Vec<Asked>), NoBounds> {
        let (mut lows, mut highs, mut asked) = (Vec::new(), Vec::new(), Vec::new());
        for d in demands {
            let Found::Ends(lo, hi) = self.ends(d) else { continue };
            let (lo, hi) = (self.or_baseline(d, lo, false)?, self.or_baseline(d, hi, true)?);
            asked.push(Asked { origin: d.origin.clone(), lo: lo.to_expr(), hi: hi.to_expr() });
            lows.push(End { when: d.when.clone(), end: lo });
            highs.push(End { when: d.when.clone(), end: hi });
        }
        let ends = (branches::hull(lows, false, self.terms), branches::hull(highs, true, self.terms));
        let (Some(lo), Some(hi)) = ends else {
            return Ok((Ends::new(Normal::constant(0), Normal::constant(-1)), asked));
        };
        Ok((Ends::new(lo, hi), asked))
    }

    /// An end; the baseline's where this engine has none.
    fn or_baseline(&self, d: &Demand, mine: Result<Normal, Why>, up: bool) -> Result<Normal, NoBounds> {
        mine.or_else(|why| {
            let (lo, hi) = interval::of_demand(d, self.known, self.terms);
            let baseline = if up { hi } else { lo };
            let baseline = baseline.filter(|e| e.size() <= LARGE && !self.is_own(e));
            baseline.map(|e| self.baseline_end(e)).ok_or_else(|| self.none(d, why))
        })
    }

    fn baseline_end(&self, e: Expr) -> Normal {
        if e.size() <= interval::SIMPLIFIED { self.terms.normalize(&e) } else { Normal::opaque(e) }
    }

    /// The ends of a demand.
    fn ends(&self, d: &Demand) -> Found {
        let own = Interval::hole(self.region, self.dim);
        let values = |f, up| self.ranges.end(f, up);
        let mut found = [Err(Why::Unbounded), Err(Why::Unbounded)];
        for own_facts in [true, false] {
            let path = Path::new(&d.path, self.region, self.known, &values, self.terms, own_facts);
            let ends = [path.extreme(&d.lo, false), path.extreme(&d.hi, true)];
            if let [Some(lo), Some(hi)] = &ends
                && (self.is_own(lo) || self.is_own(hi))
                && self.terms.at_most(&own.min, lo)
                && self.terms.at_most(hi, &last(&own, self.terms))
            {
                return Found::Met;
            }
            for ((place, end), up) in found.iter_mut().zip(ends).zip([false, true]) {
                if place.is_err()
                    && let Some(end) = end
                {
                    let mine = self.is_own(&end);
                    *place =
                        if mine { Err(Why::Own) } else { Ok(self.terms.normalize(&path.clamped(&end, up))) };
                }
            }
            if found.iter().all(Result::is_ok) {
                break;
            }
        }
        let [lo, hi] = found;
        Found::Ends(lo, hi)
    }

    fn is_own(&self, e: &Expr) -> bool {
        e.has_var(&|v| v.region() == Some(self.region))
    }

    fn none(&self, d: &Demand, why: Why) -> NoBounds {
        let why = match why {
            Why::Unbounded => "is not bounded",
            Why::Own => "depends on them",
        };
        let why = format!("`{}` {why} ({})", crate::text::print::expr(&d.lo), d.origin);
        NoBounds { region: self.region, dim: self.dim, why }
    }
}
