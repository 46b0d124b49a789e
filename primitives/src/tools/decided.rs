//! Expressions that a rewrite makes the program evaluate where it did not: a configuration field that was never set
//! is ⊥, and an extent or index that is ⊥ is an error. Spec: [rule: tools.decided]; errata E-17.

use rewright_effects::analysis::entry;
use rewright_effects::context::Context;
use rewright_effects::effexpr::{EffExpr, Var};
use rewright_effects::lift::lift;
use rewright_semantics::ast::{Expr, Proc};
use std::collections::BTreeSet;

/// Whether everything that the value of `e` at a place depends on has been decided upon before: a field occurs in an
/// assertion, in the guards and loop bounds around the place, or in `also`, which the program evaluates there.
pub fn is_decided(p: &Proc, ctx: &Context, e: &Expr, also: &[Expr]) -> bool {
    let needed = fields_of(&ctx.lift(e));
    if needed.is_empty() {
        return true;
    }
    let start = entry(p);
    let mut known: BTreeSet<Var> = p.preds.iter().flat_map(|pred| fields_of(&lift(&start, pred))).collect();
    known.extend(ctx.ctrl.iter().flat_map(fields_of));
    known.extend(also.iter().flat_map(|e| fields_of(&ctx.lift(e))));
    needed.is_subset(&known)
}

fn fields_of(ee: &EffExpr) -> BTreeSet<Var> {
    ee.free_vars().into_iter().filter(|v| matches!(v, Var::Global(..))).collect()
}
