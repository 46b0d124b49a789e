//! Small-step execution by the rules of Thesis Fig. 2.8. Spec: [rule: halide.small-step].
//!
//! Unlike the figure: labels step to what they mark (it has no rule for them), the iterations of a parallel loop are
//! threads of which any one takes the next step, and what an iteration allocates is its own [H-2], [H-10].

use super::watch::Cell;
use super::{Buffer, Outputs, Realized, Stuck, folded_bounds, folded_offset, points};
use crate::alg::Input;
use crate::case::Bounds;
use crate::expr::{End, Expr, Var};
use crate::index;
use crate::int::Int;
use crate::tgt::{Block, Claim, For, Order, Program, Stmt};
use crate::typed::Overflow;
use crate::value::{Value, apply};
use rewright_base::sym::Name;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

/// ⟨s | Σ | σ⟩ of one thread: the iterations of a parallel loop are its children until all have ended.
#[derive(Clone, Debug)]
struct Thread {
    stmts: VecDeque<Stmt>,
    env: FxHashMap<Var, Value>,
    /// Which buffer a func names here.
    names: FxHashMap<Name, usize>,
    children: Vec<Thread>,
    /// Whether the children are the lanes of a vector: each takes one step in its turn.
    lanes: bool,
}

/// Runs a program to its end, choosing among threads with `choose(n) < n`.
///
/// # Errors
/// The state in which it is stuck, or more than `fuel` steps.
pub fn run(
    t: &Program,
    z: &Input,
    fuel: u64,
    choose: &mut dyn FnMut(usize) -> usize,
) -> Result<Outputs, Stuck> {
    run_watched(t, z, fuel, choose, &mut Vec::new())
}

/// The same, telling the allocations as they are made: the func and its region.
///
/// # Errors
/// As [`run`].
pub fn run_watched(
    t: &Program,
    z: &Input,
    fuel: u64,
    choose: &mut dyn FnMut(usize) -> usize,
    allocated: &mut Vec<(Name, Bounds)>,
) -> Result<Outputs, Stuck> {
    let (machine, thread) = start(t, z, choose);
    to_the_end(machine, thread, fuel, allocated)
}

/// The same, one iteration after the other, where what is stored in some cells is ε_mem: whatever a program computes
/// without an error does not depend on the values that they have.
///
/// # Errors
/// As [`run`].
pub fn run_without(
    t: &Program,
    z: &Input,
    fuel: u64,
    unsettled: &BTreeMap<Cell, Vec<i64>>,
) -> Result<Outputs, Stuck> {
    let mut choose = |_| 0;
    let (mut machine, thread) = start(t, z, &mut choose);
    machine.unsettled = Some(unsettled);
    to_the_end(machine, thread, fuel, &mut Vec::new())
}

fn to_the_end(
    mut machine: Machine<'_>,
    mut thread: Thread,
    fuel: u64,
    allocated: &mut Vec<(Name, Bounds)>,
) -> Result<Outputs, Stuck> {
    for _ in 0..fuel {
        let more = machine.step(&mut thread)?;
        allocated.append(&mut machine.allocated);
        if !more {
            // [END]
            let output = |(func, dims): (Name, Range<usize>)| {
                let found = thread.names.get(&func).and_then(|id| machine.store.get(*id).cloned());
                let buffer = found.ok_or_else(|| Stuck::Unbound(func.to_string()))?;
                Ok(Realized { func, dims, buffer })
            };
            return machine.t.algorithm.windows().into_iter().map(output).collect();
        }
    }
    Err(Stuck::TooMuch)
}

/// The regions that are asked of the input buffers, in their order: `infer_input_bounds`. [rule: halide.input]
///
/// # Errors
/// The state in which the program is stuck before it knows, or more than `fuel` steps.
pub fn required(t: &Program, z: &Input, fuel: u64) -> Result<Vec<Bounds>, Stuck> {
    let mut choose = |_| 0;
    let (mut machine, mut thread) = start(t, z, &mut choose);
    machine.given = None;
    for _ in 0..fuel {
        if machine.required.len() == t.algorithm.inputs.len() {
            return Ok(machine.required);
        }
        if !machine.step(&mut thread)? {
            return Err(Stuck::Unbound("the regions of the inputs".to_owned()));
        }
    }
    Err(Stuck::TooMuch)
}

