//! Expressions that a rewrite evaluates at another moment than the program as given did.

use crate::cursor::path::{Hole, Step, child};
use crate::error::Result;
use crate::rewrite::Rewrite;
use rewright_effects::conditions;
use rewright_effects::effexpr::EffExpr;
use rewright_effects::obligation::{ConditionId, Obligation};
use rewright_semantics::ast::{Expr, Stmt};
use rewright_semantics::build::block;

/// A control expression has the value it has before the loop at `path` at the start of every iteration, and
/// after the last: it may be evaluated again and again. One state at the end is not enough, since an iteration
/// may undo what another did.
///
/// # Errors
/// There is no such loop: a bug of the primitive.
pub fn stable_throughout(rw: &Rewrite, path: &[Step], s: &Stmt, e: &Expr) -> Result<Vec<Obligation>> {
    let before = rw.context_of(path)?;
    let inside = rw.context(&Hole { path: child(path, Step::Body(0)), len: 0 })?;
    let same = EffExpr::definitely(EffExpr::eq(before.lift(e), inside.lift(e)));
    let sentence = "the expression has the same value in every iteration";
    let in_each = inside.obligation(ConditionId("equal"), sentence, same).at(e.span, "this expression");
    Ok(vec![in_each, conditions::same_after(&before, e, &block([s.clone()]))])
}
