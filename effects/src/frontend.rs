//! The static checks of the front end that need reasoning: bounds, positivity, preconditions and shapes at
//! calls, aliasing, races. PLDI'22 §3.1; spec: [rule: frontend].
//!
//! [`check_proc`] walks a procedure once and states what it [requires](Requirement); [`decide`] asks the
//! solver; [`Finding::refusal`] puts a failure into words, and [`confirm`] runs it.
//! [`check_module`] is all of it.

mod access;
mod aliasing;
mod asserts;
mod bounds;
mod confirm;
mod explain;
mod havoc;
mod iterations;
mod race;
mod report;
mod strict;
mod subject;

pub use confirm::{Confirmation, confirm};
pub use explain::explain;
pub use iterations::CONFIG_ITERATION;
pub use report::{Checked, Finding, check_module, check_module_in, decide, decide_in};
pub use strict::{ASSERT_SATISFIABLE, LOOP_BOUNDS, STRICT_REQUIREMENTS};
pub use subject::Subject;

use crate::analysis::{Analysis, bindings, entry, entry_facts, from_outside};
use crate::context::Context;
use crate::effexpr::{EffExpr, Var};
use crate::env::{Env, Field};
use crate::hypotheses::Hypotheses;
use crate::lift::lift;
use crate::obligation::{ConditionId, Obligation};
use crate::valg::{LoopFlow, val_g};
use access::Touch;
use rewright_semantics::ast::{Block, Expr, LoopMode, Proc, Stmt, StmtKind};
use rewright_semantics::span::Span;
use rewright_semantics::sym::Sym;
use std::collections::BTreeSet;
use std::sync::Arc;

/// An access outside of its buffer.
pub const BOUNDS_ACCESS: ConditionId = ConditionId("bounds.access");
/// A window that leaves its buffer.
pub const BOUNDS_WINDOW: ConditionId = ConditionId("bounds.window");
/// An allocation with an extent below 0; in the strict mode, any buffer with one below 1.
pub const BOUNDS_EXTENT: ConditionId = ConditionId("bounds.extent");
/// A size below 1: an argument of a call, or a field.
pub const SIZE_POSITIVE: ConditionId = ConditionId("size.positive");
/// A callee's assertion.
pub const CALL_ASSERT: ConditionId = ConditionId("call.assert");
/// A shape at a call.
pub const CALL_SHAPE: ConditionId = ConditionId("call.shape");
/// A window for an argument that is a tensor.
pub const CALL_DENSE: ConditionId = ConditionId("call.dense");
/// Two arguments that overlap.
pub const CALL_ALIAS: ConditionId = ConditionId("call.alias");
/// Two iterations of a parallel loop that meet.
pub const PAR_RACE: ConditionId = ConditionId("par.race");

/// The ids of all requirements.
pub const REQUIREMENTS: [ConditionId; 9] = [
    BOUNDS_ACCESS,
    BOUNDS_WINDOW,
    BOUNDS_EXTENT,
    SIZE_POSITIVE,
    CALL_ASSERT,
    CALL_SHAPE,
    CALL_DENSE,
    CALL_ALIAS,
    PAR_RACE,
];

/// How much is asked of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// What running it safely needs.
    #[default]
    Standard,
    /// Also what Exo 1.0.0 asks: no loop ends before it begins, extents of arguments are at least 1, some state
    /// satisfies the assertions, and no field holds what depends on iterations of a loop.
    Strict,
}

/// Something that must be valid for a procedure to be accepted.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// What is asked of the solver. Its first location is the place that a refusal points at.
    pub obligation: Obligation,
    /// What is compared with what: the obligation's formula is [`Subject::formula`].
    pub subject: Subject,
    /// What may go wrong, in one sentence, in the words of the program.
    pub danger: String,
}

impl Requirement {
    /// The variable of the parallel loop whose iterations must be apart, if that is what is asked.
    fn parallel_loop(&self) -> Option<Sym> {
        if let Subject::Race { iter, .. } = &self.subject { Some(*iter) } else { None }
    }

