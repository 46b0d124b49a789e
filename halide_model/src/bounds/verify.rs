//! `verify_bounds`: whether a completed program satisfies its query for all inputs, asked of z3.
//! Spec: [rule: halide.verify].
//!
//! The query of the *completed* program is read, in which lets bind the holes: what is verified is the program that
//! runs. Assumed are windows without negative lengths (Thesis Def. 2.1), the assertions that have been passed (they may
//! fail), and of values read from memory what their func can hold at all (see [`super::values`]); two reads of one point
//! are equal while their func is not stored to.

use super::origin::Origin;
use super::query::{Query, query};
use super::values::Ranges;
use crate::alg::{Algorithm, Func};
use crate::expr::{End, Expr, Interval, Region, Var};
use crate::index;
use crate::op::Op;
use crate::text::print;
use crate::tgt::invariant::{Broken, scoping};
use crate::tgt::{Program, Stmt, walk};
use crate::typed::Scalar;
use goal::{Fact, Part};
use rewright_base::sym::Name;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use z3::ast::{Bool, Int};
use z3::{Config, SatResult, Solver, with_z3_config};

mod goal;
mod path;
mod terms;

pub(crate) use path::{Known, follows};

/// What verification found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verification {
    /// Every demand is met for all inputs; how many there were.
    Verified(usize),
    /// A demand is not met.
    Refuted {
        /// The demand.
        demand: String,
        /// Parameters, window and loop variables for which it is not.
        model: Vec<(String, i64)>,
    },
    /// The solver gave up on this demand.
    Unknown(String),
    /// The completed program mentions something out of scope.
    OutOfScope(String),
}

impl Verification {
    /// Whether everything was proved.
    pub fn is_verified(&self) -> bool {
        matches!(self, Verification::Verified(_))
    }
}

/// Steps of z3 per question.
const STEPS: u32 = 2_000_000;

/// Steps of z3 to agree with an end of the range of a func's values, or with one of many ends that are tried.
const FEW_STEPS: u32 = 200_000;

/// What z3 says of the ends of one dimension of one region.
pub(super) enum Ask {
    /// All that is asked lies between them.
    Met,
    /// In some state a point is asked for that lies this far outside.
    Outside {
        /// Below the first.
        under: i64,
        /// Above the last.
        over: i64,
    },
    /// It gave up.
    Unknown,
}

/// Asks only whether a region's dimension contains what is asked of it; regions that are not yet bound may be anything. To be
/// called [`with_z3`].
pub(super) fn ask(
    completed: &Program,
    ranges: &Ranges,
    region: Region,
    dim: usize,
    ends: &(Expr, Expr),
) -> Ask {
    let only = Only { region, dim, ends: ends.clone() };
    match run(completed, ranges, Some(only), None) {
        Verification::Verified(_) => Ask::Met,
        Verification::Refuted { model, .. } => {
            let of = |name: &str| model.iter().find(|(n, _)| n == name).map_or(0, |(_, v)| *v);
            Ask::Outside { under: of("under"), over: of("over") }
        }
        Verification::Unknown(_) | Verification::OutOfScope(_) => Ask::Unknown,
    }
}

/// The one dimension that is asked about.
struct Only {
    region: Region,
    dim: usize,
    ends: (Expr, Expr),
}

/// Verifies a completed program. What is verified is memory safe: [rule: halide.memory-safety].
pub fn verify_bounds(completed: &Program) -> Verification {
    verify_within(completed, None)
}

/// [`verify_bounds`], as far as it comes in this time. What is decided in it may differ from one run to the next.
pub fn verify_within(completed: &Program, time: Option<Duration>) -> Verification {
    if let Some(broken) = scoping(completed, true) {
        let what = if let Broken::Unbound(v) = broken { print::var(v) } else { format!("{broken:?}") };
        return Verification::OutOfScope(what);
    }
    let deadline = time.and_then(|t| Instant::now().checked_add(t));
    let ranges = proven(completed);
    with_z3(|| run(completed, &ranges, None, deadline))
}

