//! The third engine: synthesis over a template, with z3 as the judge. Spec: [rule: halide.oracle].
//!
//! For each region, consumers first, it looks for ends over what is in scope: of the requested window, of a region that
//! is determined or of the tile of a split loop; these times a small factor, divided, reversed or moved by a parameter,
//! or the hull of two; plus a constant. The constants are found from counterexamples: z3 is asked for an input that asks
//! for a point outside, and the end moves there.

use super::query::{Query, query};
use super::values::Ranges;
use super::verify::{Ask, Verification, ask, proven, verify_bounds, with_z3};
use super::{NoBounds, Solution};
use crate::bounds::complete::complete;
use crate::bounds::normal::simplify;
use crate::expr::{End, Expr, Interval, Region, Var};
use crate::op::Op;
use crate::tgt::{LoopName, Program, Stmt, walk};

/// How often an end may move before a template is given up.
const MOVES: usize = 8;

/// How many questions may be asked about one dimension of a region.
const QUESTIONS: usize = 24;

/// How far an end may be from its base.
const FAR: i64 = 1 << 12;

/// Bounds for every region of the program's query.
///
/// # Errors
/// The first region for which no template fits.
pub fn oracle(t: &Program) -> Result<Solution, NoBounds> {
    let ranges = proven(t);
    let solution = with_z3(|| fitted(t, &ranges))?;
    match verify_bounds(&complete(t, &solution)) {
        Verification::Verified(_) => Ok(solution),
        Verification::Refuted { demand, .. }
        | Verification::Unknown(demand)
        | Verification::OutOfScope(demand) => {
            let region = Region::Mem(t.algorithm.output);
            Err(NoBounds { region, dim: 0, why: format!("not verified: {demand}") })
        }
    }
}

/// Bounds that fit what is asked, dimension by dimension.
fn fitted(t: &Program, ranges: &Ranges) -> Result<Solution, NoBounds> {
    let mut solution = Solution::default();
    for at in regions(t) {
        let region = at.region;
        let rank = t.algorithm.rank(region.func());
        solution.regions.insert(region, vec![Interval { min: Expr::int(0), len: Expr::int(0) }; rank]);
        for dim in 0..rank {
            let mut questions = QUESTIONS;
            let found = bases(t, &at, &solution, dim).into_iter().find_map(|base| {
                let trial = Trial { t, ranges, region, dim, base };
                trial.fit(&solution, &mut questions)
            });
            let found = found.or_else(|| hull(t, ranges, &at, &solution, dim));
            let none = || NoBounds { region, dim, why: "no template fits".to_owned() };
            set(&mut solution, region, dim, found.ok_or_else(none)?);
        }
        // While a dimension was looked for, the later ones were empty, and nothing was asked through them.
        for dim in 0..rank {
            let none = || NoBounds { region, dim, why: "its dimensions do not fit together".to_owned() };
            let again = again(t, ranges, region, &solution, dim).ok_or_else(none)?;
            set(&mut solution, region, dim, again);
        }
    }
    Ok(solution)
}

/// The bounds of a dimension, moved further where that is asked now that all dimensions are known.
fn again(t: &Program, ranges: &Ranges, region: Region, solution: &Solution, dim: usize) -> Option<Interval> {
    let i = solution.regions.get(&region)?.get(dim)?;
    let base = Base { lo: i.min.clone(), hi: simplify(&last(i)) };
    let (mut questions, trial) = (QUESTIONS, Trial { t, ranges, region, dim, base });
    let ends = (trial.base.lo.clone(), trial.base.hi.clone());
    if let Ask::Met = ask(&complete(t, solution), ranges, region, dim, &ends) {
        return Some(i.clone());
    }
    trial.fit(solution, &mut questions)
}

/// The hull of all simple bases, then of as few of them as do.
fn hull(t: &Program, ranges: &Ranges, at: &Scoped, solution: &Solution, dim: usize) -> Option<Interval> {
    let mut questions = QUESTIONS;
    let mut fit = |parts: &[Base]| {
        let base = parts.iter().cloned().reduce(|a, b| a.hull(&b))?;
        Trial { t, ranges, region: at.region, dim, base }.fit(solution, &mut questions)
    };
    let simple = simple(t, at, solution, dim);
    let reversed = simple.iter().map(Base::reversed);
    let mut parts: Vec<Base> = simple.iter().cloned().chain(reversed).collect();
    let mut found = fit(&simple);
    if found.is_some() {
        parts = simple;
    } else {
        found = fit(&parts);
    }
    found.as_ref()?;
    let mut i = 0;
    while i < parts.len() && parts.len() > 1 {
        let mut fewer = parts.clone();
        fewer.remove(i);
        match fit(&fewer) {
            Some(better) => (found, parts) = (Some(better), fewer),
            None => i += 1,
        }
    }
    found
}

