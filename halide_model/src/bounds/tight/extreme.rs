//! The least and the greatest value of an expression over what is quantified on the way to it.

use super::super::normal::{Normal, Sum, factors, maximum, minimum, nonnegative, normalize, simplify};
use super::super::values::Ranges;
use super::monotone::{Trend, trend};
use super::{Ends, Known, Step, last};
use crate::expr::{Access, End, Expr, Hole, Interval, Region, Var};
use crate::value::Op;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A variable that is quantified, and between which ends; one value where both are the same.
struct Quantified {
    var: Var,
    lo: Normal,
    hi: Normal,
}

/// What is quantified inside the scope of a region, outermost first; lets and holes come last, for they are
/// replaced first by what they stand for.
pub(crate) struct Path<'a> {
    loops: Vec<Quantified>,
    /// What is known not to be negative, and inside how many loops.
    facts: Vec<(usize, Normal)>,
    ranges: &'a Ranges,
}

/// Holes in scope whose definition has at most this many terms are replaced by it, so that more cancels.
const SIMPLE: usize = 2;

impl<'a> Path<'a> {
    /// The part of `steps` inside the scope of `region`, perhaps without facts about the region itself.
    pub(crate) fn new(
        steps: &[Rc<Step>],
        region: Region,
        known: &Known,
        ranges: &'a Ranges,
        own_facts: bool,
    ) -> Path<'a> {
        let mut inlined: BTreeMap<Var, Expr> = BTreeMap::new();
        let mut ends: BTreeMap<Region, Vec<Ends>> = BTreeMap::new();
        let mut out = Path { loops: Vec::new(), facts: Vec::new(), ranges };
        let mut inside = false;
        for step in steps {
            match step.as_ref() {
                Step::Regions(regions) => {
                    for r in regions {
                        inside |= *r == region;
                        let Some(found) = known.ends.get(r).filter(|_| *r != region) else { continue };
                        let found: Vec<Ends> = found.iter().map(|e| e.inlined(&inlined)).collect();
                        if inside || r.func() == region.func() || found.iter().all(is_simple) {
                            define(*r, &found, &mut inlined);
                        }
                        // Where a region is empty, its ends tell how empty: what is asked through it is less.
                        if inside || found.iter().all(|e| e.is_small()) {
                            ends.insert(*r, found);
                        }
                    }
                }
                Step::Loop(v, domain) if inside => {
                    let (lo, hi) = match hole_of(domain).and_then(|(r, d)| ends.get(&r)?.get(d)) {
                        Some(e) => (e.lo.clone(), e.hi.clone()),
                        None => {
                            let domain = domain.map(&mut |e| inline(e, &inlined));
                            (normalize(&domain.min), normalize(&last(&domain)))
                        }
                    };
                    out.loops.push(Quantified { var: *v, lo, hi });
                }
                Step::Let(v, e) if inside => {
                    let e = inline(e, &inlined);
                    inlined.insert(*v, e);
                }
                Step::Fact(n) => {
                    let fact = normalize(&inline(&n.to_expr(), &inlined));
                    if own_facts || !is_about(&fact, region) {
                        out.facts.push((out.loops.len(), fact));
                    }
                }
                Step::Loop(..) | Step::Let(..) => {}
            }
        }
        let values = inlined.into_iter().map(|(var, e)| (var, normalize(&e)));
        out.loops.extend(values.map(|(var, e)| Quantified { var, lo: e.clone(), hi: e }));
        out
    }

    /// A path with nothing quantified but variables without bounds.
    pub(crate) fn open(ranges: &'a Ranges) -> Path<'a> {
        Path { loops: Vec::new(), facts: Vec::new(), ranges }
    }

    /// The greatest (`up`) or least value of `e`; `None` when there is none.
    pub(crate) fn extreme(&self, e: &Expr, up: bool) -> Option<Expr> {
        self.eliminate(&normalize(e), up, 0).map(|n| n.to_expr())
    }

    /// An end in terms of what is in scope, tightened by conditions that are in scope as well: where `k >= 0` is
    /// known, `min(e, e + k)` is `e`, and the variables that `k` cancels are gone from it.
    pub(crate) fn clamped(&self, e: &Expr, up: bool) -> Expr {
        let mut ends = vec![normalize(e)];
        let Normal::Sum(end) = normalize(e) else { return e.clone() };
        for fact in self.facts.iter().filter_map(|(_, f)| as_sum(f)) {
            let in_scope = |v: &Var| self.loops.iter().all(|q| q.var != *v);
            if !fact.to_expr().vars().iter().all(in_scope) || has_access(&fact.to_expr()) {
                continue;
            }
            for (atom, k) in end.terms.iter().filter(|(a, _)| matches!(a, Expr::Var(Var::Loop(..)))) {
                let Some(l) = fact.terms.get(atom) else { continue };
                let times = if up { -(k / l) } else { k / l };
                if k % l == 0 && times > 0 {
                    let scaled = Normal::Sum(fact.clone()).scale(if up { times } else { -times });
                    ends.push(normalize(e).add(&scaled));
                }
            }
        }
        (if up { minimum(ends) } else { maximum(ends) }).to_expr()
    }

    /// Whether something is certainly not negative, by what is known on the way.
    fn known(&self, n: &Normal) -> bool {
        nonnegative(n) || self.facts.iter().any(|(_, f)| nonnegative(&n.add(&f.scale(-1))))
    }

    /// An end of `n` without the loop variables from the `from`-th on.
    fn eliminate(&self, n: &Normal, up: bool, from: usize) -> Option<Normal> {
        let mut n = n.clone();
        for i in (from..self.loops.len()).rev() {
            let Some(Quantified { var: v, lo, hi }) = self.loops.get(i) else { continue };
            let e = n.to_expr();
            if !e.mentions(*v) {
                continue;
            }
            if lo == hi {
                n = normalize(&substitute(&e, *v, &lo.to_expr()));
                continue;
            }
            let end = match trend(&n, *v, &|n| self.known(n)) {
                Trend::Constant => continue,
                Trend::Up => self.end(i, up)?,
                Trend::Down => self.end(i, !up)?,
                Trend::Unknown => return self.by_parts(&n, up, from),
            };
            n = normalize(&substitute(&e, *v, &end.to_expr()));
        }
        if n.to_expr().vars().iter().any(|v| matches!(v, Var::Local(_))) || has_access(&n.to_expr()) {
            return self.by_parts(&n, up, from);
        }
        Some(n)
    }

    /// The last (`up`) or first value of the `i`-th loop's variable: the end of its range, narrowed by conditions.
    fn end(&self, i: usize, up: bool) -> Option<Normal> {
        let Quantified { var: v, lo, hi } = self.loops.get(i)?;
        let own = if up { hi.clone() } else { lo.clone() };
        let atom = Expr::Var(*v);
        let mut ends = self.candidates(&atom, up, i + 1, i + 1);
        ends.retain(|n| !n.to_expr().mentions(*v));
        ends.push(own);
        Some(if up { minimum(ends) } else { maximum(ends) })
    }

    /// What conditions inside at least `depth` loops say about an atom, without the loop variables from `from` on.
    fn candidates(&self, atom: &Expr, up: bool, depth: usize, from: usize) -> Vec<Normal> {
        let mut out = Vec::new();
        for (inside, fact) in &self.facts {
            if *inside < depth {
                continue;
            }
            let of = |n: &Normal| self.candidate(as_sum(n)?, atom, up, from);
            match fact {
                Normal::Sum(_) => out.extend(of(fact)),
                // All parts of a minimum are not negative when it is not; of a maximum, some part.
                Normal::Min(parts) => out.extend(parts.iter().filter_map(of)),
                Normal::Max(parts) => {
                    let ends = parts.iter().map(of).collect::<Option<Vec<_>>>();
                    out.extend(ends.map(|ends| if up { maximum(ends) } else { minimum(ends) }));
                }
            }
        }
        out
    }

    /// `k·a + rest >= 0`: `a <= rest div -k` when `k` is negative, `a >= -(rest div k)` when it is positive.
    fn candidate(&self, s: &Sum, atom: &Expr, up: bool, from: usize) -> Option<Normal> {
        let k = *s.terms.get(atom)?;
        if (k < 0) != up {
            return None;
        }
        let mut rest = s.clone();
        rest.terms.remove(atom);
        let rest_expr = rest.to_expr();
        if contains(&rest_expr, atom) {
            return None;
        }
        let quotient = normalize(&Expr::binary(Op::Div, rest_expr, Expr::int(k.checked_abs()?)));
        let end = self.eliminate(&quotient, true, from)?;
        Some(if up { end } else { end.scale(-1) })
    }

    /// Part by part: each atom at its own end.
    fn by_parts(&self, n: &Normal, up: bool, from: usize) -> Option<Normal> {
        let all = |parts: &[Normal]| parts.iter().map(|p| self.eliminate(p, up, from)).collect::<Option<Vec<_>>>();
        match n {
            Normal::Min(parts) if up => {
                // Any part is an upper bound of the minimum.
                let known: Vec<Normal> = parts.iter().filter_map(|p| self.eliminate(p, up, from)).collect();
                (!known.is_empty()).then(|| minimum(known))
            }
            Normal::Max(parts) if !up => {
                let known: Vec<Normal> = parts.iter().filter_map(|p| self.eliminate(p, up, from)).collect();
                (!known.is_empty()).then(|| maximum(known))
            }
            Normal::Min(parts) => all(parts).map(minimum),
            Normal::Max(parts) => all(parts).map(maximum),
            Normal::Sum(s) => {
                let mut out = Normal::constant(s.constant);
                for (a, k) in &s.terms {
                    out = out.add(&self.atom(a, up == (*k > 0), from)?.scale(*k));
                }
                Some(out)
            }
        }
    }

    fn atom(&self, e: &Expr, up: bool, from: usize) -> Option<Normal> {
        match e {
            Expr::Const(_) => None,
            Expr::Var(Var::Local(_)) => None,
            Expr::Var(_) => self.eliminate(&normalize(e), up, from),
            Expr::Access(a) => self.access(e, a, up, from),
            Expr::Op(op, args) => self.operation(*op, args, up, from),
        }
    }

    /// A value read from memory: what is known of its func's values, and what conditions say.
    fn access(&self, e: &Expr, a: &Access, up: bool, from: usize) -> Option<Normal> {
        let mut ends = self.candidates(e, up, 0, from);
        ends.extend(self.ranges.end(a.func, up).map(|e| normalize(&e)));
        ends.retain(|n| !has_access(&n.to_expr()));
        if ends.is_empty() {
            return None;
        }
        Some(if up { minimum(ends) } else { maximum(ends) })
    }

    fn of(&self, e: &Expr, up: bool, from: usize) -> Option<Normal> {
        self.eliminate(&normalize(e), up, from)
    }

    fn operation(&self, op: Op, args: &[Expr], up: bool, from: usize) -> Option<Normal> {
        match (op, args) {
            (Op::Min | Op::Max, [a, b]) => {
                let parts = vec![normalize(a), normalize(b)];
                let n = if op == Op::Min { Normal::Min(parts) } else { Normal::Max(parts) };
                self.by_parts(&n, up, from)
            }
            (Op::Select, [_, a, b]) => {
                let ends = vec![self.of(a, up, from)?, self.of(b, up, from)?];
                Some(if up { maximum(ends) } else { minimum(ends) })
            }
            (Op::Mul, [a, b]) => self.product(a, b, up, from),
            (Op::Div, [a, b]) => self.quotient(a, b, up, from),
            (Op::Mod, [a, b]) => self.remainder(a, b, up, from),
            (Op::Or | Op::And | Op::Not | Op::Lt | Op::Gt | Op::Eq, _) => Some(Normal::constant(i64::from(up))),
            _ => None,
        }
    }

    fn product(&self, a: &Expr, b: &Expr, up: bool, from: usize) -> Option<Normal> {
        let ends = |e: &Expr| Some([self.of(e, false, from)?, self.of(e, true, from)?]);
        let (xs, ys) = (ends(a)?, ends(b)?);
        let times = |x: &Normal, y: &Normal| normalize(&Expr::binary(Op::Mul, x.to_expr(), y.to_expr()));
        let corners: Vec<Normal> = if a == b {
            let [x, y] = &xs;
            if !up && !nonnegative(x) {
                return Some(Normal::constant(0));
            }
            vec![times(x, x), times(y, y)]
        } else {
            xs.iter().flat_map(|x| ys.iter().map(|y| times(x, y))).collect()
        };
        Some(if up { maximum(corners) } else { minimum(corners) })
    }

    fn quotient(&self, a: &Expr, b: &Expr, up: bool, from: usize) -> Option<Normal> {
        if let Some(k) = simplify(b).as_i64() {
            let end = self.of(a, up == (k > 0), from)?;
            return Some(normalize(&Expr::binary(Op::Div, end.to_expr(), Expr::int(k))));
        }
        let same_divisor = self.of(b, true, from)? == normalize(b);
        if same_divisor
            && self.known(&normalize(b))
            && let Normal::Sum(end) = self.of(a, up, from)?
            && let Some(q) = exact_quotient(&end, &normalize(b), up)
        {
            return Some(q);
        }
        // |a div b| <= |a|
        let (lo, hi) = (self.of(a, false, from)?, self.of(a, true, from)?);
        let most = maximum(vec![lo.scale(-1), hi]);
        Some(if up { most } else { most.scale(-1) })
    }

    fn remainder(&self, a: &Expr, b: &Expr, up: bool, from: usize) -> Option<Normal> {
        if let Some(k) = simplify(b).as_i64() {
            return Some(self.constant_remainder(a, k, up, from));
        }
        if !up {
            return Some(Normal::constant(0));
        }
        let most = self.of(b, true, from)?;
        let one_less = Normal::constant(-1);
        if self.known(&normalize(b)) {
            return Some(most.add(&one_less));
        }
        let least = self.of(b, false, from)?.scale(-1);
        Some(maximum(vec![most.add(&one_less), least.add(&one_less), Normal::constant(0)]))
    }

    /// `0..|k|`, or less when the whole range of `a` has one quotient.
    fn constant_remainder(&self, a: &Expr, k: i64, up: bool, from: usize) -> Normal {
        let ends = (self.of(a, false, from), self.of(a, true, from));
        if let (Some(lo), Some(hi)) = ends {
            let over = |n: &Normal, op| simplify(&Expr::binary(op, n.to_expr(), Expr::int(k)));
            if over(&lo, Op::Div) == over(&hi, Op::Div) {
                return normalize(&over(if up { &hi } else { &lo }, Op::Mod));
            }
        }
        if up { Normal::constant(k.saturating_abs().saturating_sub(1).max(0)) } else { Normal::constant(0) }
    }
}