/// Does what asks z3, in a context of its own: what z3 answers depends on what it was asked before in the same one. To make one
/// takes as long as many answers.
pub(super) fn with_z3<T: Send + Sync>(work: impl FnOnce() -> T + Send + Sync) -> T {
    with_z3_config(&Config::new(), work)
}

fn run(completed: &Program, ranges: &Ranges, only: Option<Only>, deadline: Option<Instant>) -> Verification {
    let q = query(completed);
    let steps = if only.is_some() { FEW_STEPS } else { STEPS };
    let mut prover = Prover { deadline, ..Prover::new(ranges, steps, only) };
    prover.inputs(completed);
    match prover.prove(&q) {
        Ok(()) => Verification::Verified(prover.proved),
        Err(found) => found,
    }
}

/// The ranges of values that z3 agrees with: each func's stages may store nothing outside, given those of the funcs
/// that they read. What finds them is part of an engine, and no engine is trusted.
pub(super) fn proven(completed: &Program) -> Ranges {
    let p = &completed.algorithm;
    let wanted = read_in_indices(completed);
    let mut proven = Ranges::default();
    if wanted.is_empty() {
        return proven;
    }
    let claimed = Ranges::of(p);
    // What a type holds needs no proof.
    for i in &p.inputs {
        proven.set(i.name, (claimed.end(i.name, false), claimed.end(i.name, true)));
    }
    with_z3(|| {
        for f in &p.funcs {
            let agreed = |up| {
                let end = claimed.end(f.name, up)?;
                // Fixed-width numbers wrap around when they are stored: their range is the type's.
                (f.scalar != Scalar::Integer || stays_within(p, f, &proven, &end, up)).then_some(end)
            };
            let ends = (agreed(false), agreed(true));
            proven.set(f.name, ends);
        }
        proven
    })
}

/// Whether no stage of a func stores a value beyond `end`.
fn stays_within(p: &Algorithm, f: &Func, known: &Ranges, end: &Expr, up: bool) -> bool {
    f.all_stages().iter().all(|stage| {
        let mut prover = Prover::new(known, FEW_STEPS, None);
        p.params.iter().for_each(|p| drop(prover.bind(Var::Param(*p))));
        for v in stage.rhs.vars().into_iter().filter(|v| matches!(v, Var::Local(_))) {
            prover.bind(v);
        }
        let (value, end) = (prover.int(&stage.rhs), prover.int(end));
        let within = if up { value.le(end) } else { value.ge(end) };
        prover.goal(&[Part { says: within, vars: BTreeSet::new() }], String::new).is_ok()
    })
}

/// The funcs whose values a program's demands can depend on.
fn read_in_indices(t: &Program) -> Vec<Name> {
    let mut out = Vec::new();
    walk::visit(&t.body, &mut |s| match s {
        Stmt::Store { args, value, .. } => {
            args.iter().for_each(|e| out.extend(e.accesses().iter().map(|a| a.func)));
            let inner = value.accesses().into_iter().flat_map(|a| a.args.iter());
            inner.for_each(|e| out.extend(e.accesses().iter().map(|a| a.func)));
        }
        Stmt::Assert { .. } | Stmt::Allocate { .. } | Stmt::If { .. } | Stmt::For(_) | Stmt::Let { .. } => {
            s.exprs().into_iter().for_each(|e| out.extend(e.accesses().iter().map(|a| a.func)));
        }
        Stmt::Label { .. } => {}
    });
    out
}

/// A point of a func, and how often the func has changed.
type Read = (Name, u32, Vec<Expr>);

struct Prover<'a> {
    /// The core of z3, asked about all facts.
    whole: Solver,
    /// The core of z3, with fewer steps.
    quick: Solver,
    /// What is assumed.
    facts: Vec<Fact>,
    /// What is proved of the parts of demands.
    shown: Vec<Bool>,
    /// What follows from which facts.
    known: FxHashSet<(Vec<Bool>, Bool)>,
    steps: u32,
    deadline: Option<Instant>,
    ranges: &'a Ranges,
    vars: Vec<(Var, Int)>,
    reads: Vec<(Read, Int)>,
    versions: FxHashMap<Name, u32>,
    fresh: usize,
    proved: usize,
    only: Option<Only>,
}

