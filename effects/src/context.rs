//! Contexts: what is known at a place in a procedure, and what comes after it. PLDI'22 §6 and App. F;
//! spec: [rule: contexts].
//!
//! A context is found by walking a *path* from the procedure's body. Nothing is looked up by the identity
//! of a node, since one node may stand in several places.

use crate::analysis::{Analysis, entry, entry_facts};
use crate::eff::{eff_iterations, eff_stmts};
use crate::effect::Effect;
use crate::effexpr::EffExpr;
use crate::env::{EffEnv, Env};
use crate::hypotheses::Hypotheses;
use crate::lift::lift;
use crate::locset::Base;
use crate::names::free_names;
use crate::obligation::{ConditionId, Obligation};
use crate::valg::{LoopFlow, after_block, after_first, after_stmt};
use rewright_semantics::ast::{Block, Expr, Proc, Stmt, StmtKind};
use rewright_semantics::sym::Sym;
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// One step of a path: into a block, to the statement at an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// The body of the procedure, loop or guard reached so far.
    Body(usize),
    /// The else branch of the guard reached so far.
    Orelse(usize),
}

impl Step {
    /// The index in its block.
    pub fn index(self) -> usize {
        match self {
            Step::Body(i) | Step::Orelse(i) => i,
        }
    }

    /// The same block at another index.
    #[must_use]
    pub fn at(self, index: usize) -> Step {
        match self {
            Step::Body(_) => Step::Body(index),
            Step::Orelse(_) => Step::Orelse(index),
        }
    }

    /// The same block, so many statements further.
    #[must_use]
    pub fn moved(self, by: isize) -> Step {
        self.at(self.index().saturating_add_signed(by))
    }

    /// Whether both enter the same block.
    pub fn same_block(self, other: Step) -> bool {
        self.at(0) == other.at(0)
    }
}

/// A run of statements in a procedure: the hole of a context.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hole {
    /// The path to the first statement.
    pub path: Vec<Step>,
    /// How many statements of its block; 0 for the gap before the first.
    pub len: usize,
}

impl Hole {
    /// The hole of one statement.
    pub fn stmt(path: impl Into<Vec<Step>>) -> Hole {
        Hole { path: path.into(), len: 1 }
    }
}

/// A loop around a hole.
#[derive(Clone, Debug)]
pub struct Around {
    /// The loop variable of the program.
    pub iter: Sym,
    /// Its value in the iteration at hand: a free variable of everything the context derives.
    pub at: EffExpr,
    /// The lower bound.
    pub lo: EffExpr,
    /// The upper bound.
    pub hi: EffExpr,
}

/// C and its hole, with the derived quantities of §6.1.
#[derive(Clone, Debug)]
pub struct Context {
    /// The summaries in use.
    pub analysis: Analysis,
    /// PreValG: the fields just before the hole, with the names in scope there.
    pub env: Env,
    /// What holds on entry to the procedure.
    pub facts: Hypotheses,
    /// CtrlPred, as conjuncts: guards and loop bounds on the way to the hole.
    pub ctrl: Vec<EffExpr>,
    /// The statements in the hole.
    pub hole: Block,
    /// The loops around the hole, outermost first.
    pub loops: Vec<Around>,
    /// The roots that outlive the procedure: its arguments.
    outer: BTreeSet<Sym>,
    /// Where the hole is: what comes after it is worked out when someone asks.
    place: Place,
    post: OnceLock<Effect>,
    later: OnceLock<BTreeSet<Sym>>,
}

/// Where a hole is.
#[derive(Clone, Debug)]
struct Place {
    /// γ just before the hole.
    before: Env,
    /// What comes after the hole in its block.
    rest: Rest,
    /// The statements around the hole, outermost first.
    around: Vec<Frame>,
}

/// The statements of a block from an index on: cutting them off would copy more than is looked at.
#[derive(Clone, Debug)]
struct Rest {
    block: Block,
    from: usize,
}