fn set(solution: &mut Solution, region: Region, dim: usize, i: Interval) {
    if let Some(place) = solution.regions.get_mut(&region).and_then(|dims| dims.get_mut(dim)) {
        *place = i;
    }
}

/// A region, and what is in scope where it is bound.
struct Scoped {
    region: Region,
    regions: Vec<Region>,
    vars: Vec<Var>,
}

/// All regions, in the order in which they are determined.
fn regions(t: &Program) -> Vec<Scoped> {
    let mut out = Vec::new();
    let mut around =
        Scoped { region: Region::Mem(t.algorithm.output), regions: Vec::new(), vars: Vec::new() };
    collect(&query(t), &mut around, &mut out);
    let order = |s: &Scoped| {
        let from_end = t.algorithm.funcs.len() - t.algorithm.index(s.region.func()).unwrap_or(0);
        match s.region {
            Region::Cpu(s) => (0, from_end, std::cmp::Reverse(s.stage)),
            Region::Mem(_) => (1, from_end, std::cmp::Reverse(0)),
        }
    };
    out.sort_by_key(order);
    out
}

fn collect(q: &Query, around: &mut Scoped, out: &mut Vec<Scoped>) {
    match q {
        Query::Exists { regions, body } => {
            let depth = around.regions.len();
            for r in regions {
                out.push(Scoped { region: *r, regions: around.regions.clone(), vars: around.vars.clone() });
                around.regions.push(*r);
            }
            collect(body, around, out);
            around.regions.truncate(depth);
        }
        Query::And(parts) => parts.iter().for_each(|p| collect(p, around, out)),
        Query::Implies(_, body) | Query::Inside { body, .. } => collect(body, around, out),
        Query::Forall { var, body, .. } | Query::Let { var, body, .. } => {
            around.vars.push(*var);
            collect(body, around, out);
            around.vars.pop();
        }
        Query::Holds { .. } | Query::Member { .. } | Query::Covers { .. } => {}
        Query::NonNegative(_) | Query::Changed(_) => {}
    }
}

/// A first and a last point to start from.
#[derive(Clone)]
struct Base {
    lo: Expr,
    hi: Expr,
}

/// Tiles first, then the regions and the window that are in scope, of the same dimension first, then parameters and 0.
fn simple(t: &Program, at: &Scoped, solution: &Solution, dim: usize) -> Vec<Base> {
    let mut out = tiles(t, at);
    let mut intervals = Vec::new();
    for known in at.regions.iter().filter(|r| solution.regions.contains_key(r)) {
        let rank = t.algorithm.rank(known.func());
        intervals.extend((0..rank).map(|d| (d, Interval::hole(*known, d))));
    }
    let end = |d, end| Expr::Var(Var::Window(d, end));
    for (_, dims) in t.algorithm.windows() {
        let ends = |d| Interval { min: end(d, End::Min), len: end(d, End::Len) };
        intervals.extend(dims.enumerate().map(|(k, d)| (k, ends(d))));
    }
    intervals.sort_by_key(|(d, _)| *d != dim);
    out.extend(intervals.iter().map(|(_, i)| Base { lo: simplify(&i.min), hi: simplify(&last(i)) }));
    out.extend(t.algorithm.params.iter().map(|p| Base::point(Expr::Var(Var::Param(*p)))));
    out.push(Base::point(Expr::int(0)));
    out
}

/// All templates, simple ones first.
fn bases(t: &Program, at: &Scoped, solution: &Solution, dim: usize) -> Vec<Base> {
    let mut out = simple(t, at, solution, dim);
    let twice = out.iter().map(|b| b.map(|e| Expr::binary(Op::Mul, Expr::int(2), e.clone())));
    let wider = twice.chain(wider(t, &out)).collect::<Vec<_>>();
    out.extend(wider);
    out
}

/// Of each base: reversed, divided by 2 and by the factors of splits, moved by a parameter.
fn wider(t: &Program, simple: &[Base]) -> Vec<Base> {
    let mut out: Vec<Base> = simple.iter().map(Base::reversed).collect();
    for k in divisors(t) {
        out.extend(simple.iter().map(|b| b.map(|e| Expr::binary(Op::Div, e.clone(), Expr::int(k)))));
    }
    for p in &t.algorithm.params {
        let moved = |e: &Expr| Expr::binary(Op::Add, e.clone(), Expr::Var(Var::Param(*p)));
        out.extend(simple.iter().map(|b| b.map(moved)));
    }
    out
}

