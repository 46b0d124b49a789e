//! ```text
//! for i in seq(a, b):            for j in seq(c, d):
//!     for j in seq(c, d):   ~>       for i in seq(a, b):
//!         s                              s
//! ```
//! Source: ASPLOS'25 App. A.1; PLDI'22 §5.8. Spec: [rule: reorder_loops].

use crate::cursor::At;
use crate::cursor::path::{Hole, Step, child, shifted, stmt_at};
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, form, required};
use crate::rewrite::{READABLE, Rewrite};
use crate::tools::syntax::stmt_views::For;
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_semantics::ast::{LoopMode, Stmt, StmtKind};

const NESTED: Condition = form("nested", "the inner loop is all there is in the outer one")
    .advise("`fission` takes what else is in the outer loop out of it");
const BOUNDS: Condition = condition("bounds", "the bounds of both loops are the same in every iteration");
const BODIES_COMMUTE: Condition =
    condition("bodies_commute", "iterations that change places do not touch what the other changes");

/// The entry of [`reorder_loops`].
pub static REORDER_LOOPS: Primitive = Primitive {
    name: "reorder_loops",
    summary: "swaps a loop with the one right inside it",
    source: "ASPLOS'25 App. A.1",
    params: &[required("nested_loops", ArgKind::LoopPair)],
    conditions: &[NESTED, BOUNDS, BODIES_COMMUTE, READABLE],
    exact: Exact::Always,
    run: |p, args| reorder_loops(p, args.at("nested_loops")?),
};

/// Swaps the loop that is pointed at with the one right inside it.
///
/// # Errors
/// A condition fails, or there is no loop.
pub fn reorder_loops(p: &Proc, at: impl Into<At>) -> Result<Proc> {
    let outer = resolve::stmt(p, &at.into(), Sort::Loop)?;
    let mut rw = Rewrite::new(p, &REORDER_LOOPS);
    rw.at_stmt("nested_loops", &outer);
    let s = stmt_at(p.ast(), &outer).ok_or_else(|| rw.internal("the loop is gone"))?.clone();
    let inner = inner_loop(&s).ok_or_else(|| rw.refuse(&NESTED, "the body is not just one loop", s.span))?;
    rw.require_that(&NESTED, true, || "")?;
    require_reorder(&mut rw, &outer, &s)?;
    swap_nesting(&mut rw, &outer, &inner);
    rw.finish()
}

impl Proc {
    /// Swaps a loop with the one right inside it: [`reorder_loops`](fn@reorder_loops).
    ///
    /// # Errors
    /// As the function.
    pub fn reorder_loops(&self, at: impl Into<At>) -> Result<Proc> {
        reorder_loops(self, at)
    }
}

/// The conditions on the bounds and the bodies.
pub(super) fn require_reorder(rw: &mut Rewrite, outer: &[Step], s: &Stmt) -> Result<()> {
    let ctx = rw.context_of(outer)?;
    let (commute, bounds): (Vec<_>, Vec<_>) = conditions::reorder_loops(&ctx, s)
        .into_iter()
        .partition(|ob| matches!(ob.id.0, "loop.iterations-commute" | "loop.parallel"));
    rw.require(&BOUNDS, bounds)?;
    rw.require(&BODIES_COMMUTE, commute)?;
    let (Some(x), Some(y)) = (For::of(s), inner_loop(s).as_ref().and_then(For::of)) else { return Ok(()) };
    let runs = conditions::runs_at_least_once(&ctx, s);
    rw.require_readable(outer, &[&y.lo, &y.hi], &[x.lo.clone(), x.hi.clone()], Some(runs))?;
    if y.mode == LoopMode::Par {
        rw.require_no_race(&child(&child(outer, Step::Body(0)), Step::Body(0)), &[&x.lo, &x.hi])?;
    }
    Ok(())
}

/// The statement around `outer`'s only statement changes places with it: both keep their nodes, and so do the
/// statements inside.
pub(super) fn swap_nesting(rw: &mut Rewrite, outer: &[Step], inner: &Stmt) {
    let StmtKind::For { body, .. } = inner.kind.as_ref() else { return };
    let after = shifted(outer, 1);
    rw.move_to(&Hole::stmt(child(outer, Step::Body(0))), outer);
    rw.move_to(&Hole { path: child(outer, Step::Body(0)), len: body.len() }, &child(&after, Step::Body(0)));
    rw.delete(&Hole::stmt(child(&after, Step::Body(body.len()))));
    rw.move_to(&Hole::stmt(after), &child(outer, Step::Body(0)));
    rw.delete(&Hole::stmt(child(outer, Step::Body(1))));
}

pub(super) fn inner_loop(s: &Stmt) -> Option<Stmt> {
    match s.kind.as_ref() {
        StmtKind::For { body, .. } if body.len() == 1 => {
            body.get(0).filter(|s| Sort::Loop.admits(&s.kind)).cloned()
        }
        StmtKind::For { .. }
        | StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => None,
    }
}
