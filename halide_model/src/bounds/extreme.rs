//! The least and the greatest value of an expression over what is quantified on the way to it.

use super::demand::{Ends, Known, Step, defined, last};
use super::normal::{Normal, Normalizer, Sum};
use super::tight::branches::is_integral;
use crate::expr::{Access, Expr, Interval, Region, Var};
use crate::op::Op;
use rewright_base::sym::Name;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;

mod conditions;
mod monotone;
mod positive;
mod quotient;
mod rounded;
mod scope;
mod typed;

use monotone::{Monotonicity, Signs, monotonicity};
use scope::is_small;

/// The greatest (`true`) or least value of a func, where it is known.
pub(crate) type Values<'a> = dyn Fn(Name, bool) -> Option<Expr> + 'a;

/// The way from a region's scope to a demand: what is bound on it, outermost first.
pub(crate) struct Path<'a> {
    /// Everything around the demand.
    steps: &'a [Rc<Step>],
    /// Where the inside of the region's scope begins.
    start: usize,
    region: Option<Region>,
    /// What is known not to be negative, and where on the way; lets are replaced by their values.
    facts: Vec<(usize, Normal)>,
    known: Option<&'a Known>,
    values: &'a Values<'a>,
    terms: &'a Normalizer,
    /// What was eliminated before: parts come again and again.
    found: RefCell<FxHashMap<(Normal, bool, usize), Option<Normal>>>,
    /// How many eliminations are left.
    fuel: Cell<usize>,
}

/// How many eliminations one demand may take.
const FUEL: usize = 2000;

/// An end with more nodes than this is given up.
const MAX_SIZE: usize = 1200;

/// A loop of at most this many iterations is looked at one by one.
const FEW: i64 = 8;

