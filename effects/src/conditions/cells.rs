//! Conditions on single cells and fields. Spec: [rule: conditions.cells].

use super::{SAME_CELL, UNTOUCHED};
use crate::context::Context;
use crate::eff::{eff_block, eff_expr};
use crate::effect::Effect;
use crate::effexpr::EffExpr;
use crate::env::{Env, Field};
use crate::lift::lift;
use crate::locset::Loc;
use crate::obligation::Obligation;
use rewright_semantics::ast::{Block, Expr, ExprKind};
use rewright_semantics::sym::Sym;

/// The place that `x[e, …]` is: a cell of a root buffer. `None` when `x` is no buffer of that rank.
pub fn cell(env: &Env, x: Sym, idx: &[Expr]) -> Option<Loc> {
    let view = env.view(x).filter(|view| view.extents.len() == idx.len())?;
    let at: Vec<EffExpr> = idx.iter().map(|e| lift(env, e)).collect();
    Some(view.locate(&at))
}

/// The place that a data expression reads, when it is nothing but one read.
pub fn place(env: &Env, e: &Expr) -> Option<Loc> {
    match &e.kind {
        ExprKind::Read { name, idx } => cell(env, *name, idx),
        ExprKind::ReadConfig { config, field } => Some(Loc::field(Field::of(config, *field))),
        ExprKind::Window(_)
        | ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. } => None,
    }
}

/// Two places are one. `None` when they belong to different roots, so that they never are.
/// Spec: [rule: conditions.same-cell].
pub fn same_place(ctx: &Context, a: &Loc, b: &Loc) -> Option<Obligation> {
    if a.base != b.base || a.idx.len() != b.idx.len() {
        return None;
    }
    let each = a.idx.iter().zip(b.idx.iter()).map(|(i, j)| EffExpr::eq(i.clone(), j.clone()));
    let formula = EffExpr::definitely(EffExpr::and(each.collect::<Vec<_>>()));
    Some(ctx.obligation(SAME_CELL, "both are the same cell", formula))
}

/// Evaluating the expression at the hole does not read the place. Spec: [rule: conditions.untouched].
pub fn not_read_by(ctx: &Context, at: &Loc, e: &Expr) -> Obligation {
    let mut parts = Vec::new();
    eff_expr(&ctx.env, e, &mut parts);
    let read = Effect::seq(parts).reads();
    let formula = EffExpr::definitely(EffExpr::not(read.contains(at)));
    ctx.obligation(UNTOUCHED, "the expression does not read the cell", formula).at(e.span, "this expression")
}

/// The statements at the hole do not touch the place. Spec: [rule: conditions.untouched].
pub fn not_touched_by(ctx: &Context, at: &Loc, b: &Block) -> Obligation {
    let touched = eff_block(&ctx.analysis, &ctx.env, b).all();
    let formula = EffExpr::definitely(EffExpr::not(touched.contains(at)));
    ctx.obligation(UNTOUCHED, "nothing else there touches the cell", formula)
        .at(super::stmts::span_of(b), "these statements")
}

/// The statements at the hole do not change the place. Spec: [rule: conditions.untouched].
pub fn not_changed_by(ctx: &Context, at: &Loc, b: &Block) -> Obligation {
    let changed = eff_block(&ctx.analysis, &ctx.env, b).modified();
    let formula = EffExpr::definitely(EffExpr::not(changed.contains(at)));
    ctx.obligation(UNTOUCHED, "the statements do not change the cell", formula)
        .at(super::stmts::span_of(b), "these statements")
}

/// The statements at the hole read the place in any case, whatever branches they take.
/// Spec: [rule: conditions.untouched].
pub fn read_by(ctx: &Context, at: &Loc, b: &Block) -> Obligation {
    let read = eff_block(&ctx.analysis, &ctx.env, b).reads();
    let formula = EffExpr::definitely(read.contains(at));
    ctx.obligation(UNTOUCHED, "the statements read the cell in any case", formula)
        .at(super::stmts::span_of(b), "these statements")
}
