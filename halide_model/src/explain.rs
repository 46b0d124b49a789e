//! A program's completion as one reads it: the loop nest, the regions of the funcs where they begin, and the demands
//! that force their ends. Spec: [rule: halide.explain].
//!
//! What is told is the tight engine's; it decides nothing that [`tight`](crate::bounds::tight::tight) does not.

use crate::bounds::normal::{Normal, Normalizer};
use crate::bounds::query::query;
use crate::bounds::tight::{Asked, Reasons, explained};
use crate::bounds::{NoBounds, Solution};
use crate::expr::{End, Expr, Hole, Interval, Region, Var};
use crate::text::print;
use crate::tgt::{Claim, Program};

mod nest;

/// The completion of a program.
pub struct Explanation {
    /// The regions, in the order in which they are met in the program.
    pub regions: Vec<Explained>,
    /// The loop nest with the regions and what forces them.
    pub text: String,
    /// The bounds.
    pub solution: Solution,
}

/// A region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// Which.
    pub region: Region,
    /// Whether it is what is asked of an input buffer.
    pub input: bool,
    /// Its dimensions.
    pub dims: Vec<Dim>,
}

/// A dimension of a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dim {
    /// The func's variable, or the number of an input's dimension.
    pub name: String,
    /// Its bounds.
    pub bounds: Interval,
    /// What asks for the first point.
    pub first: Vec<Force>,
    /// What asks for the last point.
    pub last: Vec<Force>,
}

/// What an end must reach, and all demands that ask for that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Force {
    /// A point that the region must contain.
    pub point: Expr,
    /// Where the demands come from, in words.
    pub by: Vec<String>,
    /// Whether it is a directive, or what one made of the demands.
    pub directive: bool,
}

/// Completes a scheduled program and tells why.
///
/// # Errors
/// The demand for which there are no bounds.
pub fn explain(t: &Program) -> Result<Explanation, NoBounds> {
    let (solution, reasons) = explained(t, &query(t))?;
    let of = Told { t, solution, reasons, terms: Normalizer::default() };
    let (regions, text) = nest::nest(&of);
    Ok(Explanation { regions, text, solution: of.solution })
}

/// All there is to tell.
struct Told<'a> {
    t: &'a Program,
    solution: Solution,
    reasons: Reasons,
    terms: Normalizer,
}

