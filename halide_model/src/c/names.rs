//! Names of C variables: the source's own, with the func in front, made unique by a number.

use super::helpers;
use super::range::Overflows;
use super::value_range::ValueRange;
use crate::expr::{End, Expr, Hole, Region, Site, Var};
use crate::op::Op;
use crate::tgt::Program;
use crate::typed::Scalar;
use rewright_base::c_names::{self, Class};
use rewright_base::sym::Name;
use std::collections::{BTreeMap, BTreeSet};

/// The words of the function itself.
const OWN: &str = "params window out main PARALLEL THREADS SHARED SIMD ATOMIC uint128";

/// Words that no variable may have as its name.
fn reserved() -> impl Iterator<Item = &'static str> {
    let headers = [Class::Macro, Class::Name, Class::Function].into_iter().flat_map(c_names::of_headers);
    c_names::keywords().chain(headers).chain(helpers::names()).chain(OWN.split_whitespace())
}

pub(super) struct Names<'a> {
    t: &'a Program,
    vars: BTreeMap<Var, String>,
    arrays: BTreeMap<(Name, usize), String>,
    outs: BTreeMap<(Name, usize), String>,
    cells: BTreeMap<(Name, usize), String>,
    boxes: BTreeMap<Name, String>,
    taken: BTreeSet<String>,
    overflows: Overflows,
    too_wide: bool,
    doubtful_circle: bool,
}

