//! The tight engine: for each region the hull of all points it is asked to contain, in normal form, with loop variables
//! replaced by the end of their range where the expression is monotone in them, and ranges narrowed by the conditions
//! on the way. Where it finds no end for a demand, that of the baseline stands, for this demand alone: answers to whole
//! queries cannot be met region by region ([rule: halide.smaller-is-not-less]). Spec: [rule: halide.tight].

use super::demand::{Demand, Known, last};
use super::extreme::Path;
use super::interval;
use super::normal::{Normal, Normalizer};
use super::origin::Origin;
use super::query::Query;
use super::values::Ranges;
use super::{NoBounds, Solution};
use crate::expr::{Expr, Interval, Region};
use crate::tgt::Program;
use closed::{Closing, Part};
use std::collections::BTreeMap;

pub(super) mod branches;
mod closed;
mod conditions;
mod demands;
mod directives;
mod tails;

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
        let hull = Hull { region, ranges: &ranges, known: &known, terms: &terms };
        let mine = collected.demands.iter().filter(|d| d.region == region);
        let parts = mine.filter_map(|d| hull.part(d).transpose()).collect::<Result<Vec<_>, _>>()?;
        let rank = t.algorithm.rank(region.func());
        let closing = Closing { region, rank, claims: &collected.claims, terms: &terms };
        let (given, asked) = closing.closed(parts).map_err(|own| own_demand(region, &own))?;
        reasons.insert(region, asked);
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

/// An end of a demand.
enum Found {
    End(Normal),
    /// It depends on the bounds that it is to determine.
    Own(Normal),
    Unbounded,
}

impl Found {
    /// Whether nothing better is to be found.
    fn is_final(&self) -> bool {
        match self {
            Found::End(_) => true,
            Found::Own(_) | Found::Unbounded => false,
        }
    }
}

/// Ends of the baseline's with more nodes than this are taken only where there are no others.
const LARGE: usize = 3000;

/// All that is asked of a region.
struct Hull<'a> {
    region: Region,
    ranges: &'a Ranges,
    known: &'a Known,
    terms: &'a Normalizer,
}

impl Hull<'_> {
    /// What a demand asks for, if the region does not meet it whatever its bounds are. Where an end is not known, or only in
    /// terms of the region itself, the baseline's is taken.
    fn part(&self, d: &Demand) -> Result<Option<Part>, NoBounds> {
        let Some([lo, hi]) = self.ends(d) else { return Ok(None) };
        let (lo, hi) = (self.or_baseline(d, lo, false)?, self.or_baseline(d, hi, true)?);
        Ok(Some(Part { dim: d.dim, when: d.when.clone(), origin: d.origin.clone(), lo, hi }))
    }

    /// An end; the baseline's where this engine has none.
    fn or_baseline(&self, d: &Demand, mine: Found, up: bool) -> Result<Normal, NoBounds> {
        if let Found::End(end) = mine {
            return Ok(end);
        }
        let (lo, hi) = interval::of_demand(d, self.known, self.terms);
        let baseline = if up { hi } else { lo };
        match (baseline.filter(|e| e.size() <= LARGE && !self.is_own(e)), mine) {
            (Some(e), _) => Ok(self.baseline_end(e)),
            (None, Found::End(end) | Found::Own(end)) => Ok(end),
            (None, Found::Unbounded) => Err(unbounded(d)),
        }
    }

    fn baseline_end(&self, e: Expr) -> Normal {
        if e.size() <= interval::SIMPLIFIED { self.terms.normalize(&e) } else { Normal::opaque(e) }
    }

    /// The ends of a demand; nothing where the region meets it whatever its bounds are, and where a loop around never runs.
    fn ends(&self, d: &Demand) -> Option<[Found; 2]> {
        let own = Interval::hole(self.region, d.dim);
        let values = |f, up| self.ranges.end(f, up);
        let mut found = [Found::Unbounded, Found::Unbounded];
        for own_facts in [true, false] {
            let path = Path::new(&d.path, self.region, self.known, &values, self.terms, own_facts);
            if path.never_runs() {
                return None;
            }
            let ends = [path.extreme(&d.lo, false), path.extreme(&d.hi, true)];
            if let [Some(lo), Some(hi)] = &ends
                && (self.is_own(lo) || self.is_own(hi))
                && self.terms.at_most(&own.min, lo)
                && self.terms.at_most(hi, &last(&own, self.terms))
            {
                return None;
            }
            for ((place, end), up) in found.iter_mut().zip(ends).zip([false, true]) {
                let Some(end) = end.filter(|_| !place.is_final()) else { continue };
                let is_own = self.is_own(&end);
                let end = self.terms.normalize(&path.clamped(&end, up));
                match (is_own, &place) {
                    (false, _) => *place = Found::End(end),
                    (true, Found::Unbounded) => *place = Found::Own(end),
                    (true, Found::Own(_) | Found::End(_)) => {}
                }
            }
            if found.iter().all(Found::is_final) {
                break;
            }
        }
        Some(found)
    }

    fn is_own(&self, e: &Expr) -> bool {
        e.has_var(&|v| v.region() == Some(self.region))
    }
}

fn unbounded(d: &Demand) -> NoBounds {
    let why = format!("`{}` is not bounded ({})", crate::text::print::expr(&d.lo), d.origin);
    NoBounds { region: d.region, dim: d.dim, why }
}

/// A region that contains what it asks for asks for more.
fn own_demand(region: Region, own: &Part) -> NoBounds {
    let (lo, hi) = (own.lo.to_expr(), own.hi.to_expr());
    let why = format!(
        "`{}` to `{}` depend on them ({})",
        crate::text::print::expr(&lo),
        crate::text::print::expr(&hi),
        own.origin
    );
    NoBounds { region, dim: own.dim, why }
}