impl<'a> Path<'a> {
    /// The part of `steps` inside the scope of `region`, perhaps without facts about the region itself.
    pub(crate) fn new(
        steps: &'a [Rc<Step>],
        region: Region,
        known: &'a Known,
        values: &'a Values<'a>,
        terms: &'a Normalizer,
        own_facts: bool,
    ) -> Path<'a> {
        let opens = |s: &Rc<Step>| matches!(s.as_ref(), Step::Regions(rs) if rs.contains(&region));
        let start = steps.iter().position(opens).unwrap_or(0);
        let mut out =
            Path { steps, start, region: Some(region), known: Some(known), ..Path::open(values, terms) };
        for (i, step) in steps.iter().enumerate() {
            let n = match step.as_ref() {
                Step::Fact(n) => n,
                Step::Begins(n, loops) if start < *loops => n,
                Step::Begins(..) | Step::Loop(..) | Step::Let(..) | Step::Regions(_) => continue,
            };
            let fact = out.with_values(n, start..i);
            if own_facts || !is_about(&fact, region) {
                out.facts.push((i, fact));
            }
        }
        out
    }

    /// All of `steps`, with what they say, before anything is known of regions.
    pub(crate) fn within(steps: &'a [Rc<Step>], values: &'a Values<'a>, terms: &'a Normalizer) -> Path<'a> {
        let mut out = Path { steps, ..Path::open(values, terms) };
        for (i, step) in steps.iter().enumerate() {
            if let Step::Fact(n) = step.as_ref() {
                let fact = out.with_values(n, 0..i);
                out.facts.push((i, fact));
            }
        }
        out
    }

    /// A path with nothing quantified but variables without bounds.
    pub(crate) fn open(values: &'a Values<'a>, terms: &'a Normalizer) -> Path<'a> {
        Path {
            steps: &[],
            start: 0,
            region: None,
            facts: Vec::new(),
            known: None,
            values,
            terms,
            found: RefCell::default(),
            fuel: Cell::new(FUEL),
        }
    }

    /// With the lets of a part of the way replaced by their values.
    fn with_values(&self, n: &Normal, part: Range<usize>) -> Normal {
        let mut n = n.clone();
        for step in self.steps.get(part).unwrap_or_default().iter().rev() {
            if let Step::Let(v, value) = step.as_ref() {
                n = self.terms.replaced(&n, *v, &self.terms.normalize(value));
            }
        }
        n
    }

    /// The greatest (`up`) or least value of `e`; `None` when there is none.
    pub(crate) fn extreme(&self, e: &Expr, up: bool) -> Option<Expr> {
        let n = self.eliminate(&self.terms.normalize(e), up, self.start)?;
        let end = self.sharpened(self.in_terms_of_scope(n, up), up);
        Some(self.terms.trimmed(&end, up).to_expr())
    }

    /// The ends of a loop that runs: of one over the bounds of a region, the ends of the region. Where a region is empty, its
    /// ends tell how empty: what is asked through it is less.
    fn ends_of(&self, at: usize, domain: &Interval) -> (Normal, Normal) {
        if let Some((r, d)) = hole_of(domain)
            && let Some(all) = self.known.and_then(|k| k.ends.get(&r))
            && let Some(ends) = all.get(d)
        {
            let opens = |s: &Rc<Step>| matches!(s.as_ref(), Step::Regions(rs) if rs.contains(&r));
            let inside = self.steps.iter().take(at).skip(self.start + 1).any(opens);
            if inside || is_small(ends) {
                return (ends.lo.clone(), self.not_before(&ends.lo, &ends.hi));
            }
        }
        (self.terms.normalize(&domain.min), self.terms.normalize(&last(domain, self.terms)))
    }

    /// The last point of what has one: the greatest of several ends is none that lies before the first point. The length of a
    /// region in terms of another one's is cut off at 0, which leaves such an end.
    fn not_before(&self, lo: &Normal, hi: &Normal) -> Normal {
        let Normal::Max(parts) = hi else { return hi.clone() };
        let one = Normal::constant(1);
        let before = |end: &Normal| self.terms.not_more(&self.terms.add(end, &one), lo);
        let rest: Vec<Normal> = parts.iter().filter(|end| !before(end)).cloned().collect();
        if rest.is_empty() { hi.clone() } else { self.terms.maximum(rest) }
    }

    fn binds_inside(&self, v: Var) -> bool {
        self.steps.iter().skip(self.start).any(|s| match s.as_ref() {
            Step::Loop(w, _) | Step::Let(w, _) => *w == v,
            Step::Regions(rs) => v.region().is_some_and(|r| rs.contains(&r)),
            Step::Fact(_) | Step::Begins(..) => false,
        })
    }

    /// Whether something is certainly not negative, by what is known on the way.
    fn known(&self, n: &Normal) -> bool {
        self.terms.nonnegative(n)
            || self
                .facts
                .iter()
                .any(|(_, f)| self.terms.nonnegative(&self.terms.add(n, &self.terms.scale(f, -1))))
    }

    /// An end of `n` without what is bound from the `from`-th step on.
    fn eliminate(&self, n: &Normal, up: bool, from: usize) -> Option<Normal> {
        if let Normal::Sum(s) = n
            && s.as_constant().is_some()
        {
            return Some(n.clone());
        }
        let key = (n.clone(), up, from);
        if let Some(known) = self.found.borrow().get(&key) {
            return known.clone();
        }
        self.fuel.set(self.fuel.get().checked_sub(1)?);
        let end = self.outwards(n.clone(), up, from, self.steps.len());
        self.found.borrow_mut().insert(key, end.clone());
        end
    }

    /// The steps before the `to`-th are left.
    fn outwards(&self, mut n: Normal, up: bool, from: usize, to: usize) -> Option<Normal> {
        for i in (from..to).rev() {
            if n.size() > MAX_SIZE {
                return None;
            }
            let Some(step) = self.steps.get(i) else { continue };
            match step.as_ref() {
                Step::Fact(_) | Step::Begins(..) => {}
                Step::Let(v, value) => {
                    let (told, begins) = self.told(&n, i, *v, up);
                    n = self.terms.replaced(&n, *v, &self.terms.normalize(value));
                    if !told.is_empty() {
                        // Where it is known where a shifted variable begins, its loops know nothing better.
                        let loops = (!begins).then_some(n);
                        let all = told.into_iter().chain(loops);
                        let ends = all.filter_map(|n| self.outwards(n, up, from, i)).collect();
                        return self.best(ends, up);
                    }
                }
                Step::Regions(regions) if i > self.start => {
                    let mut forms = vec![n];
                    for r in regions.iter().rev().filter(|r| Some(**r) != self.region) {
                        if let Some(ends) = self.known.and_then(|k| k.ends.get(r)) {
                            forms = self.defined_forms(forms, *r, ends, up);
                        }
                    }
                    n = match <[Normal; 1]>::try_from(forms) {
                        Ok([only]) => only,
                        Err(forms) => {
                            let ends =
                                forms.into_iter().filter_map(|n| self.outwards(n, up, from, i)).collect();
                            return self.best(ends, up);
                        }
                    };
                }
                Step::Regions(_) => {}
                Step::Loop(v, domain) => {
                    if !n.mentions(*v) {
                        continue;
                    }
                    let (first, last) = self.ends_of(i, domain);
                    if first == last {
                        // What a single iteration asks for.
                        n = self.terms.replaced(&n, *v, &first);
                        continue;
                    }
                    let end = match self.grows(&n, *v) {
                        Monotonicity::Increasing => self.end(i, *v, domain, up),
                        Monotonicity::Decreasing => self.end(i, *v, domain, !up),
                        Monotonicity::Constant | Monotonicity::Unknown => {
                            let few = self.one_by_one(&n, *v, (&first, &last), up, (from, i));
                            let parts = self.by_parts(&n, up, from);
                            return few
                                .zip(parts.clone())
                                .map_or(parts, |(few, parts)| Some(self.nearer(parts, few, up)));
                        }
                    };
                    n = self.sharpened(self.terms.replaced(&n, *v, &end), up);
                    n = self.terms.trimmed(&n, up);
                }
            }
        }
        if is_open(&n) { self.by_parts(&n, up, from) } else { Some(n) }
    }

    /// What each iteration of a loop of few asks for, together: part by part, what goes along with the variable in two places would
    /// be bounded apart from each other. Nothing where no iteration is known to reach beyond all others,
    /// and of operations that the solver knows nothing of: what comes of constants could not be verified.
    fn one_by_one(
        &self,
        n: &Normal,
        v: Var,
        (first, last): (&Normal, &Normal),
        up: bool,
        (from, at): (usize, usize),
    ) -> Option<Normal> {
        let constant = |n: &Normal| as_sum(n)?.as_constant();
        let (first, last) = (constant(first)?, constant(last)?);
        if last.checked_sub(first)? >= FEW || !is_integral(&n.to_expr()) {
            return None;
        }
        self.fuel.set(self.fuel.get().checked_sub(1)?);
        let of = |i| self.outwards(self.terms.replaced(n, v, &Normal::constant(i)), up, from, at);
        let ends = (first..=last).map(of).collect::<Option<Vec<_>>>().filter(|ends| !ends.is_empty())?;
        let all = if up { self.terms.maximum(ends) } else { self.terms.minimum(ends) };
        as_sum(&all).is_some().then_some(all)
    }

    /// One of two ends: the other one only where it is known to be as near.
    fn nearer(&self, other: Normal, end: Normal, up: bool) -> Normal {
        let near = if up { self.terms.not_more(&other, &end) } else { self.terms.not_more(&end, &other) };
        if near { other } else { end }
    }

    /// With quotients like `(n·q - 1) div n`, the last row of a fused loop, replaced by what they are at most or at least.
    fn sharpened(&self, n: Normal, up: bool) -> Normal {
        let Normal::Sum(s) = n else {
            return match n {
                Normal::Min(parts) => {
                    self.terms.minimum(parts.into_iter().map(|p| self.sharpened(p, up)).collect())
                }
                Normal::Max(parts) => {
                    self.terms.maximum(parts.into_iter().map(|p| self.sharpened(p, up)).collect())
                }
                Normal::Sum(_) => n,
            };
        };
        if !s.atoms().any(is_symbolic_quotient) {
            return Normal::Sum(s);
        }
        let mut out = Normal::constant(s.constant);
        for (atom, k) in s.terms() {
            let end = self.exact_end(atom, up == (*k > 0)).unwrap_or_else(|| self.terms.normalize(atom));
            out = self.terms.add(&out, &self.terms.scale(&end, *k));
        }
        out
    }

    fn exact_end(&self, atom: &Expr, up: bool) -> Option<Normal> {
        let Expr::Op(Op::Div, args) = atom else { return None };
        let [a, b] = args.as_ref() else { return None };
        let b = self.terms.normalize(b);
        if as_sum(&b).is_none_or(|s| s.as_constant().is_some()) || !self.positive(&b) {
            return None;
        }
        self.exact(&self.terms.normalize(a), &b, up)
    }

    /// The least of what all are at least (`up`), or the greatest; none of none.
    fn best(&self, ends: Vec<Normal>, up: bool) -> Option<Normal> {
        (!ends.is_empty())
            .then(|| if up { self.terms.minimum(ends) } else { self.terms.maximum(ends) })
            .map(|end| self.terms.trimmed(&end, up))
    }

    fn grows(&self, n: &Normal, v: Var) -> Monotonicity {
        monotonicity(n, v, &Signs { terms: self.terms, known: &|n| self.known(n) })
    }

    /// The last (`up`) or first value of a loop's variable: the end of its range, narrowed by conditions.
    fn end(&self, at: usize, v: Var, domain: &Interval, up: bool) -> Normal {
        let (lo, hi) = self.ends_of(at, domain);
        let mut ends = self.candidates(&self.facts, &Expr::Var(v), up, at + 1, at + 1);
        ends.retain(|n| !n.mentions(v));
        ends.push(if up { hi } else { lo });
        let end = if up { self.terms.minimum(ends) } else { self.terms.maximum(ends) };
        self.terms.trimmed(&end, up)
    }

    /// Part by part: each atom at its own end.
    fn by_parts(&self, n: &Normal, up: bool, from: usize) -> Option<Normal> {
        let all =
            |parts: &[Normal]| parts.iter().map(|p| self.eliminate(p, up, from)).collect::<Option<Vec<_>>>();
        match n {
            Normal::Min(parts) if up => {
                // Any part is an upper bound of the minimum.
                let known: Vec<Normal> = parts.iter().filter_map(|p| self.eliminate(p, up, from)).collect();
                (!known.is_empty()).then(|| self.terms.minimum(known))
            }
            Normal::Max(parts) if !up => {
                let known: Vec<Normal> = parts.iter().filter_map(|p| self.eliminate(p, up, from)).collect();
                (!known.is_empty()).then(|| self.terms.maximum(known))
            }
            Normal::Min(parts) => all(parts).map(|parts| self.terms.minimum(parts)),
            Normal::Max(parts) => all(parts).map(|parts| self.terms.maximum(parts)),
            Normal::Sum(s) => {
                let plain = self.without_quotients(s, up).and_then(|n| self.eliminate(&n, up, from));
                self.best(self.term_by_term(s, up, from).into_iter().chain(plain).collect(), up)
            }
        }
    }

    fn term_by_term(&self, s: &Sum, up: bool, from: usize) -> Option<Normal> {
        let mut out = Normal::constant(s.constant);
        for (a, k) in s.terms() {
            let end = self.atom(a, up == (*k > 0), from)?;
            out = self.terms.add(&out, &self.terms.scale(&end, *k));
        }
        Some(out)
    }

    fn atom(&self, e: &Expr, up: bool, from: usize) -> Option<Normal> {
        match e {
            Expr::Const(_) => None,
            Expr::Var(Var::Local(_)) => None,
            Expr::Var(_) => self.eliminate(&self.terms.normalize(e), up, from),
            Expr::Access(a) => self.access(e, a, up, from),
            Expr::Op(op, args) => self.operation(*op, args, up, from),
        }
    }

    /// A value read from memory: what is known of its func's values, and what conditions say.
    fn access(&self, e: &Expr, a: &Access, up: bool, from: usize) -> Option<Normal> {
        let mut ends = self.candidates(&self.facts, e, up, 0, from);
        ends.extend((self.values)(a.func, up).map(|e| self.terms.normalize(&e)));
        ends.retain(|n| !has_access(&n.to_expr()));
        if ends.is_empty() {
            return None;
        }
        Some(if up { self.terms.minimum(ends) } else { self.terms.maximum(ends) })
    }

    fn of(&self, e: &Expr, up: bool, from: usize) -> Option<Normal> {
        self.eliminate(&self.terms.normalize(e), up, from)
    }

    /// An end of an operation; none with the wrong number of arguments.
    fn operation(&self, op: Op, args: &[Expr], up: bool, from: usize) -> Option<Normal> {
        let (a, b) = match args {
            [a, b] => (a, b),
            [_, a, b] if op == Op::Select => {
                let ends = vec![self.of(a, up, from)?, self.of(b, up, from)?];
                return Some(if up { self.terms.maximum(ends) } else { self.terms.minimum(ends) });
            }
            [_] if op.is_truth() => return Some(Normal::constant(i64::from(up))),
            [a] => return self.unary(op, a, up, from),
            _ => return None,
        };
        match op {
            Op::Min => {
                self.by_parts(&Normal::Min(vec![self.terms.normalize(a), self.terms.normalize(b)]), up, from)
            }
            Op::Max => {
                self.by_parts(&Normal::Max(vec![self.terms.normalize(a), self.terms.normalize(b)]), up, from)
            }
            Op::Mul => self.product(a, b, up, from),
            Op::Div => self.quotient(a, b, up, from),
            Op::Mod => self.remainder(a, b, up, from),
            Op::Or | Op::And | Op::Lt | Op::Gt | Op::Eq => Some(Normal::constant(i64::from(up))),
            // Sums are in normal form and no atoms.
            Op::Add | Op::Sub | Op::Not | Op::Select => None,
            Op::Bits(bits) => self.bits(bits, a, b, up, from),
            Op::Math(m) => m.is_truth().then(|| Normal::constant(i64::from(up))),
            Op::Cast(_) | Op::Abs | Op::Tuple(_) | Op::Elem(_) => None,
        }
    }

    fn product(&self, a: &Expr, b: &Expr, up: bool, from: usize) -> Option<Normal> {
        let ends = |e: &Expr| Some([self.of(e, false, from)?, self.of(e, true, from)?]);
        let (xs, ys) = (ends(a)?, ends(b)?);
        let times =
            |x: &Normal, y: &Normal| self.terms.normalize(&Expr::binary(Op::Mul, x.to_expr(), y.to_expr()));
        let corners: Vec<Normal> = if a == b {
            let [x, y] = &xs;
            if !up && !self.terms.nonnegative(x) {
                return Some(Normal::constant(0));
            }
            vec![times(x, x), times(y, y)]
        } else {
            xs.iter().flat_map(|x| ys.iter().map(|y| times(x, y))).collect()
        };
        Some(if up { self.terms.maximum(corners) } else { self.terms.minimum(corners) })
    }
}

