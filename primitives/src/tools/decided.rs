//! Expressions that a rewrite makes the program evaluate where it did not: a configuration field that was never set
//! is ⊥, and an extent or index that is ⊥ is an error. Spec: [rule: buffers]; errata E-17.

use super::walk::each_operand;
use rewright_effects::analysis::entry;
use rewright_effects::context::Context;
use rewright_effects::effexpr::{EffExpr, Var};
use rewright_effects::env::{Env, Field, sort_of_field};
use rewright_effects::names::fields_in_expr;
use rewright_semantics::ast::{Block, Expr, Proc, StmtKind};
use std::collections::BTreeSet;

/// Whether everything that the value of `e` at a place depends on has been decided upon before: a field occurs in an
/// assertion, in the guards and loop bounds around the place, or in `also`, which the program evaluates there.
pub fn is_decided(p: &Proc, ctx: &Context, e: &Expr, also: &[Expr]) -> bool {
    let needed = behind(&ctx.env, e);
    if needed.is_empty() {
        return true;
    }
    let start = entry(p);
    let mut known: BTreeSet<Var> = p.preds.iter().flat_map(|pred| behind(&start, pred)).collect();
    known.extend(ctx.ctrl.iter().flat_map(fields_of));
    known.extend(also.iter().flat_map(|e| behind(&ctx.env, e)));
    needed.is_subset(&known)
}

/// The fields, as on entry, on which it depends what the fields hold that an expression reads. Not those in its
/// value: `Cfg.k - Cfg.k` is ⊥ where the field is.
fn behind(env: &Env, e: &Expr) -> BTreeSet<Var> {
    let mut out = BTreeSet::new();
    fields_in_expr(e, &mut |config, field| {
        if let Some(sort) = sort_of_field(config, field) {
            out.extend(fields_of(&env.globals.get(Field::of(config, field), sort)));
        }
    });
    out
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