    /// Of what is asked of two iterations, that no two run.
    fn runs_alone(&self) -> Option<Requirement> {
        let subject = self.subject.without_what_iterations_do()?;
        let formula = EffExpr::definitely(subject.formula());
        let obligation = Obligation { formula, ..self.obligation.clone() };
        Some(Requirement { obligation, subject, danger: self.danger.clone() })
    }
}

/// What must be valid for a procedure to be accepted, in the order of its text. What is plainly true, such as
/// an index 0 in an extent 8, is not listed.
pub fn check_proc(an: &Analysis, p: &Proc) -> Vec<Requirement> {
    check_proc_in(an, p, Mode::Standard)
}

/// What must be valid for a procedure to be accepted in a mode, but for assertions that some state must satisfy.
pub fn check_proc_in(an: &Analysis, p: &Proc, mode: Mode) -> Vec<Requirement> {
    check(an, p, Asked::Everything(mode))
}

/// Those of the requirements that are about shapes at calls.
pub fn check_call_shapes(an: &Analysis, p: &Proc) -> Vec<Requirement> {
    check(an, p, Asked::CallShapes)
}

/// Those of the requirements of the statements in a context's hole that are about shapes at calls.
pub fn check_call_shapes_at(ctx: &Context) -> Vec<Requirement> {
    let mut checker = Checker { asked: Asked::CallShapes, ..Checker::at(ctx) };
    checker.block(&ctx.env, &ctx.hole);
    checker.out
}

/// Those of the requirements that are about iterations of parallel loops.
fn check_races(an: &Analysis, p: &Proc) -> Vec<Requirement> {
    let mut required = check_proc(an, p);
    required.retain(|r| r.obligation.id == PAR_RACE);
    required
}

/// What must be valid for a procedure to be accepted in a mode, but for the races of parallel loops that do not arise where their
/// callees touch all of the buffers that they are given ([`from_outside`]): of these loops that is asked, which is less to prove.
pub fn check_proc_from_outside(
    an: &Analysis,
    p: &Proc,
    mode: Mode,
    holds: impl Fn(&Obligation) -> bool,
) -> Vec<Requirement> {
    let (races, mut required): (Vec<_>, Vec<_>) =
        check_proc_in(an, p, mode).into_iter().partition(|r| r.parallel_loop().is_some());
    required.extend(of_calls_from_outside(an, p, races, holds));
    required
}

/// Those of these requirements that are about iterations of parallel loops.
pub fn check_races_from_outside(
    an: &Analysis,
    p: &Proc,
    holds: impl Fn(&Obligation) -> bool,
) -> Vec<Requirement> {
    of_calls_from_outside(an, p, check_races(an, p), holds)
}

/// The races of each loop: that no two iterations run, where that holds; with calls from outside, where all are excluded there; as
/// they are otherwise.
fn of_calls_from_outside(
    an: &Analysis,
    p: &Proc,
    races: Vec<Requirement>,
    holds: impl Fn(&Obligation) -> bool,
) -> Vec<Requirement> {
    // A callee's effect lists what all of its own callees do; where no loop is parallel, no one needs it.
    if races.is_empty() {
        return races;
    }
    let outside = from_outside(an, &p.body).map(|body| check_races(an, &Proc { body, ..p.clone() }));
    let of_loop = |all: &[Requirement], iter: Sym| -> Vec<Requirement> {
        all.iter().filter(|r| r.parallel_loop() == Some(iter)).cloned().collect()
    };
    let loops: BTreeSet<Sym> = races.iter().filter_map(Requirement::parallel_loop).collect();
    let asked = |iter: Sym| {
        let all = of_loop(&races, iter);
        let alone: Vec<Requirement> = all.iter().filter_map(Requirement::runs_alone).collect();
        // What an iteration does can be more than the solver takes in, and does not matter where no other runs.
        if alone.iter().all(|r| holds(&r.obligation)) {
            return alone.into_iter().take(1).collect();
        }
        let seen = outside.as_ref().map(|races| of_loop(races, iter)).unwrap_or_default();
        let enough = !seen.is_empty() && seen.iter().all(|r| holds(&r.obligation));
        if enough { seen } else { all }
    };
    loops.into_iter().flat_map(asked).collect()
}

