//! Names of C variables: the source's own, with the func in front, made unique by a number.

use super::helpers;
use super::range::Overflows;
use crate::expr::{End, Expr, Hole, Region, Site, Var};
use crate::tgt::Program;
use crate::typed::Scalar;
use rewright_base::c_names::{self, Class};
use rewright_base::sym::Name;
use std::collections::{BTreeMap, BTreeSet};

/// The words of the function itself.
const OWN: &str = "params window out main PARALLEL SIMD uint128";

/// Words that no variable may have as its name.
fn reserved() -> impl Iterator<Item = &'static str> {
    let headers = [Class::Macro, Class::Name, Class::Function].into_iter().flat_map(c_names::of_headers);
    c_names::keywords().chain(headers).chain(helpers::names()).chain(OWN.split_whitespace())
}

pub(super) struct Names<'a> {
    t: &'a Program,
    vars: BTreeMap<Var, String>,
    arrays: BTreeMap<Name, String>,
    boxes: BTreeMap<Name, String>,
    taken: BTreeSet<String>,
    overflows: Overflows,
    too_wide: bool,
}

impl<'a> Names<'a> {
    pub(super) fn new(t: &'a Program, overflows: Overflows) -> Names<'a> {
        let taken = reserved().map(str::to_owned).collect();
        Names {
            t,
            vars: BTreeMap::new(),
            arrays: BTreeMap::new(),
            boxes: BTreeMap::new(),
            taken,
            overflows,
            too_wide: false,
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

    /// Whether the program has types: all that is not cast is exact.
    pub(super) fn typed(&self) -> bool {
        self.t.algorithm.typed
    }

    /// A number was met that 128 bits may not hold.
    pub(super) fn too_wide(&mut self) {
        self.too_wide = true;
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

    pub(super) fn array(&mut self, f: Name) -> String {
        if let Some(known) = self.arrays.get(&f) {
            return known.clone();
        }
        let name = self.unique(f.as_str());
        self.arrays.insert(f, name.clone());
        name
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

    fn unique(&mut self, wanted: &str) -> String {
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
            Var::Window(d, end) => format!("window_{}_{}", self.dim(self.t.algorithm.output, d), word(end)),
            Var::Hole(Hole { region, dim, end }) => {
                let (whose, what) = match region {
                    Region::Mem(f) => (f.to_string(), "_stored"),
                    Region::Cpu(site) => (self.last_or(site), ""),
                };
                format!("{whose}_{}{what}_{}", self.dim(region.func(), dim), word(end))
            }
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