impl Rest {
    fn stmts(&self) -> impl Iterator<Item = &Stmt> {
        self.block.focus().narrow(self.from..self.block.len()).into_iter()
    }
}

/// A loop or a guard around a hole.
#[derive(Clone, Debug)]
struct Frame {
    /// γ before the statement.
    env: Env,
    stmt: Stmt,
    /// What comes after the statement in its block.
    rest: Rest,
    /// Of a loop, the iteration at hand.
    iteration: Option<Iteration>,
}

/// One iteration of a loop.
#[derive(Clone, Debug)]
struct Iteration {
    iter: Sym,
    at: EffExpr,
    hi: EffExpr,
    body: Block,
}

impl Context {
    /// The context of a hole; `None` when the path leads nowhere.
    pub fn of(an: &Analysis, p: &Proc, hole: &Hole) -> Option<Context> {
        let env = entry(p);
        let (ctrl, loops, around) = (Vec::new(), Vec::new(), Vec::new());
        let mut walk = Walk { an, len: hole.len, found: None, ctrl, loops, around };
        let facts = entry_facts(an, p, &env).into();
        walk.block(&env, &p.body, &hole.path, true)?;
        let (env, stmts, rest) = walk.found?;
        Some(Context {
            analysis: an.clone(),
            env: env.clone(),
            facts,
            ctrl: walk.ctrl,
            hole: stmts,
            loops: walk.loops,
            outer: p.args.iter().map(|a| a.name).collect(),
            place: Place { before: env, rest, around: walk.around },
            post: OnceLock::new(),
            later: OnceLock::new(),
        })
    }

    /// CtrlPred: the condition under which the hole runs. App. F.
    pub fn ctrl_pred(&self) -> EffExpr {
        EffExpr::and(self.ctrl.iter().cloned())
    }

    /// PreValG: the fields just before the hole. App. F.
    pub fn pre_val_g(&self) -> &EffEnv {
        &self.env.globals
    }

    /// PostEff: the effect of what runs after the hole, given that the hole runs. App. F, without its guards [E-13].
    pub fn post_eff(&self) -> &Effect {
        self.post.get_or_init(|| {
            let (an, place) = (&self.analysis, &self.place);
            let after = after_block(an, &place.before, &self.hole);
            let inner = eff_stmts(an, &after, place.rest.stmts());
            place.around.iter().rev().fold(inner, |(post, after), frame| frame.post(an, post, after)).0
        })
    }

    /// The names that occur free in the rest of the hole's block.
    pub fn later(&self) -> &BTreeSet<Sym> {
        self.later.get_or_init(|| free_names(&self.place.rest.stmts().cloned().collect()))
    }

    /// What may be assumed at the hole.
    pub fn hypotheses(&self) -> Hypotheses {
        let mut known = self.facts.clone();
        known.extend(self.ctrl.iter().cloned());
        known
    }

    /// The value of a control expression at the hole.
    pub fn lift(&self, e: &Expr) -> EffExpr {
        lift(&self.env, e)
    }

    /// Whether a root or field can be seen after the procedure has ended.
    pub fn outlives(&self, base: Base) -> bool {
        match base {
            Base::Buffer(x) => self.outer.contains(&x),
            Base::Global(_) => true,
        }
    }

    /// An obligation under what holds at the hole.
    pub fn obligation(&self, id: ConditionId, sentence: impl Into<String>, formula: EffExpr) -> Obligation {
        Obligation::new(id, sentence, formula).under(self.hypotheses())
    }

    /// The context of something inside the hole's last statement, or after some of its statements: the
    /// same place with more known. PostEff stays that of the whole hole.
    #[must_use]
    pub fn inside(&self, env: Env, more: impl IntoIterator<Item = EffExpr>) -> Context {
        let mut out = self.clone();
        out.env = env;
        out.ctrl.extend(more);
        out
    }
}