fn check(an: &Analysis, p: &Proc, asked: Asked) -> Vec<Requirement> {
    let env = entry(p);
    let known = entry_facts(an, p, &env).into();
    let mut checker = Checker {
        an,
        asked,
        known,
        sizes: an.size_fields(p),
        parallel: 0,
        touches: Vec::new(),
        out: Vec::new(),
    };
    match asked {
        Asked::Everything(Mode::Strict) => checker.argument_extents(&env, p),
        Asked::Everything(Mode::Standard) | Asked::CallShapes => {}
    }
    checker.block(&env, &p.body);
    checker.out
}

/// What a call of `p` with these arguments requires at the hole of a context, as if it stood there: what it asks of
/// its caller, and what evaluating its arguments does. Locations without a place of their own are at `at`.
pub fn check_call(ctx: &Context, p: &Arc<Proc>, args: &[Expr], at: Span) -> Vec<Requirement> {
    let mut checker = Checker::at(ctx);
    args.iter().for_each(|e| checker.argument(&ctx.env, e));
    checker.call(&ctx.env, p, args, at);
    checker.aliasing(&ctx.env, p, args, at);
    checker.out
}

/// What the body of `p` requires when it is called with these arguments at the hole of a context, where its
/// preconditions hold.
pub fn check_called(ctx: &Context, p: &Arc<Proc>, args: &[Expr]) -> Vec<Requirement> {
    let (values, views) = bindings(&ctx.env, p, args);
    let mut env = ctx.env.clone();
    for formal in &p.args {
        if let Some(view) = views.get(&formal.name) {
            env.bind_view(formal.name, view.clone());
        } else if let Some(value) = values.get(Var::Local(formal.name)) {
            env.bind(formal.name, value.clone());
        }
    }
    let mut checker = Checker::at(ctx);
    checker.known = ctx.facts.clone();
    checker.known.extend(p.preds.iter().map(|e| lift(&env, e)));
    checker.known.extend(ctx.ctrl_pred.iter().cloned());
    checker.block(&env, &p.body);
    checker.out
}

/// Which requirements are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Everything(Mode),
    CallShapes,
}

/// What is known on the way through a procedure, and what has been found to be required.
struct Checker<'a> {
    an: &'a Analysis,
    asked: Asked,
    /// What holds on entry, then what is known on the way to the place at hand.
    known: Hypotheses,
    /// The fields that hold at least 1.
    sizes: im::OrdSet<Field>,
    /// How many parallel loops are around the place at hand.
    parallel: usize,
    /// What was touched inside of parallel loops, for messages.
    touches: Vec<Touch>,
    out: Vec<Requirement>,
}

/// The words of a requirement.
struct Words {
    id: ConditionId,
    /// What must hold.
    sentence: String,
    /// What may happen otherwise.
    danger: String,
    /// Where.
    at: Span,
    /// What is there.
    role: &'static str,
}

impl<'a> Checker<'a> {
    /// At the hole of a context.
    fn at(ctx: &'a Context) -> Checker<'a> {
        Checker {
            an: &ctx.analysis,
            asked: Asked::Everything(Mode::Standard),
            known: ctx.hypotheses(),
            sizes: im::OrdSet::new(),
            parallel: 0,
            touches: Vec::new(),
            out: Vec::new(),
        }
    }
}

impl Checker<'_> {
    /// Adds a requirement, unless it is plainly met.
    fn require(&mut self, subject: Subject, words: impl FnOnce() -> Words) {
        let formula = EffExpr::definitely(subject.formula());
        if !formula.is_true() {
            let Words { id, sentence, danger, at, role } = words();
            let obligation = Obligation::new(id, sentence, formula).under(self.known.clone()).at(at, role);
            self.out.push(Requirement { obligation, subject, danger });
        }
    }

    fn block(&mut self, env: &Env, b: &Block) {
        let mut env = env.clone();
        for s in b {
            self.stmt(&env, s);
            let after = val_g(self.an, &env, s);
            env = self.havocked_after(&env, s, after);
        }
    }

