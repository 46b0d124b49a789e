//! ```text
//! for i in seq(a, b): s     ~>    for i in seq(a, b): s[i ↦ a + b - 1 - i]
//! ```
//! Loop reversal, as in textbooks on compilers; no primitive of Exo's. Spec: [rule: reverse_loop].

use crate::cursor::At;
use crate::cursor::path::{Step, child};
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::kept::Kept;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, required};
use crate::rewrite::{READABLE, Rewrite};
use crate::tools::requires::invariant::invariant_at_uses;
use crate::tools::syntax::stmt_views::For;
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_semantics::build::{int, var};
use rewright_semantics::syntax::subst::subst_block;

const BOUNDS_STABLE: Condition =
    condition("bounds_stable", "the bounds are the same wherever they are evaluated");
const ITERATIONS_COMMUTE: Condition =
    condition("iterations_commute", "no iteration touches what another one changes");

/// The entry of [`reverse_loop`].
pub static REVERSE_LOOP: Primitive = Primitive {
    name: "reverse_loop",
    summary: "runs the iterations of a loop from the last to the first",
    source: "loop reversal, of any textbook on loop transformations",
    params: &[required("loop_cursor", ArgKind::Loop)],
    conditions: &[BOUNDS_STABLE, ITERATIONS_COMMUTE, READABLE],
    exact: Exact::Always,
    run: |p, args| reverse_loop(p, args.at("loop_cursor")?),
};

/// Runs the iterations of a loop from the last to the first.
///
/// # Errors
/// A condition fails, or there is no loop.
pub fn reverse_loop(p: &Proc, at: impl Into<At>) -> Result<Proc> {
    let path = resolve::stmt(p, &at.into(), Sort::Loop)?;
    let mut rw = Rewrite::new(p, &REVERSE_LOOP);
    rw.at_stmt("loop_cursor", &path);
    let l = rw.given_loop(&path)?;
    let ctx = rw.context_of(&path)?;
    let (mut stable, commute): (Vec<_>, Vec<_>) = conditions::reverse_loop(&ctx, &l.clone().stmt())
        .into_iter()
        .partition(|ob| ob.id.0 == "loop.bounds");
    // At the start of an iteration in any order; and where a bound is read, which an iteration may change for a while.
    stable.extend(invariant_at_uses(&rw, &path, &l, &l.lo)?);
    stable.extend(invariant_at_uses(&rw, &path, &l, &l.hi)?);
    rw.require(&BOUNDS_STABLE, stable)?;
    rw.require(&ITERATIONS_COMMUTE, commute)?;
    rw.require_no_race(&child(&path, Step::Body(0)), &[&l.lo, &l.hi])?;

    let iter = l.iter.renewed();
    let form = rw.form();
    let last = form.sub(form.add(l.lo.clone(), l.hi.clone()), int(1));
    let at = form.sub(last, var(iter));
    rw.reshape_stmt(&path, Kept::substituted(l.iter, at.clone()), |_| {
        let body = subst_block(&l.body, l.iter, &at);
        For { iter, body, ..l }.stmt()
    });
    rw.finish()
}

impl Proc {
    /// Runs the iterations of a loop from the last to the first: [`reverse_loop`](fn@reverse_loop).
    ///
    /// # Errors
    /// As the function.
    pub fn reverse_loop(&self, at: impl Into<At>) -> Result<Proc> {
        reverse_loop(self, at)
    }
}