fn start<'c>(
    t: &'c Program,
    z: &'c Input,
    choose: &'c mut dyn FnMut(usize) -> usize,
) -> (Machine<'c>, Thread) {
    let machine = Machine {
        t,
        store: Vec::new(),
        folds: Vec::new(),
        given: Some(&z.buffers),
        required: Vec::new(),
        allocated: Vec::new(),
        unsettled: None,
        choose,
    };
    let thread = Thread {
        stmts: t.body.iter().cloned().collect(),
        env: environment(t, z),
        names: FxHashMap::default(),
        children: Vec::new(),
        lanes: false,
    };
    (machine, thread)
}

/// \[REALIZE\]
fn environment(t: &Program, z: &Input) -> FxHashMap<Var, Value> {
    let params = t.algorithm.params.iter().zip(&z.params).map(|(p, v)| (Var::Param(*p), Value::int(*v)));
    let window = z.window.iter().enumerate().flat_map(|(d, (min, len))| {
        [(Var::Window(d, End::Min), Value::int(*min)), (Var::Window(d, End::Len), Value::int(*len))]
    });
    params.chain(window).chain(index::values(t, z)).collect()
}

struct Machine<'c> {
    t: &'c Program,
    store: Vec<Buffer>,
    /// Of each buffer the dimensions that are circles.
    folds: Vec<Vec<(usize, i64)>>,
    /// The input buffers; nothing where only their regions are asked for.
    given: Option<&'c [Buffer]>,
    /// The regions of the input buffers that are bound so far.
    required: Vec<Bounds>,
    /// What the last step allocated.
    allocated: Vec<(Name, Bounds)>,
    /// The cells where all that is stored is ε_mem.
    unsettled: Option<&'c BTreeMap<Cell, Vec<i64>>>,
    choose: &'c mut dyn FnMut(usize) -> usize,
}

