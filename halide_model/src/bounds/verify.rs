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
use crate::expr::{Access, End, Expr, Interval, Region, Var};
use crate::op::math::Math;
use crate::op::{Bits, Op};
use crate::text::print;
use crate::tgt::invariant::{Broken, scoping};
use crate::tgt::{Program, Stmt, walk};
use crate::typed::Scalar;
use rewright_base::sym::Name;
use rustc_hash::FxHashMap;
use z3::ast::{Bool, Int};
use z3::{Config, Params, SatResult, Solver, with_z3_config};

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

/// Asks only whether a region's dimension contains what is asked of it; regions that are not yet bound may be anything.
pub(super) fn ask(
    completed: &Program,
    ranges: &Ranges,
    region: Region,
    dim: usize,
    ends: &(Expr, Expr),
) -> Ask {
    let only = Only { region, dim, ends: ends.clone() };
    match run(completed, ranges, Some(only)) {
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
    if let Some(broken) = scoping(completed, true) {
        let what = if let Broken::Unbound(v) = broken { print::var(v) } else { format!("{broken:?}") };
        return Verification::OutOfScope(what);
    }
    run(completed, &proven(completed), None)
}

fn run(completed: &Program, ranges: &Ranges, only: Option<Only>) -> Verification {
    let q = query(completed);
    with_z3_config(&Config::new(), || {
        let steps = if only.is_some() { FEW_STEPS } else { STEPS };
        let mut prover = Prover::new(ranges, steps, only);
        prover.inputs(completed);
        match prover.prove(&q) {
            Ok(()) => Verification::Verified(prover.proved),
            Err(found) => found,
        }
    })
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
    with_z3_config(&Config::new(), || {
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
        prover.goal(&within, String::new).is_ok()
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
    solver: Solver,
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
        let solver = Solver::new();
        let mut params = Params::new();
        params.set_u32("rlimit", steps);
        params.set_u32("random_seed", 0);
        solver.set_params(&params);
        Prover {
            solver,
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
        let rank = t.algorithm.window_rank();
        for d in 0..rank {
            self.bind(Var::Window(d, End::Min));
            let len = self.bind(Var::Window(d, End::Len));
            self.solver.assert(len.ge(0));
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

    /// Proves something with more variables and assumptions than outside.
    fn within(&mut self, body: impl FnOnce(&mut Self) -> Proof) -> Proof {
        let (vars, reads) = (self.vars.len(), self.reads.len());
        self.solver.push();
        let out = body(self);
        self.solver.pop(1);
        self.vars.truncate(vars);
        self.reads.truncate(reads);
        out
    }

    fn prove(&mut self, q: &Query) -> Proof {
        match q {
            Query::Holds { cond, .. } => {
                let cond = self.truth(cond);
                self.solver.assert(&cond);
                Ok(())
            }
            Query::And(parts) => self.within(|s| parts.iter().try_for_each(|p| s.prove(p))),
            Query::Implies(e, body) => self.within(|s| {
                let e = s.truth(e);
                s.solver.assert(&e);
                s.prove(body)
            }),
            Query::Forall { var, domain, body } => self.within(|s| {
                let (min, len) = (s.int(&domain.min), s.int(&domain.len));
                let v = s.bind(*var);
                s.solver.assert(v.ge(&min));
                s.solver.assert(v.lt(min + len));
                s.prove(body)
            }),
            Query::Let { var, value, body } => self.within(|s| {
                let value = s.int(value);
                let v = s.bind(*var);
                s.solver.assert(v.eq(value));
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
                let parts: Vec<Bool> = point.iter().map(|(d, e)| self.inside(e, *region, *d)).collect();
                let shown: Vec<Expr> = point.iter().map(|(_, e)| e.clone()).collect();
                let demand =
                    || format!("({}) in {}, for {origin},", print::list(&shown), print::region(*region));
                self.goal(&Bool::and(&parts), demand)
            }
            Query::Inside { point, region, body } => self.within(|s| {
                for (d, e) in point.iter().enumerate() {
                    let inside = s.inside(e, *region, d);
                    s.solver.assert(&inside);
                }
                s.prove(body)
            }),
            Query::Covers { region, inner, origin } => self.covers(*region, inner, origin),
            Query::NonNegative(_) if self.only.is_some() => Ok(()),
            Query::NonNegative(e) => {
                let value = self.int(e);
                self.goal(&value.ge(0), || format!("{} >= 0", print::expr(e)))
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
                    s.solver.assert(len.gt(0));
                }
                s.between(&i.min, &last)
            });
        }
        let (mut nonempty, mut inside) = (Vec::new(), Vec::new());
        for (d, i) in inner.iter().enumerate() {
            let outer = Interval::hole(region, d);
            let (min, len) = (self.int(&i.min), self.int(&i.len));
            let (first, count) = (self.int(&outer.min), self.int(&outer.len));
            nonempty.push(len.gt(0));
            inside.push(first.le(&min));
            inside.push((min + len).le(first + count));
        }
        let goal = Bool::and(&nonempty).implies(Bool::and(&inside));
        self.goal(&goal, || format!("{} contains what is asked of it by {origin}", print::region(region)))
    }

    /// Whether the points from `lo` to `hi` lie between the ends asked about; the model tells how far outside they are.
    fn between(&mut self, lo: &Expr, hi: &Expr) -> Proof {
        let Some(ends) = self.only.as_ref().map(|o| o.ends.clone()) else { return Ok(()) };
        let (first, last) = (self.int(&ends.0), self.int(&ends.1));
        let (lo, hi) = (self.int(lo), self.int(hi));
        let (under, over) = (self.constant(), self.constant());
        self.solver.push();
        self.solver.assert(under.eq(first - lo));
        self.solver.assert(over.eq(hi - last));
        self.solver.assert(Bool::or(&[under.gt(0), over.gt(0)]));
        let answer = self.solver.check();
        let model = self.solver.get_model().filter(|_| answer == SatResult::Sat);
        self.solver.pop(1);
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
    }

    fn inside(&mut self, e: &Expr, region: Region, dim: usize) -> Bool {
        let hole = Interval::hole(region, dim);
        let (e, min, len) = (self.int(e), self.int(&hole.min), self.int(&hole.len));
        Bool::and(&[e.ge(&min), e.lt(min + len)])
    }

    fn goal(&mut self, goal: &Bool, demand: impl Fn() -> String) -> Proof {
        self.proved += 1;
        self.solver.push();
        self.solver.assert(goal.not());
        let answer = self.solver.check();
        let model = if answer == SatResult::Sat { self.model() } else { Vec::new() };
        self.solver.pop(1);
        match answer {
            SatResult::Unsat => Ok(()),
            SatResult::Sat => Err(Verification::Refuted { demand: demand(), model }),
            SatResult::Unknown => Err(Verification::Unknown(demand())),
        }
    }

    fn model(&self) -> Vec<(String, i64)> {
        let Some(model) = self.solver.get_model() else { return Vec::new() };
        let value = |x: &Int| model.eval(x, true).and_then(|v| v.as_i64());
        self.vars.iter().filter_map(|(v, x)| Some((print::var(*v), value(x)?))).collect()
    }

    /// `e != 0`
    fn truth(&mut self, e: &Expr) -> Bool {
        match e {
            Expr::Op(op, args) if op.is_truth() => self.judgement(*op, args),
            Expr::Op(..) | Expr::Const(_) | Expr::Var(_) | Expr::Access(_) => self.int(e).eq(0).not(),
        }
    }

    /// An operation that gives a truth value. With the wrong number of arguments it may be anything.
    fn judgement(&mut self, op: Op, args: &[Expr]) -> Bool {
        let (a, b) = match args {
            _ if matches!(op, Op::Math(_)) => return self.constant().eq(0),
            [a] if op == Op::Not => return self.truth(a).not(),
            [a, b] => (a, b),
            _ => return self.constant().eq(0),
        };
        match op {
            Op::And => Bool::and(&[self.truth(a), self.truth(b)]),
            Op::Or => Bool::or(&[self.truth(a), self.truth(b)]),
            Op::Lt => self.int(a).lt(self.int(b)),
            Op::Gt => self.int(a).gt(self.int(b)),
            Op::Eq => self.int(a).eq(self.int(b)),
            Op::Not | Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod => self.constant().eq(0),
            Op::Select | Op::Min | Op::Max => self.constant().eq(0),
            Op::Cast(_) | Op::Bits(_) | Op::Abs | Op::Math(_) | Op::Tuple(_) | Op::Elem(_) => {
                self.constant().eq(0)
            }
        }
    }

    fn int(&mut self, e: &Expr) -> Int {
        match e {
            Expr::Const(v) => match v.to_i64() {
                Some(v) => Int::from_i64(v),
                None => self.constant(),
            },
            Expr::Var(v) => match self.vars.iter().rev().find(|(w, _)| w == v) {
                Some((_, x)) => x.clone(),
                // Out of scope: anything.
                None => self.constant(),
            },
            Expr::Access(a) => self.read(a),
            Expr::Op(op, args) if op.is_truth() => {
                self.judgement(*op, args).ite(&Int::from_i64(1), &Int::from_i64(0))
            }
            Expr::Op(op, args) => self.operation(*op, args),
        }
    }

    /// An operation that gives a number. With the wrong number of arguments it may be anything.
    fn operation(&mut self, op: Op, args: &[Expr]) -> Int {
        let (a, b) = match args {
            // Of numbers of floating point only what their constants say is known.
            _ if matches!(op, Op::Math(_)) => return self.truncated(op, args),
            [a, b] => (a, b),
            [a] => return self.unary(op, a),
            [c, a, b] if op == Op::Select => {
                let (c, a, b) = (self.truth(c), self.int(a), self.int(b));
                return c.ite(&a, &b);
            }
            _ => return self.constant(),
        };
        let (x, y) = (self.int(a), self.int(b));
        match op {
            Op::Add => x + y,
            Op::Sub => x - y,
            Op::Mul => x * y,
            Op::Min => x.le(&y).ite(&x, &y),
            Op::Max => x.le(&y).ite(&y, &x),
            Op::Div => total(x.div(&y), &y, b),
            Op::Mod => total(x.modulo(&y), &y, b),
            Op::Bits(bits) => self.bits(bits, x, &y, b),
            Op::Or | Op::And | Op::Not | Op::Lt | Op::Gt | Op::Eq | Op::Select => self.constant(),
            Op::Cast(_) | Op::Abs | Op::Math(_) | Op::Tuple(_) | Op::Elem(_) => self.constant(),
        }
    }

    fn truncated(&mut self, op: Op, args: &[Expr]) -> Int {
        let v = self.constant();
        if let (Op::Math(Math::Truncate), [a]) = (op, args)
            && let Some((lo, hi)) = super::float_range::truncated(a)
        {
            self.solver.assert(Bool::and(&[v.ge(lo), v.le(hi)]));
        }
        v
    }

    fn unary(&mut self, op: Op, a: &Expr) -> Int {
        match op {
            Op::Cast(scalar) => {
                let (x, Some((lo, hi))) = (self.int(a), scalar.range()) else { return self.constant() };
                let size = hi.sub(&lo).add(&crate::int::Int::ONE);
                let [lo, size] = [lo, size].map(|v| v.to_string().parse::<Int>().ok());
                match (lo, size) {
                    (Some(lo), Some(size)) => (x - &lo).modulo(size) + lo,
                    (None, _) | (_, None) => self.constant(),
                }
            }
            Op::Abs => {
                let x = self.int(a);
                x.ge(0).ite(&x, &(-&x))
            }
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Min | Op::Max | Op::Select => {
                self.constant()
            }
            Op::Or | Op::And | Op::Not | Op::Lt | Op::Gt | Op::Eq => self.constant(),
            Op::Bits(_) | Op::Math(_) | Op::Tuple(_) | Op::Elem(_) => self.constant(),
        }
    }

    /// Of a mask that is not negative, only that the value is between 0 and it; of other operations, nothing.
    fn bits(&mut self, bits: Bits, x: Int, y: &Int, b: &Expr) -> Int {
        let shift = b
            .as_i64()
            .filter(|k| (0..=62).contains(k))
            .and_then(|k| 1_i64.checked_shl(u32::try_from(k).ok()?));
        match (bits, shift) {
            (Bits::Shl, Some(k)) => x * k,
            (Bits::Shr, Some(k)) => x.div(k),
            (Bits::And, _) => {
                let v = self.constant();
                for mask in [&x, y] {
                    let masked = Bool::and(&[v.ge(0), v.le(mask)]);
                    self.solver.assert(mask.ge(0).implies(masked));
                }
                v
            }
            (Bits::Or | Bits::Xor | Bits::Shl | Bits::Shr, _) => self.constant(),
        }
    }

    fn read(&mut self, a: &Access) -> Int {
        let version = self.versions.get(&a.func).copied().unwrap_or(0);
        let key = (a.func, version, a.args.to_vec());
        if let Some((_, known)) = self.reads.iter().find(|(k, _)| *k == key) {
            return known.clone();
        }
        let x = self.constant();
        for up in [false, true] {
            if let Some(end) = self.ranges.end(a.func, up) {
                let end = self.int(&end);
                self.solver.assert(if up { x.le(end) } else { x.ge(end) });
            }
        }
        self.reads.push((key, x.clone()));
        x
    }
}

/// SMT-LIB's division is Euclidean; by 0 it is anything, and ours is 0.
fn total(result: Int, by: &Int, divisor: &Expr) -> Int {
    let zero = Int::from_i64(0);
    match divisor.as_i64() {
        Some(0) => zero,
        Some(_) => result,
        None => by.eq(0).ite(&zero, &result),
    }
}