/// What indices are divided by most often, and the constant factors of splits.
fn divisors(t: &Program) -> Vec<i64> {
    let mut out = vec![2];
    walk::visit(&t.body, &mut |s| {
        let Stmt::Let { value, .. } = s else { return };
        value.visit(&mut |e| {
            if let Expr::Op(Op::Mul, args) = e
                && let Some(k) = args.iter().find_map(Expr::as_i64).filter(|k| (2..=64).contains(k))
                && !out.contains(&k)
            {
                out.push(k);
            }
        });
    });
    out
}

impl Base {
    fn point(e: Expr) -> Base {
        Base { lo: e.clone(), hi: e }
    }

    fn reversed(&self) -> Base {
        let minus = |e: &Expr| simplify(&Expr::binary(Op::Sub, Expr::int(0), e.clone()));
        Base { lo: minus(&self.hi), hi: minus(&self.lo) }
    }

    fn map(&self, f: impl Fn(&Expr) -> Expr) -> Base {
        Base { lo: simplify(&f(&self.lo)), hi: simplify(&f(&self.hi)) }
    }

    fn hull(&self, other: &Base) -> Base {
        let end = |op, a: &Expr, b: &Expr| simplify(&Expr::binary(op, a.clone(), b.clone()));
        Base { lo: end(Op::Min, &self.lo, &other.lo), hi: end(Op::Max, &self.hi, &other.hi) }
    }
}

/// The tiles of split loops whose outer variable is in scope: the split variable's value with the inner variable at both
/// ends of its range.
fn tiles(t: &Program, at: &Scoped) -> Vec<Base> {
    let mut out = Vec::new();
    walk::visit(&t.body, &mut |s| {
        let Stmt::Let { value, .. } = s else { return };
        let (mut lo, mut hi) = (value.clone(), value.clone());
        let mut inside = false;
        for v in value.vars() {
            let Var::Loop(site, var) = v else { continue };
            if at.vars.contains(&v) {
                inside = true;
            } else if let Some(l) = t.find_loop(LoopName { site, var }) {
                let with = |e: &Expr, by: &Expr| e.substitute(&|w| (w == v).then(|| by.clone()));
                (lo, hi) = (with(&lo, &l.domain.min), with(&hi, &last(&l.domain)));
            }
        }
        let known = |v: Var| match v {
            Var::Hole(h) => at.regions.contains(&h.region),
            Var::Loop(..) => at.vars.contains(&v),
            Var::Param(_) | Var::Window(..) => true,
            Var::Local(_) => false,
        };
        if inside && lo.vars().into_iter().chain(hi.vars()).all(known) {
            out.push(Base { lo: simplify(&lo), hi: simplify(&hi) });
        }
    });
    out
}

fn last(i: &Interval) -> Expr {
    Expr::binary(Op::Sub, Expr::binary(Op::Add, i.min.clone(), i.len.clone()), Expr::int(1))
}

struct Trial<'a> {
    t: &'a Program,
    ranges: &'a Ranges,
    region: Region,
    dim: usize,
    base: Base,
}

impl Trial<'_> {
    /// The template with its constants, if some fit.
    fn fit(&self, solution: &Solution, questions: &mut usize) -> Option<Interval> {
        let (mut below, mut above) = (0, 0);
        for _ in 0..MOVES {
            *questions = questions.checked_sub(1)?;
            let i = self.interval(below, above);
            let mut trial = solution.clone();
            set(&mut trial, self.region, self.dim, i.clone());
            let completed = complete(self.t, &trial);
            let plus = |e: &Expr, c: i64| simplify(&Expr::binary(Op::Add, e.clone(), Expr::int(c)));
            let ends = (plus(&self.base.lo, -below), plus(&self.base.hi, above));
            match ask(&completed, self.ranges, self.region, self.dim, &ends) {
                Ask::Met => return Some(i),
                Ask::Outside { under, over } => {
                    // Twice as far each time it moves the same way.
                    below += if under > 0 { under.max(below / 2) } else { 0 };
                    above += if over > 0 { over.max(above / 2) } else { 0 };
                    if below > FAR || above > FAR {
                        return None;
                    }
                }
                Ask::Unknown => return None,
            }
        }
        None
    }

    fn interval(&self, below: i64, above: i64) -> Interval {
        let min = simplify(&Expr::binary(Op::Sub, self.base.lo.clone(), Expr::int(below)));
        let hi = Expr::binary(Op::Add, self.base.hi.clone(), Expr::int(above));
        let len = Expr::binary(Op::Add, Expr::binary(Op::Sub, hi, min.clone()), Expr::int(1));
        Interval { min, len: simplify(&Expr::binary(Op::Max, len, Expr::int(0))) }
    }
}