impl Frame {
    /// The effect after the hole up to the end of the block that the statement stands in, and γ there: from those at
    /// the end of the block inside.
    fn post(&self, an: &Analysis, post: Effect, after: Env) -> (Effect, Env) {
        let from = self.env.with_globals(after.globals);
        let (inner, after) = match &self.iteration {
            Some(Iteration { iter, at, hi, body }) => {
                // The iterations to come start from where this one ends.
                let next = EffExpr::add(at.clone(), EffExpr::int(1));
                let others = eff_iterations(an, &from, *iter, (&next, hi), body);
                (Effect::seq([scoped(post), others]), after_stmt(an, &self.env, &self.stmt))
            }
            None => (scoped(post), from),
        };
        let (later, end) = eff_stmts(an, &after, self.rest.stmts());
        (Effect::seq([inner, later]), end)
    }
}

struct Walk<'a> {
    an: &'a Analysis,
    len: usize,
    found: Option<(Env, Block, Rest)>,
    ctrl: Vec<EffExpr>,
    loops: Vec<Around>,
    around: Vec<Frame>,
}

impl Walk<'_> {
    /// Looks for the hole in a block.
    fn block(&mut self, env: &Env, b: &Block, path: &[Step], body: bool) -> Option<()> {
        let (step, rest) = path.split_first()?;
        if matches!(step, Step::Body(_)) != body {
            return None;
        }
        let i = step.index();
        if i > b.len() || (!rest.is_empty() && i == b.len()) {
            return None;
        }
        let here = after_first(self.an, env, b, i);
        if rest.is_empty() {
            let end = i.checked_add(self.len).filter(|end| *end <= b.len())?;
            let hole = b.focus().narrow(i..end).into_iter().cloned().collect();
            self.found = Some((here, hole, Rest { block: b.clone(), from: end }));
            return Some(());
        }
        self.stmt(here, b.get(i)?, &Rest { block: b.clone(), from: i + 1 }, rest)
    }

    fn stmt(&mut self, env: Env, s: &Stmt, later: &Rest, path: &[Step]) -> Option<()> {
        let frame = |iteration| Frame { env: env.clone(), stmt: s.clone(), rest: later.clone(), iteration };
        match s.kind.as_ref() {
            StmtKind::If { cond, body, orelse } => {
                let c = lift(&env, cond);
                let then = matches!(path.first()?, Step::Body(_));
                self.ctrl.push(if then { c } else { EffExpr::not(c) });
                self.around.push(frame(None));
                self.block(&env, if then { body } else { orelse }, path, then)
            }
            StmtKind::For { iter, lo, hi, body, mode: _ } => {
                let (lo, hi) = (lift(&env, lo), lift(&env, hi));
                let (at, inside) = self.enter(&env, *iter, (&lo, &hi), body);
                self.around.push(frame(Some(Iteration { iter: *iter, at, hi, body: body.clone() })));
                self.block(&inside, body, path, true)
            }
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. } => None,
        }
    }

    /// Enters one iteration of a loop, any one: its number is a free variable from here on.
    fn enter(
        &mut self,
        env: &Env,
        iter: Sym,
        (lo, hi): (&EffExpr, &EffExpr),
        body: &Block,
    ) -> (EffExpr, Env) {
        // The program's own variable, for the reader's sake, unless it is taken.
        let x = if env.binds(iter) { iter.renewed() } else { iter };
        let at = EffExpr::int_var(x);
        self.ctrl.push(EffExpr::le(lo.clone(), at.clone()));
        self.ctrl.push(EffExpr::lt(at.clone(), hi.clone()));
        self.loops.push(Around { iter, at: at.clone(), lo: lo.clone(), hi: hi.clone() });
        let mut inside = LoopFlow::of(self.an, env, iter, lo, body).before(env, &at);
        inside.bind(iter, at.clone());
        (at, inside)
    }
}

/// A block of its own: what it allocates ends with it.
fn scoped(a: Effect) -> Effect {
    Effect::guard(EffExpr::bool(true), a)
}