type Proof = Result<(), Verification>;

impl<'a> Prover<'a> {
    fn new(ranges: &'a Ranges, steps: u32, only: Option<Only>) -> Prover<'a> {
        Prover {
            whole: goal::solver(steps),
            quick: goal::solver(steps / goal::LESS),
            facts: Vec::new(),
            shown: Vec::new(),
            known: FxHashSet::default(),
            steps,
            deadline: None,
            ranges,
            vars: Vec::new(),
            reads: Vec::new(),
            versions: FxHashMap::default(),
            fresh: 0,
            proved: 0,
            only,
        }
    }

    fn inputs(&mut self, t: &Program) {
        for p in &t.algorithm.params {
            self.bind(Var::Param(*p));
        }
        for corner in index::asserted(t) {
            self.bind(corner.var);
        }
        let rank = t.algorithm.window_rank();
        for d in 0..rank {
            self.bind(Var::Window(d, End::Min));
            let v = Var::Window(d, End::Len);
            let len = self.bind(v);
            self.assume(&len.ge(0), Some(v), BTreeSet::from([v]));
        }
    }

    fn bind(&mut self, v: Var) -> Int {
        let x = self.constant();
        self.vars.push((v, x.clone()));
        x
    }

    fn constant(&mut self) -> Int {
        self.fresh += 1;
        Int::new_const(format!("v{}", self.fresh))
    }

    /// Proves something with more variables and assumptions than outside. The next scope names its variables alike, so that
    /// what is asked there again is known.
    fn within(&mut self, body: impl FnOnce(&mut Self) -> Proof) -> Proof {
        let fresh = self.fresh;
        let (vars, reads) = (self.vars.len(), self.reads.len());
        let (facts, shown) = (self.facts.len(), self.shown.len());
        let out = body(self);
        self.vars.truncate(vars);
        self.reads.truncate(reads);
        self.facts.truncate(facts);
        self.shown.truncate(shown);
        self.fresh = fresh;
        out
    }

    fn prove(&mut self, q: &Query) -> Proof {
        match q {
            Query::Holds { cond, .. } => {
                let vars = cond.vars();
                let cond = self.truth(cond);
                self.assume(&cond, None, vars);
                Ok(())
            }
            Query::And(parts) => self.within(|s| parts.iter().try_for_each(|p| s.prove(p))),
            Query::Implies(e, body) => self.within(|s| {
                let vars = e.vars();
                let e = s.truth(e);
                s.assume(&e, None, vars);
                s.prove(body)
            }),
            Query::Forall { var, domain, body } => self.within(|s| {
                let (min, len) = (s.int(&domain.min), s.int(&domain.len));
                let v = s.bind(*var);
                let vars = &domain.min.vars() | &domain.len.vars();
                s.assume(&Bool::and(&[v.ge(&min), v.lt(min + len)]), Some(*var), vars);
                s.prove(body)
            }),
            Query::Let { var, value, body } => self.within(|s| {
                let is = s.int(value);
                let v = s.bind(*var);
                s.define(*var, &v, &is, value);
                s.prove(body)
            }),
            Query::Exists { body, .. } => self.prove(body),
            Query::Member { point, region, origin } => {
                if let Some(only) = &self.only {
                    let (r, d) = (only.region, only.dim);
                    let asked =
                        point.iter().filter(|(dim, _)| r == *region && *dim == d).map(|(_, e)| e.clone());
                    let asked: Vec<Expr> = asked.collect();
                    return asked.iter().try_for_each(|e| self.between(e, e));
                }
                let parts: Vec<Part> = point.iter().flat_map(|(d, e)| self.ends(e, *region, *d)).collect();
                let shown: Vec<Expr> = point.iter().map(|(_, e)| e.clone()).collect();
                let demand =
                    || format!("({}) in {}, for {origin},", print::list(&shown), print::region(*region));
                self.goal(&parts, demand)
            }
            Query::Inside { point, region, body } => self.within(|s| {
                for (d, e) in point.iter().enumerate() {
                    for Part { says, vars } in s.ends(e, *region, d) {
                        s.assume(&says, None, vars);
                    }
                }
                s.prove(body)
            }),
            Query::Covers { region, inner, origin } => self.covers(*region, inner, origin),
            Query::NonNegative(_) if self.only.is_some() => Ok(()),
            Query::NonNegative(e) => {
                let value = self.int(e);
                let part = Part { says: value.ge(0), vars: e.vars() };
                self.goal(&[part], || format!("{} >= 0", print::expr(e)))
            }
            Query::Changed(f) => {
                *self.versions.entry(*f).or_default() += 1;
                Ok(())
            }
        }
    }

    /// An interval without points is covered by every other; a box without points, too.
    fn covers(&mut self, region: Region, inner: &[Interval], origin: &Origin) -> Proof {
        if let Some(only) = &self.only {
            let (mine, dim) = (only.region == region, only.dim);
            let Some(i) = inner.get(dim).filter(|_| mine) else { return Ok(()) };
            let last =
                Expr::binary(Op::Sub, Expr::binary(Op::Add, i.min.clone(), i.len.clone()), Expr::int(1));
            return self.within(|s| {
                for i in inner {
                    let len = s.int(&i.len);
                    s.assume(&len.gt(0), None, i.len.vars());
                }
                s.between(&i.min, &last)
            });
        }
        let (mut nonempty, mut inside) = (Vec::new(), Vec::new());
        let mut vars = BTreeSet::new();
        for (d, i) in inner.iter().enumerate() {
            let outer = Interval::hole(region, d);
            let (min, len) = (self.int(&i.min), self.int(&i.len));
            let (first, count) = (self.int(&outer.min), self.int(&outer.len));
            nonempty.push(len.gt(0));
            inside.push(first.le(&min));
            inside.push((min + len).le(first + count));
            for e in [&i.min, &i.len, &outer.min, &outer.len] {
                vars.extend(e.vars());
            }
        }
        let nonempty = Bool::and(&nonempty);
        let parts: Vec<Part> =
            inside.iter().map(|i| Part { says: nonempty.implies(i), vars: vars.clone() }).collect();
        self.goal(&parts, || format!("{} contains what is asked of it by {origin}", print::region(region)))
    }

    /// Whether the points from `lo` to `hi` lie between the ends asked about; the model tells how far outside they are.
    fn between(&mut self, lo: &Expr, hi: &Expr) -> Proof {
        let Some(ends) = self.only.as_ref().map(|o| o.ends.clone()) else { return Ok(()) };
        let (first, last) = (self.int(&ends.0), self.int(&ends.1));
        let (lo, hi) = (self.int(lo), self.int(hi));
        let (under, over) = (self.constant(), self.constant());
        let outside = [under.eq(first - lo), over.eq(hi - last), Bool::or(&[under.gt(0), over.gt(0)])];
        self.with_all(&outside, |solver, answer| {
            // Where it gave up it has none: to ask for it violates its own invariants.
            let model = if answer == SatResult::Sat { solver.get_model() } else { None };
            let value =
                |x: &Int| model.as_ref().and_then(|m| m.eval(x, true)).and_then(|v| v.as_i64()).unwrap_or(0);
            match answer {
                SatResult::Unsat => Ok(()),
                SatResult::Sat => {
                    let model = vec![("under".to_owned(), value(&under)), ("over".to_owned(), value(&over))];
                    Err(Verification::Refuted { demand: String::new(), model })
                }
                SatResult::Unknown => Err(Verification::Unknown(String::new())),
            }
        })
    }

    /// That a coordinate lies in a dimension of a region: not below it, not above.
    fn ends(&mut self, e: &Expr, region: Region, dim: usize) -> [Part; 2] {
        let hole = Interval::hole(region, dim);
        let below = &e.vars() | &hole.min.vars();
        let above = &below | &hole.len.vars();
        let (e, min, len) = (self.int(e), self.int(&hole.min), self.int(&hole.len));
        [Part { says: e.ge(&min), vars: below }, Part { says: e.lt(min + len), vars: above }]
    }
}