/// An end of `(b·q + c) div b`, for a constant `c` and `b >= 1`.
fn exact_quotient(end: &Sum, b: &Normal, up: bool) -> Option<Normal> {
    let Normal::Sum(divisor) = b else { return None };
    let leading = divisor.terms.iter().find(|(_, k)| **k == 1).map(|(a, _)| a.clone())?;
    let (mut rest, mut quotient) = (Normal::Sum(end.clone()), Normal::constant(0));
    for _ in 0..8 {
        let Normal::Sum(s) = &rest else { return None };
        let found = s.terms.iter().find_map(|(a, k)| without_factor(a, &leading).map(|q| (q, *k)));
        let Some((q, k)) = found else { break };
        let q = normalize(&Expr::binary(Op::Mul, Expr::int(k), q));
        let taken = normalize(&Expr::binary(Op::Mul, q.to_expr(), b.to_expr()));
        rest = rest.add(&taken.scale(-1));
        quotient = quotient.add(&q);
    }
    let Normal::Sum(rest) = rest else { return None };
    let c = rest.as_constant()?;
    let part = match (c.signum(), up) {
        (0, _) | (1, false) => 0,
        (-1, true) => -1,
        _ => c,
    };
    Some(quotient.add(&Normal::constant(part)))
}

fn without_factor(product: &Expr, factor: &Expr) -> Option<Expr> {
    let mut all = factors(product);
    let i = all.iter().position(|f| f == factor)?;
    all.remove(i);
    Some(all.into_iter().reduce(|a, b| Expr::binary(Op::Mul, a, b)).unwrap_or(Expr::int(1)))
}