impl Machine<'_> {
    /// One step of some thread; false when there is none left to take.
    fn step(&mut self, th: &mut Thread) -> Result<bool, Stuck> {
        if th.lanes && !th.children.is_empty() {
            // The lane at the front goes to the end, unless it is done.
            let mut lane = th.children.remove(0);
            if self.step(&mut lane)? {
                th.children.push(lane);
            }
            return Ok(true);
        }
        if !th.children.is_empty() {
            let i = (self.choose)(th.children.len()).min(th.children.len() - 1);
            let alive = match th.children.get_mut(i) {
                Some(child) => self.step(child)?,
                None => false,
            };
            if !alive {
                th.children.remove(i);
            }
            return Ok(true);
        }
        // [NOP] is the end of a block.
        let Some(s) = th.stmts.pop_front() else { return Ok(false) };
        self.stmt(s, th)?;
        Ok(true)
    }

    fn stmt(&mut self, s: Stmt, th: &mut Thread) -> Result<(), Stuck> {
        match s {
            Stmt::Assert { cond, claim } => self.assert(cond, claim, th),
            Stmt::Allocate { func, bounds } => {
                let mut bounds = bounds;
                if self.reduce_first(bounds.iter_mut().flat_map(|i| [&mut i.min, &mut i.len]), th)? {
                    th.stmts.push_front(Stmt::Allocate { func, bounds });
                    return Ok(());
                }
                self.allocate(func, &bounds, th)
            }
            Stmt::Store { site, mut args, mut value } => {
                // [ATOMIC]: all of it is one step.
                if self.t.is_atomic(site) {
                    while self.reduce_first(args.iter_mut().chain([&mut value]), th)? {}
                }
                if self.reduce_first(args.iter_mut().chain([&mut value]), th)? {
                    th.stmts.push_front(Stmt::Store { site, args, value });
                    return Ok(());
                }
                self.assign(site.func, &args, &value, th)
            }
            Stmt::If { cond, then, other } => match self.reduce(&cond, th)? {
                Some(cond) => {
                    th.stmts.push_front(Stmt::If { cond, then, other });
                    Ok(())
                }
                // [IF-T], [IF-F]
                None => {
                    let chosen = if constant(&cond)?.is_true() { then } else { other };
                    push(th, chosen);
                    Ok(())
                }
            },
            Stmt::For(l) => self.for_loop(l, th),
            Stmt::Let { var, value, body } => {
                if let Some(value) = self.reduce(&value, th)? {
                    th.stmts.push_front(Stmt::Let { var, value, body });
                    return Ok(());
                }
                // [LET]
                let Expr::Const(c) = value else { return Err(Stuck::Unbound(format!("{var:?}"))) };
                th.env.insert(var, c);
                push(th, body);
                Ok(())
            }
            Stmt::Label { label: _, body } => {
                push(th, body);
                Ok(())
            }
        }
    }

    /// \[ASSERT-TRUE\]
    fn assert(&mut self, cond: Expr, claim: Claim, th: &mut Thread) -> Result<(), Stuck> {
        if let Some(cond) = self.reduce(&cond, th)? {
            th.stmts.push_front(Stmt::Assert { cond, claim });
            return Ok(());
        }
        if constant(&cond)?.is_true() { Ok(()) } else { Err(Stuck::Assertion(claim)) }
    }

    /// \[ALLOC\]: everywhere ε_mem.
    fn allocate(
        &mut self,
        func: Name,
        bounds: &[crate::expr::Interval],
        th: &mut Thread,
    ) -> Result<(), Stuck> {
        let ends = bounds.iter().map(|i| Ok((word(&i.min)?, word(&i.len)?)));
        let bounds = ends.collect::<Result<Vec<_>, Stuck>>()?;
        if let Some(i) = self.t.algorithm.inputs.iter().position(|i| i.name == func) {
            return self.bind_input(func, i, bounds, th);
        }
        let folds = self.t.folds_of(func);
        let values = vec![Value::MEM; points(&folded_bounds(&bounds, &folds))?];
        th.names.insert(func, self.store.len());
        self.folds.push(folds);
        self.allocated.push((func, bounds.clone()));
        self.store.push(Buffer { bounds, values });
        Ok(())
    }

    /// An input buffer must have all that is asked of it.
    fn bind_input(&mut self, func: Name, i: usize, bounds: Bounds, th: &mut Thread) -> Result<(), Stuck> {
        if let Some(given) = self.given {
            let buffer = given.get(i).ok_or_else(|| Stuck::Unbound(func.to_string()))?;
            if !buffer.covers(&bounds) {
                return Err(Stuck::Input(func, bounds));
            }
            th.names.insert(func, self.store.len());
            self.folds.push(Vec::new());
            self.store.push(buffer.clone());
        }
        self.required.push(bounds);
        Ok(())
    }

    /// \[ASSN\]
    fn assign(&mut self, func: Name, args: &[Expr], value: &Expr, th: &Thread) -> Result<(), Stuck> {
        let point = args.iter().map(word).collect::<Result<Vec<_>, Stuck>>()?;
        let id = th.names.get(&func).copied();
        let found = id.and_then(|id| Some((self.store.get_mut(id)?, self.folds.get(id)?)));
        let cell = found.and_then(|(b, folds)| {
            let at = folded_offset(&b.bounds, folds, &point)?;
            Some((at, b.values.get_mut(at)?))
        });
        let (Some(id), Some((at, cell)), Expr::Const(v)) = (id, cell, value) else {
            return Err(Stuck::Write(func, point));
        };
        let scalar = self.t.algorithm.scalar(func);
        *cell = match self.unsettled {
            Some(cells) if cells.contains_key(&(id, at)) => Value::MEM,
            Some(_) | None => scalar.stored(v, Overflow::Wrap).ok_or(Stuck::Overflow)?,
        };
        Ok(())
    }

    /// \[FOR-ITER\], \[FOR-STOP\].
    fn for_loop(&mut self, mut l: For, th: &mut Thread) -> Result<(), Stuck> {
        if self.reduce_first([&mut l.domain.min, &mut l.domain.len].into_iter(), th)? {
            th.stmts.push_front(Stmt::For(l));
            return Ok(());
        }
        let (min, len) = (constant(&l.domain.min)?.clone(), constant(&l.domain.len)?.clone());
        if len < Int::ZERO {
            return Err(Stuck::Rdom);
        }
        if len == Int::ZERO {
            th.env.remove(&l.variable());
            return Ok(());
        }
        let var = l.variable();
        if matches!(l.order, Order::Parallel | Order::Vectorized) {
            th.lanes = l.order == Order::Vectorized && self.unsettled.is_none();
            let count = len.to_i64().ok_or(Stuck::TooMuch)?;
            th.children = (0..count)
                .map(|i| {
                    let mut env = th.env.clone();
                    env.insert(var, Value::Int(min.add(&i.into())));
                    let stmts = l.body.iter().cloned().collect();
                    Thread { stmts, env, names: th.names.clone(), children: Vec::new(), lanes: false }
                })
                .collect();
            return Ok(());
        }
        th.env.insert(var, Value::Int(min.clone()));
        let body = l.body.clone();
        l.domain.min = Expr::Const(Value::Int(min.add(&Int::ONE)));
        l.domain.len = Expr::Const(Value::Int(len.sub(&Int::ONE)));
        th.stmts.push_front(Stmt::For(l));
        push(th, body);
        Ok(())
    }

    /// One step inside an expression, at the leftmost place that can take one: \[VAR\], \[READ\], \[EVAL\].
    /// `None` when it is a constant.
    fn reduce(&self, e: &Expr, th: &Thread) -> Result<Option<Expr>, Stuck> {
        match e {
            Expr::Const(_) => Ok(None),
            Expr::Var(v) => match th.env.get(v) {
                Some(value) => Ok(Some(Expr::Const(value.clone()))),
                None => Err(Stuck::Unbound(crate::text::print::var(*v))),
            },
            Expr::Op(op, args) => {
                if let Some(args) = self.reduce_one(args, th)? {
                    return Ok(Some(Expr::op(*op, args)));
                }
                let values: Vec<Value> = args.iter().filter_map(value).cloned().collect();
                let out = apply(*op, &values).ok_or_else(|| Stuck::Unbound(op.name().to_owned()))?;
                Ok(Some(Expr::Const(out)))
            }
            Expr::Access(a) => {
                if let Some(args) = self.reduce_one(&a.args, th)? {
                    return Ok(Some(Expr::Access(crate::expr::Access { args: args.into(), ..a.clone() })));
                }
                let point = a.args.iter().map(word).collect::<Result<Vec<_>, Stuck>>()?;
                let found =
                    th.names.get(&a.func).and_then(|id| Some((self.store.get(*id)?, self.folds.get(*id)?)));
                match found.and_then(|(b, folds)| b.values.get(folded_offset(&b.bounds, folds, &point)?)) {
                    Some(v) => Ok(Some(Expr::Const(v.clone()))),
                    None => Err(Stuck::Read(a.func, point)),
                }
            }
        }
    }

    /// One step in the first expression that can take one; false when all are constants.
    fn reduce_first<'e>(&self, es: impl Iterator<Item = &'e mut Expr>, th: &Thread) -> Result<bool, Stuck> {
        for e in es {
            if let Some(next) = self.reduce(e, th)? {
                *e = next;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn reduce_one(&self, args: &[Expr], th: &Thread) -> Result<Option<Vec<Expr>>, Stuck> {
        for (i, e) in args.iter().enumerate() {
            if let Some(next) = self.reduce(e, th)? {
                let mut args = args.to_vec();
                if let Some(place) = args.get_mut(i) {
                    *place = next;
                }
                return Ok(Some(args));
            }
        }
        Ok(None)
    }
}

/// Puts a block before what a thread does next. What it allocates is visible there, too; names are unique enough
/// for that: a func is allocated at one place.
fn push(th: &mut Thread, body: Block) {
    for s in body.into_iter().rev() {
        th.stmts.push_front(s);
    }
}

fn value(e: &Expr) -> Option<&Value> {
    match e {
        Expr::Const(v) => Some(v),
        Expr::Var(_) | Expr::Access(_) | Expr::Op(..) => None,
    }
}

/// The integer that a reduced condition, index or bound is.
fn constant(e: &Expr) -> Result<&Int, Stuck> {
    value(e).and_then(Value::as_int).ok_or(Stuck::ErrorValue)
}

fn word(e: &Expr) -> Result<i64, Stuck> {
    constant(e)?.to_i64().ok_or(Stuck::Overflow)
}
