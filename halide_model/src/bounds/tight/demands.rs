//! All demands of a query, with what stands around each.

use super::super::demand::{Demand, Step, last};
use super::super::extreme::Path;
use super::super::normal::{Normal, Normalizer};
use super::super::origin::Origin;
use super::super::query::Query;
use super::branches::{Branch, branch};
use super::conditions::Conditions;
use super::tails::{Tail, tail};
use crate::expr::{Expr, Interval, Region, Site, Var};
use crate::op::Op;
use crate::tgt::Claim;
use rewright_base::sym::Name;
use std::collections::BTreeMap;
use std::rc::Rc;

pub(super) struct Collected {
    pub(super) regions: Vec<Region>,
    pub(super) demands: Vec<Demand>,
    pub(super) claims: Vec<(Claim, Expr)>,
}

pub(super) fn collect(q: &Query, terms: &Normalizer) -> Collected {
    let out = Collected { regions: Vec::new(), demands: Vec::new(), claims: Vec::new() };
    let (path, when, shifted) = (Vec::new(), Vec::new(), BTreeMap::new());
    let mut collector = Collector { out, path, when, dead: false, shifted, terms };
    collector.query(q);
    collector.out
}

struct Collector<'a> {
    out: Collected,
    path: Vec<Rc<Step>>,
    /// The conditions around that are known at startup.
    when: Vec<Branch>,
    /// Whether a condition around never holds.
    dead: bool,
    /// The stages with a dimension in which a tile is shifted, and the variable of that dimension.
    shifted: BTreeMap<(Region, usize), Name>,
    terms: &'a Normalizer,
}

impl Collector<'_> {
    fn within(&mut self, steps: Vec<Step>, body: &Query) {
        let depth = self.path.len();
        self.path.extend(steps.into_iter().map(Rc::new));
        self.query(body);
        self.path.truncate(depth);
    }

    fn query(&mut self, q: &Query) {
        match q {
            Query::Holds { cond, claim } => {
                self.out.claims.push((*claim, cond.clone()));
                // Claims about parameters hold for what comes after them in the sequence.
                if !matches!(claim, Claim::Bounds | Claim::Fold) {
                    let facts = self.conditions(|c| c.facts(cond));
                    self.path.extend(facts.into_iter().map(|f| Rc::new(Step::Fact(f))));
                }
            }
            Query::And(parts) => {
                let depth = self.path.len();
                parts.iter().for_each(|p| self.query(p));
                self.path.truncate(depth);
            }
            Query::Implies(e, body) => {
                let (facts, never) = self.conditions(|c| (c.facts(e), c.never(e)));
                let around = (self.when.len(), self.dead);
                self.when.extend(branch(e));
                self.dead |= never;
                self.within(facts.into_iter().map(Step::Fact).collect(), body);
                self.when.truncate(around.0);
                self.dead = around.1;
            }
            Query::Forall { var, domain, body } => {
                self.within(vec![Step::Loop(*var, domain.clone())], body);
            }
            Query::Let { var, value, body } => self.within(vec![Step::Let(*var, value.clone())], body),
            Query::Exists { regions, body } => {
                self.out.regions.extend(regions);
                self.within(vec![Step::Regions(regions.clone())], body);
            }
            Query::Member { point, region, origin } => {
                for (dim, e) in point {
                    self.demand(*region, *dim, (e.clone(), e.clone()), origin);
                }
                if let (Region::Mem(_), Origin::Store(site)) = (region, origin) {
                    self.stored(*site, point, origin);
                }
            }
            Query::Inside { point, region, body } => {
                let steps = self.inside(point, *region);
                self.within(steps, body);
            }
            Query::Covers { region, inner, origin } => {
                for (dim, i) in inner.iter().enumerate() {
                    self.demand(*region, dim, (i.min.clone(), last(i, self.terms)), origin);
                }
            }
            Query::NonNegative(_) => {}
            Query::Changed(f) => self.forget(*f),
        }
    }

    /// What conditions say here, where the variables of the loops around lie in their domains.
    fn conditions<T>(&self, f: impl Fn(&Conditions<'_>) -> T) -> T {
        let path = Path::within(&self.path, &|_, _| None, self.terms);
        let negative = |n: &Normal| {
            let most = || path.extreme(&n.to_expr(), true).map(|most| self.terms.normalize(&most));
            self.terms.negative(n) || most().is_some_and(|most| self.terms.negative(&most))
        };
        f(&Conditions { terms: self.terms, negative: &negative })
    }

    /// What is known of a point that is in the region of its stage. Loops run beyond the end where a tile is rounded up, and
    /// below the start where one is shifted: what is computed there may be wrong, and asks for no values.
    fn inside(&mut self, point: &[Expr], region: Region) -> Vec<Step> {
        let mut out = Vec::new();
        for (dim, e) in point.iter().enumerate() {
            let Some((v, tail)) = tail(&self.path, e) else { continue };
            let Tail { ends, shifted, loops } = tail;
            let own = Interval::hole(region, dim);
            let difference = |a: Expr, b: Expr| self.terms.normalize(&Expr::binary(Op::Sub, a, b));
            if !ends {
                out.push(Step::Fact(difference(last(&own, self.terms), e.clone())));
            }
            if shifted {
                out.push(Step::Begins(difference(e.clone(), own.min), loops));
                self.shifted.insert((region, dim), v);
            }
        }
        out
    }

    /// A stage with a shifted tile computes what later ones store to as well, where that is no point of the pure loops: the
    /// longer its region is, the less the tile reaches below it. [rule: halide.pure-region]
    fn stored(&mut self, site: Site, point: &[(usize, Expr)], origin: &Origin) {
        for stage in 0..site.stage {
            let before = Region::Cpu(Site { stage, ..site });
            for (dim, e) in point {
                let Some(v) = self.shifted.get(&(before, *dim)) else { continue };
                if !matches!(e, Expr::Var(Var::Loop(_, w)) if w == v) {
                    self.demand(before, *dim, (e.clone(), e.clone()), origin);
                }
            }
        }
    }

    /// The way to here: one for all demands that have the same.
    fn shared(&self) -> Rc<[Rc<Step>]> {
        let same = |a: &[Rc<Step>]| {
            a.len() == self.path.len() && a.iter().zip(&self.path).all(|(a, b)| Rc::ptr_eq(a, b))
        };
        if let Some(last) = self.out.demands.last().filter(|d| same(&d.path)) {
            return last.path.clone();
        }
        self.path.as_slice().into()
    }

    fn demand(&mut self, region: Region, dim: usize, (lo, hi): (Expr, Expr), origin: &Origin) {
        if self.dead {
            return;
        }
        let (path, when) = (self.shared(), self.when.clone());
        self.out.demands.push(Demand { region, dim, lo, hi, path, when, origin: origin.clone() });
    }

    /// Facts about a func's values end where the func is written.
    fn forget(&mut self, f: Name) {
        let stale = |n: &Normal| n.to_expr().accesses().iter().any(|a| a.func == f);
        for step in &mut self.path {
            if matches!(step.as_ref(), Step::Fact(n) if stale(n)) {
                *step = Rc::new(Step::Fact(Normal::constant(0)));
            }
        }
    }
}
