//! Expressions that a rewrite evaluates at another moment than the program as given did.

use crate::cursor::path::{Hole, Step, child, member};
use crate::error::Result;
use crate::rewrite::Rewrite;
use crate::tools::requires::definitely_assigned::is_definitely_assigned;
use crate::tools::syntax::stmt_views::For;
use rewright_effects::conditions;
use rewright_effects::effexpr::EffExpr;
use rewright_effects::names::{expr_names, fields_in_expr};
use rewright_effects::obligation::{ConditionId, Obligation};
use rewright_semantics::ast::{Block, Expr, Stmt, StmtKind};
use rewright_semantics::build::block;
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::walk::each_operand;

/// A control expression has the value it has before the loop at `path` at the start of every iteration, and
/// after the last: it may be evaluated again and again. One state at the end is not enough, since an iteration
/// may undo what another did.
///
/// # Errors
/// There is no such loop: a bug of the primitive.
pub fn invariant_throughout(rw: &Rewrite, path: &[Step], s: &Stmt, e: &Expr) -> Result<Vec<Obligation>> {
    let mut out = invariant_at_starts(rw, path, e)?;
    out.extend(set_at(rw, &child(path, Step::Body(0)), e)?);
    if reads_fields(e) {
        out.push(conditions::same_after(&rw.context_of(path)?, e, &block([s.clone()])));
    }
    Ok(out)
}

/// A control expression that is evaluated anew at a place is not ⊥ there: an obligation that fails, where it may be.
/// Equal values are not enough, since effect expressions take every field for set.
///
/// # Errors
/// There is no such place: a bug of the primitive.
pub fn set_at(rw: &Rewrite, place: &[Step], e: &Expr) -> Result<Option<Obligation>> {
    if is_definitely_assigned(rw.ast(), place, e, &[]) {
        return Ok(None);
    }
    let ctx = rw.context(&Hole { path: place.to_vec(), len: 0 })?;
    let sentence = format!("`{}` is certainly set where it is evaluated again", expr_to_string(e));
    Ok(Some(ctx.obligation(ConditionId("set"), sentence, EffExpr::bool(false)).at(e.span, "this expression")))
}

/// A control expression has the value it has before the loop at `path` at the start of every iteration.
///
/// # Errors
/// There is no such loop: a bug of the primitive.
pub fn invariant_at_starts(rw: &Rewrite, path: &[Step], e: &Expr) -> Result<Vec<Obligation>> {
    if !reads_fields(e) {
        return Ok(Vec::new());
    }
    let before = rw.context_of(path)?;
    let inside = rw.context(&Hole { path: child(path, Step::Body(0)), len: 0 })?;
    let same = EffExpr::definitely(EffExpr::eq(before.lift(e), inside.lift(e)));
    let sentence = format!("`{}` has the same value in every iteration", expr_to_string(e));
    let in_each = inside.obligation(ConditionId("equal"), sentence, same).at(e.span, "this expression");
    Ok(vec![in_each])
}

/// Variables and strides do not change while they are in scope.
fn reads_fields(e: &Expr) -> bool {
    let mut reads = false;
    fields_in_expr(e, &mut |_, _| reads = true);
    reads
}

/// A control expression has the value it has before the loop at `path` wherever the loop's variable is used: there,
/// it may be part of what stands for the variable. The start of an iteration is not enough, since the statements
/// of a body may change a field and change it back.
///
/// # Errors
/// There is no such loop: a bug of the primitive.
pub fn invariant_at_uses(rw: &Rewrite, path: &[Step], l: &For, e: &Expr) -> Result<Vec<Obligation>> {
    if !reads_fields(e) {
        return Ok(Vec::new());
    }
    let before = rw.context_of(path)?.lift(e);
    let mut users = Vec::new();
    users_of(l.iter, &l.body, &child(path, Step::Body(0)), &mut users);
    let mut out = Vec::new();
    for user in &users {
        out.extend(set_at(rw, user, e)?);
        out.push({
            let there = rw.context_of(user)?;
            let same = EffExpr::definitely(EffExpr::eq(before.clone(), there.lift(e)));
            let text = expr_to_string(e);
            let sentence =
                format!("`{text}` has the value it has before the loop where `{}` is used", l.iter);
            there.obligation(ConditionId("equal"), sentence, same).at(e.span, "this expression")
        });
    }
    Ok(out)
}

/// The paths of the statements that mention `x` themselves; `first` is that of the block's first statement.
fn users_of(x: Sym, b: &Block, first: &[Step], out: &mut Vec<Vec<Step>>) {
    for (k, s) in b.iter().enumerate() {
        let path = member(&Hole::stmt(first), k);
        let mut uses = false;
        each_operand(s, &mut |_, e| uses |= expr_names(e).contains(&x));
        match s.kind.as_ref() {
            StmtKind::For { body, .. } => users_of(x, body, &child(&path, Step::Body(0)), out),
            StmtKind::If { cond: _, body, orelse } => {
                users_of(x, body, &child(&path, Step::Body(0)), out);
                users_of(x, orelse, &child(&path, Step::Orelse(0)), out);
            }
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. } => {}
        }
        if uses {
            out.push(path);
        }
    }
}
