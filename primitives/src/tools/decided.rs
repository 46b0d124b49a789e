//! Expressions that a rewrite makes the program evaluate where it did not: a configuration field that was never set
//! is ⊥, and an extent or index that is ⊥ is an error. Spec: [rule: tools.decided]; errata E-17.

use super::walk::each_operand;
use rewright_effects::analysis::entry;
use rewright_effects::context::Context;
use rewright_effects::effexpr::{EffExpr, Var};
use rewright_effects::lift::lift;
use rewright_semantics::ast::{Block, Expr, Proc, StmtKind};
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

/// What a block decides on first, in any case: the expressions of its first statement. A value that is only copied,
/// into a field or to a callee, may be ⊥.
pub fn decided_first(b: &Block) -> Vec<Expr> {
    let mut out = Vec::new();
    let Some(s) = b.get(0) else { return out };
    match s.kind.as_ref() {
        StmtKind::WriteConfig { .. } | StmtKind::Call { .. } | StmtKind::Pass => {}
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. } => each_operand(s, &mut |_, e| out.push(e.clone())),
    }
    out
}

fn fields_of(ee: &EffExpr) -> BTreeSet<Var> {
    ee.free_vars().into_iter().filter(|v| matches!(v, Var::Global(..))).collect()
}
