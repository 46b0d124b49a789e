//! What the value of a data expression depends on, and whether statements change it. Spec: [rule: buffers].

use rewright_effects::conditions;
use rewright_effects::context::Context;
use rewright_effects::eff::{eff_block, eff_expr};
use rewright_effects::effect::Effect;
use rewright_effects::effexpr::EffExpr;
use rewright_effects::locset::{Loc, LocSet};
use rewright_effects::obligation::{ConditionId, Obligation};
use rewright_semantics::ast::{Block, Expr};
use rewright_semantics::span::Span;
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::walk::each_child;

/// What an expression reads at a place: cells, and fields, also those in its indices.
pub fn reads(ctx: &Context, e: &Expr) -> LocSet {
    let mut parts = Vec::new();
    eff_expr(&ctx.env, e, &mut parts);
    Effect::seq(parts).reads()
}

/// Statements that start at the place change nothing that the expression reads there.
pub fn unchanged_by(ctx: &Context, e: &Expr, between: &Block) -> Obligation {
    let changed = eff_block(&ctx.analysis, &ctx.env, between).modified();
    let formula = EffExpr::definitely(changed.inter(reads(ctx, e)).is_empty());
    let at = between.iter().fold(Span::NONE, |span, s| span.to(s.span));
    ctx.obligation(
        ConditionId("unchanged"),
        "nothing that the expression reads is changed before its last use",
        formula,
    )
    .at(e.span, "this expression")
    .at(at, "changed here")
}

/// Every cell that the expression reads exists at the place.
pub fn in_bounds(ctx: &Context, e: &Expr) -> Vec<Obligation> {
    let mut out = Vec::new();
    each_cell(e, &mut |x, idx| out.push(conditions::in_bounds(ctx, x, idx)));
    out
}

/// Visits the cells that a data expression reads.
pub fn each_cell(e: &Expr, f: &mut impl FnMut(Sym, &[Expr])) {
    if let Some((name, idx)) = e.kind.read() {
        f(name, idx);
        return;
    }
    each_child(e, &mut |_, inner| each_cell(inner, f));
}

/// A place is not in a set.
pub fn outside(loc: &Loc, set: &LocSet) -> EffExpr {
    EffExpr::not(EffExpr::maybe(set.contains(loc)))
}