    fn under(&mut self, known: impl IntoIterator<Item = EffExpr>, env: &Env, b: &Block) {
        let before = self.known.clone();
        self.known.extend(known);
        self.block(env, b);
        self.known = before;
    }

    fn stmt(&mut self, env: &Env, s: &Stmt) {
        match self.asked {
            Asked::Everything(_) => self.stmt_whole(env, s),
            Asked::CallShapes => self.stmt_shapes(env, s),
        }
    }

    fn stmt_shapes(&mut self, env: &Env, s: &Stmt) {
        match s.kind.as_ref() {
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. } => {}
            StmtKind::If { cond, body, orelse } => self.branches(env, cond, body, orelse),
            StmtKind::For { iter, lo, hi, body, mode } => self.loop_(env, *iter, (lo, hi), body, *mode),
            StmtKind::Call { proc, args } => self.shapes(env, proc, args, s.span),
        }
    }

    fn branches(&mut self, env: &Env, cond: &Expr, body: &Block, orelse: &Block) {
        let c = lift(env, cond);
        self.under([c.clone()], env, body);
        self.under([EffExpr::not(c)], env, orelse);
    }

    fn stmt_whole(&mut self, env: &Env, s: &Stmt) {
        match s.kind.as_ref() {
            StmtKind::Assign { name, idx, rhs } | StmtKind::Reduce { name, idx, rhs } => {
                self.access(env, *name, idx, s.span);
                self.touch_buffer(env, *name, true, s.span);
                self.expr(env, rhs);
            }
            StmtKind::WriteConfig { config, field, rhs } => {
                self.expr(env, rhs);
                self.touch_field(config, *field, true, s.span);
                self.size_field(env, config, *field, rhs);
            }
            StmtKind::Pass => {}
            StmtKind::If { cond, body, orelse } => {
                self.expr(env, cond);
                self.branches(env, cond, body, orelse);
            }
            StmtKind::For { iter, lo, hi, body, mode } => {
                self.expr(env, lo);
                self.expr(env, hi);
                self.loop_(env, *iter, (lo, hi), body, *mode);
            }
            StmtKind::Alloc { name, typ, mem: _ } => {
                let least = i64::from(self.asked == Asked::Everything(Mode::Strict));
                self.extents(env, *name, &typ.shape, least, s.span);
            }
            StmtKind::WindowStmt { name: _, rhs } => self.window(env, rhs, s.span),
            StmtKind::Call { proc, args } => {
                args.iter().for_each(|e| self.argument(env, e));
                self.touch_call(env, proc, args, s.span);
                self.call(env, proc, args, s.span);
                self.aliasing(env, proc, args, s.span);
            }
        }
    }

    /// The body in an arbitrary iteration; then, for a parallel loop, any two of them.
    fn loop_(&mut self, env: &Env, iter: Sym, (lo, hi): (&Expr, &Expr), body: &Block, mode: LoopMode) {
        let bounds = (lift(env, lo), lift(env, hi));
        if self.asked == Asked::Everything(Mode::Strict) {
            self.ordered(iter, (lo, hi), &bounds);
        }
        let before = self.touches.len();
        self.parallel += usize::from(mode == LoopMode::Par);
        let at = EffExpr::int_var(if env.binds(iter) { iter.renewed() } else { iter });
        let flow = LoopFlow::of(self.an, env, iter, &bounds.0, body);
        let (mut inside, mut known) = self.havocked(&flow, env, flow.before(env, &at), &at);
        inside.bind(iter, at.clone());
        known.extend([EffExpr::le(bounds.0.clone(), at.clone()), EffExpr::lt(at, bounds.1.clone())]);
        self.under(known, &inside, body);
        if mode == LoopMode::Par && self.asked != Asked::CallShapes {
            let touched = self.touches.split_off(before);
            self.races(env, iter, (lo, hi), body, &touched, lo.span.to(hi.span));
            self.parallel -= 1;
            if self.parallel > 0 {
                self.touches.extend(touched);
            }
        }
    }
}
