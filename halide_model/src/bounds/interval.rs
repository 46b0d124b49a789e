//! The baseline engine β₀: interval arithmetic, conditions ignored. Thesis Fig. 2.10b; spec: [rule: halide.baseline].
//!
//! Two places of the figure are not taken literally: a variable in scope of the hole that is determined stands for
//! itself [H-11], and the interval of a quotient is `(-M, 2M + 1)`, not `(-M, 2M - 1)`, which misses both ends
//! [H-13]; lengths are cut off at 0 [H-14].

use super::demand::{Demand, Ends, Known, Step};
use super::float_range::truncated;
use super::normal::{Normal, Normalizer};
use super::query::Query;
use super::{NoBounds, Solution};
use crate::expr::{End, Expr, Interval, Region, Var};
use crate::op::math::Math;
use crate::op::{Bits, Op};
use crate::tgt::Program;
use crate::typed::Scalar;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// From `lo` to `hi`; `None` is infinite.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Range {
    lo: Option<Expr>,
    hi: Option<Expr>,
}

/// Γ: what is known of variables and regions.
struct Gamma<'a> {
    arithmetic: Arithmetic<'a>,
    /// Variables with the depth and the number of their binding, innermost last.
    vars: Vec<(usize, usize, Var, Bound)>,
    regions: Regions,
    depth: usize,
    /// How many variables were bound so far.
    bindings: usize,
    /// 𝓘 of a binding's variable or of a hole, for a hole of some depth; forgotten when a region grows.
    found: RefCell<FxHashMap<(usize, Var, usize), Range>>,
    /// The regions of which something was used in this scan.
    used: RefCell<BTreeSet<Region>>,
    /// Those that grew after they had been used.
    stale: BTreeSet<Region>,
    /// What each demand asked when it was looked at last, in the order of the scan.
    asked: Vec<Range>,
    /// How many demands this scan has seen.
    seen: usize,
}

/// Regions with the depth of their quantifier, and what they were found to contain; `None`: nothing yet.
type Regions = BTreeMap<Region, (usize, Vec<Option<Range>>)>;

/// What a variable stands for.
#[derive(Clone)]
enum Bound {
    /// A loop variable.
    In(Interval),
    /// A let variable: 𝓘 of its value is taken where it is used.
    Is(Expr),
}

/// β₀(𝓑(T)).
///
/// # Errors
/// The first region that is undetermined or unbounded: the engine answers `assert false`.
pub fn baseline(t: &Program, q: &Query) -> Result<Solution, NoBounds> {
    let terms = Normalizer::default();
    let arithmetic = Arithmetic { terms: &terms };
    let mut solution = Solution::default();
    let (regions, growing) = scanned(t, q, &terms);
    for (region, (_, dims)) in regions {
        if growing.contains(&region) {
            return Err(NoBounds {
                region,
                dim: 0,
                why: "it asks for more of itself when it grows".to_owned(),
            });
        }
        let mut bounds = Vec::new();
        for (dim, known) in dims.into_iter().enumerate() {
            let none = |why: &str| NoBounds { region, dim, why: why.to_owned() };
            let range = known.ok_or_else(|| none("nothing determines it"))?;
            bounds.push(arithmetic.finite(range).ok_or_else(|| none("it is not bounded"))?);
        }
        solution.regions.insert(region, bounds);
    }
    Ok(solution)
}

/// The interval of one demand on a region, by the same arithmetic: regions on the way are the ones that are known.
pub(super) fn of_demand(d: &Demand, known: &Known, terms: &Normalizer) -> (Option<Expr>, Option<Expr>) {
    let mut gamma = Gamma::new(terms);
    let mut scope = 0;
    for step in d.path.iter() {
        match step.as_ref() {
            Step::Loop(v, i) => gamma.bind(*v, Bound::In(i.clone())),
            Step::Let(v, e) => gamma.bind(*v, Bound::Is(e.clone())),
            Step::Fact(_) | Step::Begins(..) => {}
            Step::Regions(regions) => {
                for r in regions {
                    gamma.depth += 1;
                    let range = |e: &Ends| Some(Range { lo: Some(e.lo.to_expr()), hi: Some(e.hi.to_expr()) });
                    let dims = known.ends.get(r).map(|ends| ends.iter().map(range).collect());
                    gamma.regions.insert(*r, (gamma.depth, dims.unwrap_or_default()));
                    if *r == d.region {
                        scope = gamma.depth;
                    }
                }
            }
        }
    }
    (gamma.interval(&d.lo, scope).lo, gamma.interval(&d.hi, scope).hi)
}

