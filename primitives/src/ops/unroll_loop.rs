//! ```text
//! for i in seq(n, n + 2): s     ~>    s[i ↦ n]
//!                                     s[i ↦ n + 1]
//! ```
//! A loop that does not run goes.
//!
//! Source: ASPLOS'25 App. A.1. Spec: [rule: unroll_loop].

use crate::cursor::At;
use crate::cursor::path::{Hole, Step, child, member};
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::kept::Kept;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, form, required};
use crate::rewrite::Rewrite;
use crate::tools::requires::invariant::invariant_at_uses;
use crate::tools::syntax::stmt_views::For;
use crate::version::Proc;
use rewright_semantics::build::int;
use rewright_semantics::syntax::fold;
use rewright_semantics::syntax::subst::{fresh_copy, subst_block};
use rewright_semantics::types::linear::Linear;

/// How many iterations may be unrolled.
pub const MOST_COPIES: i64 = 1 << 12;
const CONSTANT: Condition =
    form("constant", "the bounds of the loop are a fixed number apart, and not too large a one");
const BOUNDS_STABLE: Condition =
    condition("bounds_stable", "the lower bound is the same wherever it is evaluated");

/// The entry of [`unroll_loop`].
pub static UNROLL_LOOP: Primitive = Primitive {
    name: "unroll_loop",
    summary: "writes out the iterations of a loop that runs a fixed number of times",
    source: "ASPLOS'25 App. A.1",
    params: &[required("loop_cursor", ArgKind::Loop)],
    conditions: &[CONSTANT, BOUNDS_STABLE],
    exact: Exact::WithoutFields,
    run: |p, args| unroll_loop(p, args.at("loop_cursor")?),
};

/// Writes out the iterations of a loop.
///
/// # Errors
/// A condition fails, or there is no loop.
pub fn unroll_loop(p: &Proc, at: impl Into<At>) -> Result<Proc> {
    let path = resolve::stmt(p, &at.into(), Sort::Loop)?;
    let mut rw = Rewrite::new(p, &UNROLL_LOOP);
    rw.at_stmt("loop_cursor", &path);
    let l = rw.given_loop(&path)?;
    let Some(length) = length(&l) else {
        return Err(rw.refuse(&CONSTANT, "the loop does not run a fixed number of times", l.span));
    };
    let few = length <= MOST_COPIES;
    rw.require_that(&CONSTANT, few, || format!("the loop runs more than {MOST_COPIES} times"))?;
    let lo = fold::constant(&l.lo).map_or_else(|| l.lo.clone(), int);
    if fold::as_int(&lo).is_none() {
        let stable = invariant_at_uses(&rw, &path, &l, &lo)?;
        rw.require(&BOUNDS_STABLE, stable)?;
    }
    if length < 1 {
        rw.delete(&Hole::stmt(path));
        return rw.finish();
    }
    // The first iteration keeps the statements; the loop, emptied, comes after it and goes.
    let contents = Hole { path: child(&path, Step::Body(0)), len: l.body.len() };
    rw.move_to(&contents, &path);
    let first = Hole { path: path.clone(), len: l.body.len() };
    rw.reshape_with(&first, Kept::substituted(l.iter, lo.clone()), |b| subst_block(b, l.iter, &lo));
    let after = member(&first, l.body.len());
    let at = |k: i64| fold::add(lo.clone(), int(k));
    let copies = (1..length).flat_map(|k| subst_block(&fresh_copy(&l.body), l.iter, &at(k)));
    rw.insert(&after, copies.collect());
    let emptied = member(&first, l.body.len() * usize::try_from(length).unwrap_or(0));
    rw.delete(&Hole::stmt(emptied));
    rw.finish()
}

impl Proc {
    /// Writes out the iterations of a loop that runs a fixed number of times: [`unroll_loop`](fn@unroll_loop).
    ///
    /// # Errors
    /// As the function.
    pub fn unroll_loop(&self, at: impl Into<At>) -> Result<Proc> {
        unroll_loop(self, at)
    }
}

/// How often a loop runs, where that is a number; at most 0 when it does not.
fn length(l: &For) -> Option<i64> {
    match (fold::constant(&l.lo), fold::constant(&l.hi)) {
        (Some(lo), Some(hi)) => Some(hi.saturating_sub(lo)),
        _ => Linear::of(&l.hi).ok()?.minus(&Linear::of(&l.lo).ok()?).ok()?.as_constant(),
    }
}