fn is_simple(e: &Ends) -> bool {
    [&e.lo, &e.hi].into_iter().all(|n| as_sum(n).is_some_and(|s| s.terms.len() <= SIMPLE))
}

/// The region and dimension whose bounds an interval is.
fn hole_of(i: &Interval) -> Option<(Region, usize)> {
    let Expr::Var(Var::Hole(h)) = &i.min else { return None };
    (*i == Interval::hole(h.region, h.dim)).then_some((h.region, h.dim))
}

/// What a region's holes stand for.
fn define(region: Region, ends: &[Ends], map: &mut BTreeMap<Var, Expr>) {
    for (dim, e) in ends.iter().enumerate() {
        let hole = |end| Var::Hole(Hole { region, dim, end });
        let i = e.interval(region, dim);
        map.insert(hole(End::Min), i.min.clone());
        map.insert(hole(End::Len), i.len.substitute(&|v| (v == hole(End::Min)).then(|| i.min.clone())));
    }
}

/// Ends of regions in scope with at most this many parts replace the regions' holes.
const SMALL: usize = 6;

impl Ends {
    fn is_small(&self) -> bool {
        self.lo.leaves().max(self.hi.leaves()) <= SMALL
    }

    fn inlined(&self, map: &BTreeMap<Var, Expr>) -> Ends {
        let of = |n: &Normal| normalize(&inline(&n.to_expr(), map));
        Ends { lo: of(&self.lo), hi: of(&self.hi) }
    }
}

fn is_about(n: &Normal, region: Region) -> bool {
    n.to_expr().vars().iter().any(|v| matches!(v, Var::Hole(h) if h.region == region))
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
    let mut found = false;
    e.visit(&mut |e| found |= matches!(e, Expr::Access(_)));
    found
}

fn substitute(e: &Expr, v: Var, by: &Expr) -> Expr {
    e.substitute(&|w| (w == v).then(|| by.clone()))
}

fn inline(e: &Expr, map: &BTreeMap<Var, Expr>) -> Expr {
    if map.is_empty() { e.clone() } else { e.substitute(&|v| map.get(&v).cloned()) }
}