/// `a div b` where `b` is no constant.
fn is_symbolic_quotient(atom: &Expr) -> bool {
    matches!(atom, Expr::Op(Op::Div, args) if args.get(1).is_some_and(|b| b.as_i64().is_none()))
}

/// The region and dimension whose bounds an interval is.
fn hole_of(i: &Interval) -> Option<(Region, usize)> {
    let Expr::Var(Var::Hole(h)) = &i.min else { return None };
    (*i == Interval::hole(h.region, h.dim)).then_some((h.region, h.dim))
}

/// Whether values from memory or variables without bounds are left.
fn is_open(n: &Normal) -> bool {
    let mut found = false;
    match n {
        Normal::Sum(s) => s.atoms().for_each(|a| {
            a.visit(&mut |e| match e {
                Expr::Access(_) => found = true,
                Expr::Var(v) => found |= v.is_local(),
                Expr::Const(_) | Expr::Op(..) => {}
            });
        }),
        Normal::Min(parts) | Normal::Max(parts) => found = parts.iter().any(is_open),
    }
    found
}

fn is_about(n: &Normal, region: Region) -> bool {
    n.to_expr().has_var(&|v| v.region() == Some(region))
}

fn as_sum(n: &Normal) -> Option<&Sum> {
    match n {
        Normal::Sum(s) => Some(s),
        Normal::Min(_) | Normal::Max(_) => None,
    }
}

fn contains(e: &Expr, part: &Expr) -> bool {
    let mut found = false;
    e.visit(&mut |e| found |= e == part);
    found
}

fn has_access(e: &Expr) -> bool {
    !e.accesses().is_empty()
}
