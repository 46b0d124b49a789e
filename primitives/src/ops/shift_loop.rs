//! ```text
//! for i in seq(a, b): s     ~>    for i in seq(e, e + b - a): s[i ↦ i - e + a]
//! ```
//! Source: ASPLOS'25 App. A.1. Spec: [rule: shift_loop].

use crate::cursor::At;
use crate::cursor::path::{Step, child};
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::kept::Kept;
use crate::registry::{ArgKind, Condition, Exact, ExprArg, Primitive, condition, required};
use crate::rewrite::{READABLE, Rewrite};
use crate::tools::requires::invariant::invariant_at_uses;
use crate::tools::syntax::stmt_views::For;
use crate::version::Proc;
use rewright_semantics::build::var;
use rewright_semantics::syntax::fold::{self, Form};
use rewright_semantics::syntax::subst::subst_block;

const BOUNDS_STABLE: Condition =
    condition("bounds_stable", "the old and the new lower bound are the same wherever they are evaluated");

/// The entry of [`shift_loop`].
pub static SHIFT_LOOP: Primitive = Primitive {
    name: "shift_loop",
    summary: "gives a loop another first value",
    source: "ASPLOS'25 App. A.1",
    params: &[required("loop_cursor", ArgKind::Loop), required("new_lo", ArgKind::Control)],
    conditions: &[BOUNDS_STABLE, READABLE],
    exact: Exact::WithoutFields,
    run: |p, args| shift_loop(p, args.at("loop_cursor")?, &args.text("new_lo")?),
};

/// Gives a loop another first value.
///
/// # Errors
/// A condition fails, the value cannot be read, or there is no loop.
pub fn shift_loop(p: &Proc, at: impl Into<At>, new_lo: impl Into<ExprArg>) -> Result<Proc> {
    let new_lo: &str = &new_lo.into().0;
    let path = resolve::stmt(p, &at.into(), Sort::Loop)?;
    let mut rw = Rewrite::new(p, &SHIFT_LOOP);
    rw.at_stmt("loop_cursor", &path);
    rw.arg("new_lo", new_lo);
    let l = rw.given_loop(&path)?;
    let lo = rw.control(&path, new_lo)?;
    let mut stable = invariant_at_uses(&rw, &path, &l, &lo)?;
    stable.extend(invariant_at_uses(&rw, &path, &l, &l.lo)?);
    rw.require(&BOUNDS_STABLE, stable)?;
    rw.require_readable(&path, &[&lo], &[l.lo.clone(), l.hi.clone()], None)?;
    rw.require_no_race(&child(&path, Step::Body(0)), &[&lo, &l.lo])?;

    let iter = l.iter.renewed();
    let form = rw.form();
    let at = match form {
        Form::Short => fold::add(fold::sub(var(iter), lo.clone()), l.lo.clone()),
        Form::Literal => form.add(var(iter), form.sub(l.lo.clone(), lo.clone())),
    };
    rw.reshape_stmt(&path, Kept::substituted(l.iter, at.clone()), |_| {
        let body = subst_block(&l.body, l.iter, &at);
        let hi = form.add(lo.clone(), form.sub(l.hi.clone(), l.lo.clone()));
        For { iter, lo, hi, body, ..l }.stmt()
    });
    rw.finish()
}

impl Proc {
    /// Gives a loop another first value: [`shift_loop`](fn@shift_loop).
    ///
    /// # Errors
    /// As the function.
    pub fn shift_loop(&self, at: impl Into<At>, new_lo: impl Into<ExprArg>) -> Result<Proc> {
        shift_loop(self, at, new_lo)
    }
}