impl<'a> Names<'a> {
    pub(super) fn new(t: &'a Program, overflows: Overflows) -> Names<'a> {
        let taken = reserved().map(str::to_owned).collect();
        Names {
            t,
            vars: BTreeMap::new(),
            arrays: BTreeMap::new(),
            outs: BTreeMap::new(),
            cells: BTreeMap::new(),
            boxes: BTreeMap::new(),
            taken,
            overflows,
            too_wide: false,
            doubtful_circle: false,
        }
    }

    /// Whether the values of a func may have wrapped around when they were stored.
    pub(super) fn is_wrapped(&self, f: Name) -> bool {
        self.overflows.wrapped.contains(&f)
    }

    /// Whether a control expression may leave the range of 64 bits.
    pub(super) fn may_overflow(&self, e: &Expr) -> bool {
        self.overflows.exprs.contains(e)
    }

    /// What a variable can hold.
    pub(super) fn reach_of(&self, v: Var) -> ValueRange {
        self.overflows.vars.get(&v).copied().unwrap_or(ValueRange::WORD)
    }

    /// Whether the program has types: all that is not cast is exact.
    pub(super) fn typed(&self) -> bool {
        self.t.algorithm.typed
    }

    /// A number was met that 128 bits may not hold.
    pub(super) fn too_wide(&mut self) {
        self.too_wide = true;
    }

    /// A circle was met whose index depends on a value that may have wrapped around.
    pub(super) fn doubtful_circle(&mut self) {
        self.doubtful_circle = true;
    }

    /// Whether such a circle was met.
    pub(super) fn has_doubtful_circle(&self) -> bool {
        self.doubtful_circle
    }

    /// Whether such a number was met.
    pub(super) fn is_too_wide(&self) -> bool {
        self.too_wide
    }

    /// What the points of a func hold.
    pub(super) fn scalar(&self, f: Name) -> Scalar {
        self.t.algorithm.scalar(f)
    }

    pub(super) fn of(&mut self, v: Var) -> String {
        if let Some(known) = self.vars.get(&v) {
            return known.clone();
        }
        let name = self.unique(&self.wanted(v));
        self.vars.insert(v, name.clone());
        name
    }

    /// The array of a func or an input, or that of value `k` of several.
    pub(super) fn array(&mut self, f: Name, k: usize) -> String {
        if let Some(known) = self.arrays.get(&(f, k)) {
            return known.clone();
        }
        let wanted = if self.scalars(f).len() > 1 { format!("{f}_{k}") } else { f.to_string() };
        let name = self.unique(&wanted);
        self.arrays.insert((f, k), name.clone());
        name
    }

    /// How many cells the memory of a func has that is taken outside of where it is stored.
    pub(super) fn cells(&mut self, f: Name, k: usize) -> String {
        if let Some(known) = self.cells.get(&(f, k)) {
            return known.clone();
        }
        let wanted = format!("{}_cells", self.array(f, k));
        let name = self.unique(&wanted);
        self.cells.insert((f, k), name.clone());
        name
    }

    /// Where the caller wants value `k` of an output.
    pub(super) fn out(&mut self, f: Name, k: usize) -> String {
        if self.t.algorithm.also.is_empty() && self.scalars(f).len() == 1 {
            return "out".to_owned();
        }
        if let Some(known) = self.outs.get(&(f, k)) {
            return known.clone();
        }
        let wanted = if self.scalars(f).len() > 1 { format!("out_{f}_{k}") } else { format!("out_{f}") };
        let name = self.unique(&wanted);
        self.outs.insert((f, k), name.clone());
        name
    }

    /// How many cells a dimension is stored in, if it is a circle.
    pub(super) fn circle(&self, f: Name, d: usize) -> Option<i64> {
        self.t.folds.get(&(f, d)).copied()
    }

    /// What each of the values of a func is.
    pub(super) fn scalars(&self, f: Name) -> Vec<Scalar> {
        self.t.algorithm.scalars(f)
    }

    /// The func, the number and the type of one of several values.
    pub(super) fn element(&self, e: &Expr) -> Option<(Name, usize, Scalar)> {
        let Expr::Op(Op::Elem(k), args) = e else { return None };
        let Some(Expr::Access(a)) = args.first() else { return None };
        Some((a.func, *k, self.scalars(a.func).get(*k).copied()?))
    }

    /// The box of an input buffer: `min, len` of each dimension.
    pub(super) fn box_of(&mut self, f: Name) -> String {
        if let Some(known) = self.boxes.get(&f) {
            return known.clone();
        }
        let name = self.unique(&format!("{f}_box"));
        self.boxes.insert(f, name.clone());
        name
    }

    /// Whether a name is an input buffer's.
    pub(super) fn is_input(&self, f: Name) -> bool {
        self.t.algorithm.input(f).is_some()
    }

    /// A name that nothing else has.
    pub(super) fn unique(&mut self, wanted: &str) -> String {
        let clean: String = wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let clean =
            if clean.starts_with(|c: char| c.is_ascii_alphabetic()) { clean } else { format!("v{clean}") };
        let mut name = clean.clone();
        let mut n = 1;
        while !self.taken.insert(name.clone()) {
            n += 1;
            name = format!("{clean}_{n}");
        }
        name
    }

    fn wanted(&self, v: Var) -> String {
        match v {
            Var::Param(p) => p.to_string(),
            Var::Local(x) => x.to_string(),
            Var::Loop(site, x) => format!("{}_{x}", self.site(site)),
            Var::Window(d, end) => self.window(d, end),
            Var::Hole(Hole { region, dim, end }) => {
                let (whose, what) = match region {
                    Region::Mem(f) => (f.to_string(), "_stored"),
                    Region::Cpu(site) => (self.last_or(site), ""),
                };
                format!("{whose}_{}{what}_{}", self.dim(region.func(), dim), word(end))
            }
        }
    }

    /// The func is named where there are several outputs.
    fn window(&self, d: usize, end: End) -> String {
        let several = !self.t.algorithm.also.is_empty();
        let whose = self.t.algorithm.windows().into_iter().find(|(_, dims)| dims.contains(&d));
        match whose {
            Some((f, dims)) if several => {
                format!("window_{f}_{}_{}", self.dim(f, d - dims.start), word(end))
            }
            Some((f, dims)) => format!("window_{}_{}", self.dim(f, d - dims.start), word(end)),
            None => format!("window_{d}_{}", word(end)),
        }
    }

    /// The stage is named where there are several.
    fn site(&self, Site { func, stage, spec }: Site) -> String {
        match (stage, spec) {
            (0, 0) => func.to_string(),
            (_, 0) => format!("{func}_{stage}"),
            _ => format!("{func}_{stage}_{spec}"),
        }
    }

    fn last_or(&self, site: Site) -> String {
        let last = self.t.stages(site.func).saturating_sub(1);
        if site.stage == last && site.spec == 0 {
            site.func.to_string()
        } else {
            format!("{}_before_{}", self.site(Site { stage: 0, ..site }), site.stage + 1)
        }
    }

    fn dim(&self, f: Name, d: usize) -> String {
        let var = self.t.algorithm.func(f).and_then(|f| f.vars.get(d));
        var.map_or_else(|| d.to_string(), |x| x.to_string())
    }
}

fn word(end: End) -> &'static str {
    match end {
        End::Min => "min",
        End::Len => "len",
    }
}
