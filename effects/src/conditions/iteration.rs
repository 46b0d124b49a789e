//! Loops taken apart, and their iterations.

use super::LOOP_BOUNDS;
use super::formulas::Bounds;
use super::states::Part;
use crate::context::Context;
use crate::eff::eff_block;
use crate::effect::Effect;
use crate::effexpr::EffExpr;
use crate::env::Env;
use crate::lift::lift;
use crate::obligation::Obligation;
use rewright_semantics::ast::{Block, Expr, LoopMode, Stmt, StmtKind};
use rewright_semantics::sym::Sym;

/// A loop, taken apart.
#[derive(Clone, Copy)]
pub(super) struct Loop<'a> {
    pub(super) iter: Sym,
    pub(super) lo: &'a Expr,
    pub(super) hi: &'a Expr,
    pub(super) body: &'a Block,
    pub(super) mode: LoopMode,
    pub(super) stmt: &'a Stmt,
}

impl<'a> Loop<'a> {
    pub(super) fn of(s: &'a Stmt) -> Option<Loop<'a>> {
        match s.kind.as_ref() {
            StmtKind::For { iter, lo, hi, body, mode } => {
                Some(Loop { iter: *iter, lo, hi, body, mode: *mode, stmt: s })
            }
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::If { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. } => None,
        }
    }

    /// This loop with another body, as one of the pieces that change places.
    pub(super) fn part<'b>(&self, body: &'b Block) -> Part<'b>
    where
        'a: 'b,
    {
        Part { iters: vec![(self.iter, self.lo, self.hi)], body }
    }

    /// The bounds in a state.
    pub(super) fn bounds(&self, env: &Env) -> Bounds {
        (lift(env, self.lo), lift(env, self.hi))
    }
}

/// A copy of an iteration variable.
pub(super) fn copy_of(iter: Sym) -> EffExpr {
    EffExpr::int_var(iter.renewed())
}

/// The iteration variable of another iteration: `i'`.
pub(super) fn primed(iter: Sym) -> EffExpr {
    EffExpr::int_var(Sym::fresh(format!("{}'", iter.name()).as_str()))
}

/// A state in which loop variables have values.
pub(super) fn bound(env: &Env, at: &[(Sym, &EffExpr)]) -> Env {
    let mut inside = env.clone();
    for (iter, x) in at {
        inside.bind(*iter, (*x).clone());
    }
    inside
}

/// The effect of a block in a state, with the loop variable at a value.
pub(super) fn eff_at(ctx: &Context, env: &Env, at: &[(Sym, &EffExpr)], b: &Block) -> Effect {
    eff_block(&ctx.analysis, &bound(env, at), b)
}

/// A statement that is not what the condition is about.
pub(super) fn not_a_loop(ctx: &Context, s: &Stmt) -> Vec<Obligation> {
    let sentence = "the statement is a loop";
    vec![ctx.obligation(LOOP_BOUNDS, sentence, EffExpr::bool(false)).at(s.span, "this statement")]
}