/// How often the query is scanned: a region that asks for a part of what it contains is known after the second time.
const SCANS: usize = 4;

/// One scan is enough unless a region grows after it was used, as one does that a predicate asks for more of itself. Then what
/// was found before is kept and the query is scanned again, until all that is asked is contained. What still grows after that
/// has no bounds. [rule: halide.closed], [H-18]
fn scanned(t: &Program, q: &Query, terms: &Normalizer) -> (Regions, BTreeSet<Region>) {
    let mut gamma = Gamma::new(terms);
    for _ in 0..SCANS {
        gamma.used.borrow_mut().clear();
        gamma.found.borrow_mut().clear();
        gamma.stale.clear();
        gamma.seen = 0;
        gamma.scan(q, &|r: Region| t.algorithm.rank(r.func()));
        if gamma.stale.is_empty() {
            break;
        }
    }
    (gamma.regions, gamma.stale)
}

impl<'a> Gamma<'a> {
    fn new(terms: &'a Normalizer) -> Gamma<'a> {
        Gamma {
            arithmetic: Arithmetic { terms },
            vars: Vec::new(),
            regions: BTreeMap::new(),
            depth: 0,
            bindings: 0,
            found: RefCell::default(),
            used: RefCell::default(),
            stale: BTreeSet::new(),
            asked: Vec::new(),
            seen: 0,
        }
    }

    fn bind(&mut self, v: Var, to: Bound) {
        self.depth += 1;
        self.bindings += 1;
        self.vars.push((self.depth, self.bindings, v, to));
    }

    /// `β₀(b, Γ)`, where conjunctions are read from the right.
    fn scan(&mut self, q: &Query, rank: &impl Fn(Region) -> usize) {
        match q {
            Query::Holds { .. } | Query::NonNegative(_) | Query::Changed(_) => {}
            Query::And(parts) => parts.iter().rev().for_each(|p| self.scan(p, rank)),
            Query::Implies(_, body) | Query::Inside { body, .. } => self.scan(body, rank),
            Query::Forall { var, domain, body } => self.bound(*var, Bound::In(domain.clone()), body, rank),
            Query::Let { var, value, body } => self.bound(*var, Bound::Is(value.clone()), body, rank),
            Query::Exists { regions, body } => {
                for r in regions {
                    self.depth += 1;
                    self.regions.entry(*r).or_insert_with(|| (self.depth, vec![None; rank(*r)]));
                }
                self.scan(body, rank);
                self.depth -= regions.len();
            }
            Query::Member { point, region, origin: _ } => {
                for (dim, e) in point {
                    let range = self.interval(e, self.scope(*region));
                    self.widen(*region, *dim, range);
                }
            }
            Query::Covers { region, inner, origin: _ } => {
                for (dim, i) in inner.iter().enumerate() {
                    let range = self.both_ends(i, self.scope(*region));
                    self.widen(*region, dim, range);
                }
            }
        }
    }

    fn bound(&mut self, v: Var, to: Bound, body: &Query, rank: &impl Fn(Region) -> usize) {
        self.bind(v, to);
        self.scan(body, rank);
        self.vars.pop();
        self.depth -= 1;
    }

    fn scope(&self, region: Region) -> usize {
        self.regions.get(&region).map_or(0, |(depth, _)| *depth)
    }

    /// `Γ[?ℓ ↦ Γ(?ℓ) ∪ I]`
    fn widen(&mut self, region: Region, dim: usize, range: Range) {
        if self.is_asked_before(&range) {
            return;
        }
        let Some((_, dims)) = self.regions.get_mut(&region) else { return };
        let Some(place) = dims.get_mut(dim) else { return };
        let wider = match place.as_ref() {
            None => range,
            Some(old) => self.arithmetic.union(old, &range),
        };
        if place.as_ref() != Some(&wider) {
            *place = Some(wider);
            self.found.borrow_mut().clear();
            if self.used.borrow().contains(&region) {
                self.stale.insert(region);
            }
        }
    }

    /// Whether the same demand has asked the same in the scan before: then it is contained.
    fn is_asked_before(&mut self, range: &Range) -> bool {
        let place = self.seen;
        self.seen += 1;
        match self.asked.get_mut(place) {
            Some(before) if before == range => true,
            Some(before) => {
                *before = range.clone();
                false
            }
            None => {
                self.asked.push(range.clone());
                false
            }
        }
    }

    /// All values between the ends of an interval: from the least it may begin with to the greatest it may end with.
    fn both_ends(&self, i: &Interval, scope: usize) -> Range {
        let last = sub(&add(&i.min, &i.len), &Expr::int(1));
        Range {
            lo: self.interval(&i.min, scope).lo,
            hi: self.interval(&self.arithmetic.limited(&last).unwrap_or(last), scope).hi,
        }
    }

    /// `𝓘(e, Γ)`, for a hole whose quantifier has this depth.
    fn interval(&self, e: &Expr, scope: usize) -> Range {
        if let Some(e) = self.in_scope(e, scope) {
            return Range { lo: self.arithmetic.limited(&e), hi: self.arithmetic.limited(&e) };
        }
        match e {
            Expr::Const(_) => Range::point(e.clone()),
            Expr::Access(_) => Range::ALL,
            Expr::Var(v) => self.variable(*v, scope),
            Expr::Op(Op::Math(Math::Truncate), args) => {
                let known = args.first().and_then(truncated);
                known
                    .map_or(Range::ALL, |(lo, hi)| Range { lo: Some(Expr::int(lo)), hi: Some(Expr::int(hi)) })
            }
            Expr::Op(op, args) => {
                let parts: Vec<Range> = args.iter().map(|e| self.interval(e, scope)).collect();
                self.arithmetic.operation(*op, &parts)
            }
        }
    }

    /// The expression, when nothing in it varies inside the scope: it stands for itself.
    fn in_scope(&self, e: &Expr, scope: usize) -> Option<Expr> {
        if !e.accesses().is_empty() {
            return None;
        }
        let mut map: BTreeMap<Var, Expr> = BTreeMap::new();
        for v in e.vars() {
            let range = if matches!(e, Expr::Var(_)) { return None } else { self.variable(v, scope) };
            let value = range.lo.filter(|lo| Some(lo) == range.hi.as_ref())?;
            map.insert(v, value);
        }
        self.arithmetic.limited(&e.substitute(&|v| map.get(&v).cloned()))
    }

    fn variable(&self, v: Var, scope: usize) -> Range {
        if let Var::Hole(h) = v {
            return match self.regions.get(&h.region) {
                Some((depth, _)) if *depth < scope => Range::point(Expr::Var(v)),
                Some((_, dims)) => {
                    self.used.borrow_mut().insert(h.region);
                    self.remembered((0, v, scope), || {
                        let known =
                            dims.get(h.dim).cloned().flatten().and_then(|r| self.arithmetic.finite(r));
                        let end = known.map(|i| if h.end == End::Min { i.min } else { i.len });
                        end.map_or(Range::ALL, |e| self.interval(&e, scope))
                    })
                }
                None => Range::ALL,
            };
        }
        match self.vars.iter().rev().find(|(_, _, w, _)| *w == v) {
            Some((depth, number, _, bound)) if *depth > scope => {
                self.remembered((*number, v, scope), || match bound {
                    Bound::In(i) => self.both_ends(i, scope),
                    Bound::Is(e) => self.interval(e, scope),
                })
            }
            Some(_) | None => Range::point(Expr::Var(v)),
        }
    }

    fn remembered(&self, key: (usize, Var, usize), find: impl FnOnce() -> Range) -> Range {
        if let Some(known) = self.found.borrow().get(&key) {
            return known.clone();
        }
        let range = find();
        self.found.borrow_mut().insert(key, range.clone());
        range
    }
}

impl Range {
    const ALL: Range = Range { lo: None, hi: None };

