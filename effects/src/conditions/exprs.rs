//! Conditions on control expressions. Spec: [rule: conditions.exprs].

use super::{EQUAL, HOLDS, IN_BOUNDS, NONNEGATIVE, POSITIVE};
use crate::context::Context;
use crate::effexpr::EffExpr;
use crate::lift::lift;
use crate::obligation::Obligation;
use crate::valg::val_g_block;
use rewright_semantics::ast::{Block, Expr};
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::sym::Sym;

/// Two control expressions have the same value at the hole. Spec: [rule: conditions.equal].
pub fn equal_exprs(ctx: &Context, a: &Expr, b: &Expr) -> Obligation {
    let formula = EffExpr::surely_equal(&ctx.lift(a), &ctx.lift(b));
    let sentence = format!("`{}` and `{}` have the same value", expr_to_string(a), expr_to_string(b));
    ctx.obligation(EQUAL, sentence, formula).at(a.span, "this expression").at(b.span, "and this one")
}

/// A condition of the language holds at the hole. Spec: [rule: conditions.holds].
pub fn holds(ctx: &Context, e: &Expr) -> Obligation {
    let formula = EffExpr::definitely(ctx.lift(e));
    ctx.obligation(HOLDS, format!("`{}` holds", expr_to_string(e)), formula).at(e.span, "this condition")
}

/// [`holds`] as a question for oneself: without a sentence or a place to show.
pub fn holds_unsaid(ctx: &Context, e: &Expr) -> Obligation {
    ctx.obligation(HOLDS, "", EffExpr::definitely(ctx.lift(e)))
}

/// A control expression has the same value before and after the statements: it may be evaluated at either
/// place. Spec: [rule: conditions.same-after].
pub fn same_after(ctx: &Context, e: &Expr, between: &Block) -> Obligation {
    let after = val_g_block(&ctx.analysis, &ctx.env, between);
    let formula = EffExpr::surely_equal(&ctx.lift(e), &lift(&after, e));
    let sentence =
        format!("`{}` has the same value before and after what runs in between", expr_to_string(e));
    ctx.obligation(EQUAL, sentence, formula).at(e.span, "this expression")
}

/// A control expression before the statements has the value that another has after them.
/// Spec: [rule: conditions.equal-after].
pub fn equal_after(ctx: &Context, a: &Expr, between: &Block, b: &Expr) -> Obligation {
    let after = val_g_block(&ctx.analysis, &ctx.env, between);
    let formula = EffExpr::surely_equal(&ctx.lift(a), &lift(&after, b));
    let (now, then) = (expr_to_string(a), expr_to_string(b));
    let sentence = format!("`{now}` has the value here that `{then}` has after what runs in between");
    ctx.obligation(EQUAL, sentence, formula).at(a.span, "this expression").at(b.span, "and this one")
}

/// `x[e, …]` is a cell of `x` at the hole. Spec: [rule: conditions.bounds].
pub fn in_bounds(ctx: &Context, x: Sym, idx: &[Expr]) -> Obligation {
    let sentence = format!("the access is within `{x}`");
    let formula = match ctx.env.view(x) {
        Some(view) if view.extents.len() == idx.len() => {
            let each = idx.iter().zip(&view.extents).map(|(e, extent)| within(&ctx.lift(e), extent));
            EffExpr::definitely(EffExpr::and(each.collect::<Vec<_>>()))
        }
        Some(_) | None => EffExpr::bool(false),
    };
    let ob = ctx.obligation(IN_BOUNDS, sentence, formula);
    idx.iter().fold(ob, |ob, e| ob.at(e.span, "this index"))
}

/// `0 ≤ i < extent`
pub(crate) fn within(i: &EffExpr, extent: &EffExpr) -> EffExpr {
    EffExpr::and([EffExpr::le(EffExpr::int(0), i.clone()), EffExpr::lt(i.clone(), extent.clone())])
}

/// A control expression is at least 0 at the hole. Spec: [rule: conditions.nonnegative].
pub fn nonnegative(ctx: &Context, e: &Expr) -> Obligation {
    let formula = EffExpr::definitely(EffExpr::ge(ctx.lift(e), EffExpr::int(0)));
    ctx.obligation(NONNEGATIVE, format!("`{}` is not negative", expr_to_string(e)), formula)
        .at(e.span, "this expression")
}

/// A control expression is at least 1 at the hole. Spec: [rule: conditions.positive].
pub fn positive(ctx: &Context, e: &Expr) -> Obligation {
    let formula = EffExpr::definitely(EffExpr::ge(ctx.lift(e), EffExpr::int(1)));
    ctx.obligation(POSITIVE, format!("`{}` is at least 1", expr_to_string(e)), formula)
        .at(e.span, "this expression")
}
