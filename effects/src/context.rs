//! Contexts: what is known at a place in a procedure, and what comes after it. PLDI'22 §6 and App. F;
//! spec: [rule: contexts].
//!
//! A context is found by walking a *path* from the procedure's body. Nothing is looked up by the identity
//! of a node, since one node may stand in several places.

mod derived;

use crate::analysis::Analysis;
use crate::effect::Effect;
use crate::effexpr::EffExpr;
use crate::env::Env;
use crate::hypotheses::Hypotheses;
use crate::lift::lift;
use crate::locset::Base;
use crate::names::free_names;
use crate::obligation::{ConditionId, Obligation};
use derived::{Ctxt, ctrl_pred, post_eff, pre_val_g};
use rewright_semantics::ast::{Block, Expr, Proc};
use rewright_semantics::sym::Sym;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

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

    /// Whether it enters a body, and no else branch.
    pub fn is_body(self) -> bool {
        match self {
            Step::Body(_) => true,
            Step::Orelse(_) => false,
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
    pub ctrl_pred: Vec<EffExpr>,
    /// The statements in the hole.
    pub hole: Block,
    /// The roots that outlive the procedure: its arguments.
    outer: BTreeSet<Sym>,
    /// C, and γ on entry: what comes after the hole is worked out when someone asks.
    ctxt: Arc<(Ctxt, Env)>,
    post: OnceLock<Effect>,
    later: OnceLock<BTreeSet<Sym>>,
}

impl Context {
    /// The context of a hole; `None` when the path leads nowhere.
    ///
    /// App. F's `proc p assert e do C`: the walk begins on entry, and the assertions are among the facts.
    pub fn of(an: &Analysis, p: &Proc, hole: &Hole) -> Option<Context> {
        let c = Ctxt::of(&p.body, &hole.path, hole.len)?;
        let (entry, facts) = an.on_entry(p);
        Some(Context {
            analysis: an.clone(),
            facts,
            env: pre_val_g(an, &c, &entry),
            ctrl_pred: ctrl_pred(an, &c, &entry),
            hole: c.hole().clone(),
            outer: p.args.iter().map(|a| a.name).collect(),
            ctxt: Arc::new((c, entry)),
            post: OnceLock::new(),
            later: OnceLock::new(),
        })
    }

    /// PostEff: the effect of what runs after the hole, given that the hole runs. App. F.
    pub fn post_eff(&self) -> &Effect {
        self.post.get_or_init(|| {
            let (c, entry) = self.ctxt.as_ref();
            post_eff(&self.analysis, c, entry).0
        })
    }

    /// The names that occur free in the rest of the hole's block.
    pub fn later(&self) -> &BTreeSet<Sym> {
        self.later.get_or_init(|| free_names(&self.ctxt.0.rest()))
    }

    /// What may be assumed at the hole.
    pub fn hypotheses(&self) -> Hypotheses {
        let mut known = self.facts.clone();
        known.extend(self.ctrl_pred.iter().cloned());
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
        out.ctrl_pred.extend(more);
        out
    }
}
