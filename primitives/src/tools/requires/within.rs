//! From the context of a statement to those inside it and after it, for rewrites that look at several places at
//! once: the variable of a loop on the way is one and the same in all of them, an iteration of which nothing else is
//! known.

use crate::tools::syntax::stmt_views::{For, If};
use rewright_effects::context::Context;
use rewright_effects::effexpr::EffExpr;
use rewright_effects::valg::{LoopFlow, val_g};
use rewright_semantics::ast::Stmt;

/// After the statement.
pub fn after(ctx: &Context, s: &Stmt) -> Context {
    let env = val_g(&ctx.analysis, &ctx.env, s);
    ctx.inside(env, [])
}

/// At the start of an iteration of the loop, any one.
pub fn iteration(ctx: &Context, l: &For) -> Context {
    let (lo, hi) = (ctx.lift(&l.lo), ctx.lift(&l.hi));
    let at = EffExpr::int_var(if ctx.env.binds(l.iter) { l.iter.renewed() } else { l.iter });
    let mut env = LoopFlow::of(&ctx.analysis, &ctx.env, l.iter, &lo, &l.body).before(&ctx.env, &at);
    env.bind(l.iter, at.clone());
    ctx.inside(env, [EffExpr::le(lo, at.clone()), EffExpr::lt(at, hi)])
}

/// At the start of a branch of the guard.
pub fn branch(ctx: &Context, guard: &If, body: bool) -> Context {
    let cond = ctx.lift(&guard.cond);
    ctx.inside(ctx.env.clone(), [if body { cond } else { EffExpr::not(cond) }])
}
