//! ```text
//! for i in seq(a, b): s     ~>    s                 where the loop runs
//!                                 if b > a: s       where it may not
//! ```
//! Source: ASPLOS'25 App. A.1; PLDI'22 §5.8. Spec: [rule: remove_loop].

use crate::cursor::At;
use crate::cursor::path::{Hole, Step, child, shifted};
use crate::cursor::resolve::{self, Sort};
use crate::edit::Wrapper;
use crate::error::Result;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, form, required};
use crate::rewrite::Rewrite;
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_effects::names::free_names;
use rewright_semantics::ast::Block;
use rewright_semantics::build::gt;

const INDEPENDENT: Condition = form("independent", "the loop variable does not occur in the body");
const RUNS: Condition = condition("runs", "the loop runs at least once, where there is no guard");
const IDEMPOTENT: Condition = condition("idempotent", "running the body again changes nothing");

/// The entry of [`remove_loop`].
pub static REMOVE_LOOP: Primitive = Primitive {
    name: "remove_loop",
    summary: "runs the body of a loop once, under a guard if the loop may not run",
    source: "ASPLOS'25 App. A.1",
    params: &[required("loop_cursor", ArgKind::Loop)],
    conditions: &[INDEPENDENT, RUNS, IDEMPOTENT],
    exact: Exact::Never,
    run: |p, args| remove_loop(p, args.at("loop_cursor")?),
};

/// Runs the body of a loop once, under a guard if the loop may not run.
///
/// # Errors
/// A condition fails, or there is no loop.
pub fn remove_loop(p: &Proc, at: impl Into<At>) -> Result<Proc> {
    remove(p, &at.into(), true)
}

impl Proc {
    /// Runs the body of a loop once, under a guard if the loop may not run: [`remove_loop`](fn@remove_loop).
    ///
    /// # Errors
    /// As the function.
    pub fn remove_loop(&self, at: impl Into<At>) -> Result<Proc> {
        remove_loop(self, at)
    }
}

/// Runs the body of a loop once, if it certainly runs.
///
/// # Errors
/// As [`remove_loop`]; or the loop may not run.
pub(super) fn remove_running_loop(p: &Proc, at: impl Into<At>) -> Result<Proc> {
    remove(p, &at.into(), false)
}

fn remove(p: &Proc, at: &At, or_guard: bool) -> Result<Proc> {
    let path = resolve::stmt(p, at, Sort::Loop)?;
    let mut rw = Rewrite::new(p, &REMOVE_LOOP);
    rw.at_stmt("loop_cursor", &path);
    let l = rw.given_loop(&path)?;
    let independent = !free_names(&l.body).contains(&l.iter);
    rw.require_that(&INDEPENDENT, independent, || format!("`{}` occurs in the body of its loop", l.iter))?;
    let ctx = rw.context_of(&path)?;
    let s = l.clone().stmt();
    let (runs, rest): (Vec<_>, Vec<_>) =
        conditions::remove_loop(&ctx, &s).into_iter().partition(|ob| ob.id.0 == "loop.runs");
    let runs = rw.holds(&RUNS, runs)?;
    rw.refuse_unless(&RUNS, runs || or_guard, || "the loop may not run")?;
    rw.require(&IDEMPOTENT, rest.into_iter().filter(|ob| ob.id.0 == "idempotent"))?;

    let mut contents = Hole { path: child(&path, Step::Body(0)), len: l.body.len() };
    if !runs {
        rw.wrap(&contents, Wrapper::If { cond: gt(l.hi, l.lo), orelse: Block::new() });
        contents.len = 1;
    }
    rw.move_to(&contents, &path);
    rw.delete(&Hole::stmt(shifted(&path, contents.len.cast_signed())));
    rw.finish()
}
