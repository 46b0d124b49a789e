//! ```text
//! for i in seq(2, 4): s     ~>    s[i ↦ 2]
//!                                 s[i ↦ 3]
//! ```
//! A loop that does not run goes.
//!
//! - `constant`: both bounds are literals, and not more than [`MOST_COPIES`] apart.
//!
//! Source: ASPLOS'25 App. A.1. Spec: [rule: unroll_loop].

use crate::cursor::At;
use crate::cursor::path::{Hole, Step, child, member};
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::kept::Kept;
use crate::registry::{Kind, Primitive, form, required};
use crate::rewrite::Rewrite;
use crate::tools::subst::{fresh_copy, subst_block};
use crate::version::Proc;
use rewright_semantics::build::int;
use rewright_semantics::types::linear::Linear;

/// How many iterations may be unrolled.
pub const MOST_COPIES: i64 = 1 << 12;

/// The entry of [`unroll_loop`].
pub static UNROLL_LOOP: Primitive = Primitive {
    name: "unroll_loop",
    summary: "writes out the iterations of a loop with literal bounds",
    source: "ASPLOS'25 App. A.1",
    params: &[required("loop_cursor", Kind::Loop)],
    conditions: &[form("constant", "both bounds of the loop are literals, not too far apart")],
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
    let literal = |e| Linear::of(e).ok().and_then(|l| l.as_constant());
    let (Some(lo), Some(hi)) = (literal(&l.lo), literal(&l.hi)) else {
        return Err(rw.refuse("constant", "the bounds of the loop are not literals", l.span));
    };
    let few = hi.saturating_sub(lo) <= MOST_COPIES;
    rw.require_that("constant", few, || format!("the loop runs more than {MOST_COPIES} times"))?;
    if hi <= lo {
        rw.delete(&Hole::stmt(path));
        return rw.finish();
    }
    // The first iteration keeps the statements; the loop, emptied, comes after it and goes.
    let contents = Hole { path: child(&path, Step::Body(0)), len: l.body.len() };
    rw.move_to(&contents, &path);
    let first = Hole { path: path.clone(), len: l.body.len() };
    rw.reshape_with(&first, Kept::substituted(l.iter, int(lo)), |b| subst_block(b, l.iter, &int(lo)));
    let after = member(&first, l.body.len());
    let copies = (lo + 1..hi).flat_map(|i| subst_block(&fresh_copy(&l.body), l.iter, &int(i)));
    rw.insert(&after, copies.collect());
    let emptied = member(&first, l.body.len() * usize::try_from(hi - lo).unwrap_or(0));
    rw.delete(&Hole::stmt(emptied));
    rw.finish()
}
