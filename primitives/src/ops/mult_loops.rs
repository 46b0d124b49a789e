//! ```text
//! for i in seq(0, I):            for k in seq(0, c * I):
//!     for j in seq(0, c):   ~>       s[i ↦ k / c, j ↦ k % c]
//!         s
//! ```
//! - `nested`: the inner loop is all there is in the outer one. Breaks without it: `for i: x[i] = 0.0; for j: s`.
//! - `zero_based`: both loops start at 0. Breaks without it: `for i in seq(2, 4): for j in seq(0, 4): s`.
//! - `constant`: the inner upper bound is a positive literal. Breaks without it: nothing to divide by.
//! - `inner_parallel`: the inner loop is parallel if the outer one is; the new loop has the mode of the outer one.
//!   Breaks without it: an outer `par`, whose iterations are apart, around an inner `seq`, whose iterations are not.
//!
//! Source: ASPLOS'25 App. A.1. Spec: [rule: mult_loops].

use crate::cursor::At;
use crate::cursor::path::{Hole, Step, child};
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::kept::Kept;
use crate::registry::{Kind, Primitive, condition, form, required};
use crate::rewrite::Rewrite;
use crate::tools::fold;
use crate::tools::parts::For;
use crate::tools::subst::subst_block;
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_semantics::ast::LoopMode;
use rewright_semantics::build::{int, var};
use rewright_semantics::sym::Sym;
use rewright_semantics::types::linear::Linear;

/// The entry of [`mult_loops`].
pub static MULT_LOOPS: Primitive = Primitive {
    name: "mult_loops",
    summary: "makes one loop of two nested ones, the inner one of constant length",
    source: "ASPLOS'25 App. A.1",
    params: &[required("nested_loops", Kind::LoopPair), required("new_iter_name", Kind::NewName)],
    conditions: &[
        form("nested", "the inner loop is all there is in the outer one")
            .advise("`fission` takes what else is in the outer loop out of it"),
        condition("zero_based", "both loops start at 0"),
        form("constant", "the inner upper bound is a positive literal"),
        condition("inner_parallel", "the inner loop is parallel if the outer one is"),
    ],
    run: |p, args| mult_loops(p, args.at("nested_loops")?, &args.text("new_iter_name")?),
};

/// Makes one loop of the loop that is pointed at and the one right inside it.
///
/// # Errors
/// A condition fails, or there is no loop.
pub fn mult_loops(p: &Proc, at: impl Into<At>, new_iter: &str) -> Result<Proc> {
    let path = resolve::stmt(p, &at.into(), Sort::Loop)?;
    let mut rw = Rewrite::new(p, &MULT_LOOPS);
    rw.at_stmt("nested_loops", &path);
    rw.arg("new_iter_name", new_iter);
    let outer = rw.given_loop(&path)?;
    let only = outer.body.get(0).filter(|_| outer.body.len() == 1).and_then(For::of);
    let inner = only.ok_or_else(|| rw.refuse("nested", "the body is not just one loop", outer.span))?;
    rw.require_that("nested", true, || "")?;
    let ctx = rw.context_of(&path)?;
    let within = rw.context_of(&child(&path, Step::Body(0)))?;
    rw.require(
        "zero_based",
        [
            conditions::equal_exprs(&ctx, &outer.lo, &int(0)),
            conditions::equal_exprs(&within, &inner.lo, &int(0)),
        ],
    )?;
    let length = Linear::of(&inner.hi).ok().and_then(|l| l.as_constant()).filter(|c| *c >= 1);
    let why = "the upper bound of the inner loop is not a positive literal";
    let length = length.ok_or_else(|| rw.refuse("constant", why, inner.span))?;
    rw.require_that("constant", true, || "")?;
    let modes = outer.mode == LoopMode::Seq || inner.mode == LoopMode::Par;
    rw.require_that("inner_parallel", modes, || "the outer loop is parallel and the inner one is not")?;

    let k = Sym::fresh(new_iter);
    let contents = Hole { path: child(&child(&path, Step::Body(0)), Step::Body(0)), len: inner.body.len() };
    let emptied = child(&path, Step::Body(inner.body.len()));
    rw.move_to(&contents, &child(&path, Step::Body(0)));
    rw.redirect(&emptied, &path, Kept::unchanged());
    rw.delete(&Hole::stmt(emptied));
    let by = [(outer.iter, fold::quotient(var(k), length)), (inner.iter, fold::remainder(var(k), length))];
    rw.reshape_stmt(&path, Kept::all_substituted(by.clone()), |s| {
        let body = For::of(s).map(|l| l.body).unwrap_or_default();
        let body = by.iter().fold(body, |body, (x, e)| subst_block(&body, *x, e));
        For { iter: k, hi: fold::scale(length, outer.hi.clone()), body, ..outer.clone() }.stmt()
    });
    rw.finish()
}
