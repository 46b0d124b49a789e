//! ```text
//! for i in seq(a, b): s     ~>    for i in seq(a, e): s
//!                                 for i in seq(e, b): s
//! ```
//! Source: ASPLOS'25 App. A.1. Spec: [rule: cut_loop].

use crate::cursor::At;
use crate::cursor::path::shifted;
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::kept::Kept;
use crate::registry::{ArgKind, Condition, Exact, ExprArg, Primitive, condition, required};
use crate::rewrite::{READABLE, Rewrite};
use crate::tools::syntax::stmt_views::For;
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_semantics::build::{and, block, ge, le, or};
use rewright_semantics::syntax::subst::fresh_copy;

const BETWEEN: Condition = condition("between", "the cut is between the bounds of the loop");
const BOUNDS_STABLE: Condition =
    condition("bounds_stable", "the iterations before the cut change neither the cut nor the upper bound");

/// The entry of [`cut_loop`].
pub static CUT_LOOP: Primitive = Primitive {
    name: "cut_loop",
    summary: "splits a loop in two at a value of its variable",
    source: "ASPLOS'25 App. A.1",
    params: &[required("loop_cursor", ArgKind::Loop), required("cut_point", ArgKind::Control)],
    conditions: &[BETWEEN, BOUNDS_STABLE, READABLE],
    exact: Exact::Always,
    run: |p, args| cut_loop(p, args.at("loop_cursor")?, &args.text("cut_point")?),
};

/// Splits a loop in two at a value of its variable.
///
/// # Errors
/// A condition fails, the value cannot be read, or there is no loop.
pub fn cut_loop(p: &Proc, at: impl Into<At>, cut: impl Into<ExprArg>) -> Result<Proc> {
    let cut: &str = &cut.into().0;
    let path = resolve::stmt(p, &at.into(), Sort::Loop)?;
    let mut rw = Rewrite::new(p, &CUT_LOOP);
    rw.at_stmt("loop_cursor", &path);
    rw.arg("cut_point", cut);
    let l = rw.given_loop(&path)?;
    let cut = rw.control(&path, cut)?;
    let ctx = rw.context_of(&path)?;
    let forwards = and(le(l.lo.clone(), cut.clone()), le(cut.clone(), l.hi.clone()));
    let backwards = and(ge(l.lo.clone(), cut.clone()), ge(cut.clone(), l.hi.clone()));
    rw.require(&BETWEEN, [conditions::holds(&ctx, &or(forwards, backwards))])?;
    let first = block([For { hi: cut.clone(), ..l.clone() }.stmt()]);
    rw.require(
        &BOUNDS_STABLE,
        [conditions::same_after(&ctx, &cut, &first), conditions::same_after(&ctx, &l.hi, &first)],
    )?;
    rw.require_readable(&path, &[&cut], &[l.lo.clone(), l.hi.clone()], None)?;

    let second = For { lo: cut.clone(), ..l.clone() }.stmt();
    rw.insert(&shifted(&path, 1), fresh_copy(&block([second])));
    rw.reshape_stmt(&path, Kept::unchanged(), |_| For { hi: cut, ..l }.stmt());
    rw.finish()
}

impl Proc {
    /// Splits a loop in two at a value of its variable: [`cut_loop`](fn@cut_loop).
    ///
    /// # Errors
    /// As the function.
    pub fn cut_loop(&self, at: impl Into<At>, cut: impl Into<ExprArg>) -> Result<Proc> {
        cut_loop(self, at, cut)
    }
}