    fn point(e: Expr) -> Range {
        Range { lo: Some(e.clone()), hi: Some(e) }
    }
}

fn add(a: &Expr, b: &Expr) -> Expr {
    Expr::binary(Op::Add, a.clone(), b.clone())
}

fn sub(a: &Expr, b: &Expr) -> Expr {
    Expr::binary(Op::Sub, a.clone(), b.clone())
}

/// Ends with more nodes than this are taken for infinite: naive intervals double at every step [H-16].
const MAX_SIZE: usize = 8000;

/// Ends with more nodes than this are left as they are.
pub(super) const SIMPLIFIED: usize = 250;

/// Interval arithmetic: what an operation gives on all points of its arguments' ranges.
#[derive(Clone, Copy)]
struct Arithmetic<'a> {
    terms: &'a Normalizer,
}

impl Arithmetic<'_> {
    fn finite(&self, range: Range) -> Option<Interval> {
        let (lo, hi) = (range.lo?, range.hi?);
        let len = add(&sub(&hi, &lo), &Expr::int(1));
        if len.size() > SIMPLIFIED {
            return Some(Interval { min: lo, len: Expr::binary(Op::Max, len, Expr::int(0)) });
        }
        let len = self.terms.normalize(&len);
        let len = if self.terms.nonnegative(&len) {
            len
        } else {
            self.terms.maximum(vec![len, Normal::constant(0)])
        };
        Some(Interval { min: lo, len: len.to_expr() })
    }

    fn limited(&self, e: &Expr) -> Option<Expr> {
        match e.size() {
            0..=SIMPLIFIED => Some(self.terms.simplify(e)),
            size => (size <= MAX_SIZE).then(|| e.clone()),
        }
    }

    /// An operation on two ends; infinite when one is.
    fn with(&self, op: Op, a: &Option<Expr>, b: &Option<Expr>) -> Option<Expr> {
        self.limited(&Expr::binary(op, a.clone()?, b.clone()?))
    }

    /// The one of two ends that `op` picks; where one is infinite, `other` if the infinite one loses.
    fn pick(&self, op: Op, a: &Option<Expr>, b: &Option<Expr>, infinite_loses: bool) -> Option<Expr> {
        match (a, b) {
            (Some(_), Some(_)) => self.with(op, a, b),
            (Some(e), None) | (None, Some(e)) if infinite_loses => Some(e.clone()),
            _ => None,
        }
    }

    fn union(&self, a: &Range, b: &Range) -> Range {
        Range { lo: self.with(Op::Min, &a.lo, &b.lo), hi: self.with(Op::Max, &a.hi, &b.hi) }
    }

    fn operation(&self, op: Op, parts: &[Range]) -> Range {
        let (a, b) = match parts {
            [a, b] => (a, b),
            [_, a, b] if op == Op::Select => return self.union(a, b),
            [a] if !op.is_truth() => return self.unary(op, a),
            [_] => return Range { lo: Some(Expr::int(0)), hi: Some(Expr::int(1)) },
            _ => return Range::ALL,
        };
        match op {
            // What a truth value can be does not depend on its parts.
            Op::Or | Op::And | Op::Lt | Op::Gt | Op::Eq => {
                Range { lo: Some(Expr::int(0)), hi: Some(Expr::int(1)) }
            }
            Op::Add => Range { lo: self.with(Op::Add, &a.lo, &b.lo), hi: self.with(Op::Add, &a.hi, &b.hi) },
            Op::Sub => Range { lo: self.with(Op::Sub, &a.lo, &b.hi), hi: self.with(Op::Sub, &a.hi, &b.lo) },
            Op::Mul => self.product(a, b).unwrap_or(Range::ALL),
            Op::Div => self.quotient(a).unwrap_or(Range::ALL),
            Op::Mod => self.remainder(b).unwrap_or(Range { lo: Some(Expr::int(0)), hi: None }),
            Op::Min => {
                Range { lo: self.with(Op::Min, &a.lo, &b.lo), hi: self.pick(Op::Min, &a.hi, &b.hi, true) }
            }
            Op::Max => {
                Range { lo: self.pick(Op::Max, &a.lo, &b.lo, true), hi: self.with(Op::Max, &a.hi, &b.hi) }
            }
            Op::Bits(Bits::And) => self.masked(a, b),
            Op::Math(m) if m.is_truth() => Range { lo: Some(Expr::int(0)), hi: Some(Expr::int(1)) },
            Op::Not | Op::Select | Op::Cast(_) | Op::Abs | Op::Math(_) | Op::Tuple(_) | Op::Elem(_) => {
                Range::ALL
            }
            Op::Bits(Bits::Or | Bits::Xor | Bits::Shl | Bits::Shr) => Range::ALL,
        }
    }

    /// A cast does nothing where its argument lies in the type, and gives no more than the type holds.
    fn unary(&self, op: Op, a: &Range) -> Range {
        match op {
            Op::Cast(scalar) => self.cast(scalar, a).unwrap_or(Range::ALL),
            Op::Abs => Range { lo: Some(Expr::int(0)), hi: self.quotient(a).and_then(|r| r.hi) },
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Min | Op::Max | Op::Select => Range::ALL,
            Op::Or
            | Op::And
            | Op::Not
            | Op::Lt
            | Op::Gt
            | Op::Eq
            | Op::Bits(_)
            | Op::Math(_)
            | Op::Tuple(_)
            | Op::Elem(_) => Range::ALL,
        }
    }

    fn cast(&self, scalar: Scalar, a: &Range) -> Option<Range> {
        let (lo, hi) = scalar.range()?;
        let (lo, hi) = (Expr::int(lo.to_i64()?), Expr::int(hi.to_i64()?));
        let fits = match (&a.lo, &a.hi) {
            (Some(x), Some(y)) => self.terms.at_most(&lo, x) && self.terms.at_most(y, &hi),
            (None, _) | (_, None) => false,
        };
        if fits {
            return Some(a.clone());
        }
        scalar.narrow_range().map(|_| Range { lo: Some(lo), hi: Some(hi) })
    }

    /// `a & k` lies in `0..=k` where `k` is not negative.
    fn masked(&self, a: &Range, b: &Range) -> Range {
        let mask = |r: &Range| {
            let fine = r.lo.as_ref().is_some_and(|lo| self.terms.at_most(&Expr::int(0), lo));
            r.hi.clone().filter(|_| fine)
        };
        let hi = match (mask(a), mask(b)) {
            (None, None) => return Range::ALL,
            (a, b) => self.pick(Op::Min, &a, &b, true),
        };
        Range { lo: Some(Expr::int(0)), hi }
    }

    /// The four corners.
    fn product(&self, a: &Range, b: &Range) -> Option<Range> {
        let times = |x: &Option<Expr>, y: &Option<Expr>| self.with(Op::Mul, x, y);
        let corners =
            [times(&a.lo, &b.lo)?, times(&a.lo, &b.hi)?, times(&a.hi, &b.lo)?, times(&a.hi, &b.hi)?];
        let fold =
            |op| corners.iter().cloned().reduce(|x, y| Expr::binary(op, x, y)).and_then(|e| self.limited(&e));
        Some(Range { lo: fold(Op::Min), hi: fold(Op::Max) })
    }

    /// From `-M` to `M` where `M = max(-ω_min, ω_min + ω_len - 1)`.
    fn quotient(&self, a: &Range) -> Option<Range> {
        let minus = |e: Expr| Expr::binary(Op::Sub, Expr::int(0), e);
        let m = self.limited(&Expr::binary(Op::Max, minus(a.lo.clone()?), a.hi.clone()?))?;
        Some(Range { lo: Some(self.terms.simplify(&minus(m.clone()))), hi: Some(m) })
    }

    /// From 0 to `max(|b| - 1, 0)`.
    fn remainder(&self, b: &Range) -> Option<Range> {
        let minus = Expr::binary(Op::Sub, Expr::int(0), b.lo.clone()?);
        let most = Expr::binary(Op::Max, minus, b.hi.clone()?);
        let last = Expr::binary(Op::Max, sub(&most, &Expr::int(1)), Expr::int(0));
        Some(Range { lo: Some(Expr::int(0)), hi: Some(self.terms.simplify(&last)) })
    }
}