impl Told<'_> {
    /// A region with what forces it.
    fn region(&self, region: Region) -> Explained {
        let bounds = self.solution.regions.get(&region).map(Vec::as_slice).unwrap_or_default();
        let asked = self.reasons.get(&region).map(Vec::as_slice).unwrap_or_default();
        let dims = bounds.iter().enumerate().map(|(d, bounds)| {
            let asked = asked.get(d).map(Vec::as_slice).unwrap_or_default();
            self.dim(region, d, bounds, asked)
        });
        let input = self.t.algorithm.input(region.func()).is_some();
        Explained { region, input, dims: dims.collect() }
    }

    fn dim(&self, region: Region, dim: usize, bounds: &Interval, asked: &[Asked]) -> Dim {
        let algorithm = &self.t.algorithm;
        let name = algorithm.func(region.func()).and_then(|f| f.vars.get(dim));
        let name = name.map_or_else(|| dim.to_string(), ToString::to_string);
        let directives = self.directives(region, dim);
        let ends = [false, true].map(|up| {
            let mut forces = self.forces(asked, up);
            forces.extend(directives.iter().cloned());
            forces
        });
        let [first, last] = ends;
        Dim { name, bounds: bounds.clone(), first, last }
    }

    /// The ends of the demands that no other reaches beyond, each with all that ask for it.
    fn forces(&self, asked: &[Asked], up: bool) -> Vec<Force> {
        let end = |a: &Asked| self.terms.normalize(if up { &a.hi } else { &a.lo });
        let parts = asked.iter().map(end).collect();
        let hull = if up { self.terms.maximum(parts) } else { self.terms.minimum(parts) };
        let hull = match hull {
            Normal::Max(parts) if up => parts,
            Normal::Min(parts) if !up => parts,
            Normal::Sum(_) | Normal::Min(_) | Normal::Max(_) => vec![hull],
        };
        let forces: Vec<Force> = hull.iter().map(|part| self.force(part, asked, up)).collect();
        if forces.iter().all(|f| !f.by.is_empty()) {
            return forces;
        }
        // The hull was put together in another way: every demand is told.
        asked.iter().map(|a| self.force(&end(a), asked, up)).collect()
    }

    /// A part of an end and what asks for it: all demands that reach it.
    fn force(&self, part: &Normal, asked: &[Asked], up: bool) -> Force {
        let point = part.to_expr();
        let mut by: Vec<String> = Vec::new();
        for a in asked {
            let end = if up { &a.hi } else { &a.lo };
            let reaches = if up { self.terms.at_most(&point, end) } else { self.terms.at_most(end, &point) };
            let told = a.origin.to_string();
            if reaches && !by.contains(&told) {
                by.push(told);
            }
        }
        Force { point, by, directive: false }
    }

    /// What directives of the bounds phase say of a dimension.
    fn directives(&self, region: Region, dim: usize) -> Vec<Force> {
        let about =
            |e: &Expr| e.has_var(&|v| matches!(v, Var::Hole(h) if h.region == region && h.dim == dim));
        let mut out = Vec::new();
        for s in nest::asserted(self.t) {
            let (cond, claim) = s;
            if claim == Claim::Bounds && about(cond) {
                out.push(Force { point: cond.clone(), by: vec!["a directive".to_owned()], directive: true });
            }
        }
        out
    }

    /// An expression with the bounds of regions in place of their holes, where they are known.
    fn with_bounds(&self, e: &Expr) -> Expr {
        // Lengths may mention their own minimum, and bounds those of regions around them.
        let mut e = e.clone();
        for _ in 0..DEPTH {
            let next = e.substitute(&|v| if let Var::Hole(h) = v { self.bound(h) } else { None });
            if next == e || next.size() > LONG {
                break;
            }
            e = next;
        }
        self.terms.simplify(&e)
    }

    fn bound(&self, h: Hole) -> Option<Expr> {
        let i = self.solution.regions.get(&h.region)?.get(h.dim)?;
        Some(if h.end == End::Min { i.min.clone() } else { i.len.clone() })
    }
}

/// How often bounds are put into bounds.
const DEPTH: usize = 4;

/// Expressions with more nodes keep the names of the bounds that they mention.
const LONG: usize = 40;

impl Explained {
    /// `compute g^1 over`, `store g over` or `input g over`, and the dimensions.
    pub fn heading(&self) -> String {
        let dims: Vec<String> =
            self.dims.iter().map(|d| format!("{} {}", d.name, print::interval(&d.bounds))).collect();
        let dims = if dims.is_empty() { "one point".to_owned() } else { dims.join(", ") };
        match self.region {
            Region::Mem(f) if self.input => format!("input {f} over {dims}"),
            Region::Mem(f) => format!("store {f} over {dims}"),
            Region::Cpu(site) => {
                format!("compute {}{} over {dims}", site.func, print::tag(site.stage, site.spec))
            }
        }
    }

    /// A line for each thing that forces an end.
    pub fn reasons(&self) -> Vec<String> {
        let mut out = Vec::new();
        for d in &self.dims {
            for (word, forces) in [("from", &d.first), ("to", &d.last)] {
                for f in forces.iter().filter(|f| !f.directive) {
                    out.push(format!("{} {word} {}: {}", d.name, print::expr(&f.point), together(&f.by)));
                }
            }
            for f in d.first.iter().filter(|f| f.directive) {
                out.push(format!("{} by a directive: {}", d.name, print::expr(&f.point)));
            }
            if d.first.is_empty() && d.last.is_empty() {
                out.push(format!("{}: nothing is asked", d.name));
            }
        }
        out
    }
}

/// Origins in a line; what one stage reads is told at once.
fn together(by: &[String]) -> String {
    const READS: &str = " reads ";
    let mut out: Vec<String> = Vec::new();
    let mut reader = None;
    for told in by {
        let split = told.split_once(READS);
        match (split, out.last_mut()) {
            (Some((who, what)), Some(line)) if reader == Some(who) => line.push_str(&format!(", {what}")),
            (Some(_) | None, _) => out.push(told.clone()),
        }
        reader = split.map(|(who, _)| who);
    }
    out.join("; ")
}
