//! ```text
//! for i in seq(0, I):            for k in seq(0, c * I):
//!     for j in seq(0, c):   ~>       s[i ↦ k / c, j ↦ k % c]
//!         s
//! ```
//! Of a loop that starts at `a`, the length is `b - a`, and `a` is added to what stands for its variable.
//!
//! Source: ASPLOS'25 App. A.1. Spec: [rule: mult_loops].

use crate::cursor::At;
use crate::cursor::path::{Hole, Step, child};
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::kept::Kept;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, form, required};
use crate::rewrite::{READABLE, Rewrite};
use crate::tools::requires::invariant::invariant_at_uses;
use crate::tools::syntax::stmt_views::For;
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_effects::context::Context;
use rewright_effects::names::expr_names;
use rewright_semantics::ast::{Expr, LoopMode};
use rewright_semantics::build::{int, var};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::fold;
use rewright_semantics::syntax::subst::subst_block;

const NESTED: Condition = form("nested", "the inner loop is all there is in the outer one")
    .advise("`fission` takes what else is in the outer loop out of it");
const ZERO_BASED: Condition =
    condition("zero_based", "a loop starts at 0, where nothing is added to what stands for its variable");
const CONSTANT: Condition = form("constant", "the length of the inner loop is a positive number");
const BOUNDS_STABLE: Condition =
    condition("bounds_stable", "the lower bounds are the same wherever they are evaluated");
const INNER_PARALLEL: Condition =
    condition("inner_parallel", "the inner loop is parallel if the outer one is");

/// The entry of [`mult_loops`].
pub static MULT_LOOPS: Primitive = Primitive {
    name: "mult_loops",
    summary: "makes one loop of two nested ones, the inner one of constant length",
    source: "ASPLOS'25 App. A.1",
    params: &[required("nested_loops", ArgKind::LoopPair), required("new_iter_name", ArgKind::NewName)],
    conditions: &[NESTED, ZERO_BASED, CONSTANT, BOUNDS_STABLE, READABLE, INNER_PARALLEL],
    exact: Exact::WithoutFields,
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
    let inner = only.ok_or_else(|| rw.refuse(&NESTED, "the body is not just one loop", outer.span))?;
    rw.require_that(&NESTED, true, || "")?;
    let ctx = rw.context_of(&path)?;
    let inside = child(&path, Step::Body(0));
    let within = rw.context_of(&inside)?;
    let mut start = |ctx: &Context, l: &For| -> Result<Expr> {
        let zero_based = rw.holds(&ZERO_BASED, [conditions::equal_exprs(ctx, &l.lo, &int(0))])?;
        Ok(if zero_based { int(0) } else { l.lo.clone() })
    };
    let (from, inner_from) = (start(&ctx, &outer)?, start(&within, &inner)?);
    let length = fold::constant(&fold::sub(inner.hi.clone(), inner_from.clone())).filter(|c| *c >= 1);
    let why = "the inner loop does not run a fixed number of times";
    let length = length.ok_or_else(|| rw.refuse(&CONSTANT, why, inner.span))?;
    rw.require_that(&CONSTANT, true, || "")?;
    if [&from, &inner_from].iter().any(|e| fold::as_int(e).is_none()) {
        let mut stable = invariant_at_uses(&rw, &path, &outer, &from)?;
        stable.extend(invariant_at_uses(&rw, &inside, &inner, &inner_from)?);
        if expr_names(&inner_from).contains(&outer.iter) {
            stable.extend(invariant_at_uses(&rw, &inside, &inner, &from)?);
        }
        rw.require(&BOUNDS_STABLE, stable)?;
        rw.require_no_race(&child(&inside, Step::Body(0)), &[&from, &inner_from])?;
    }
    let modes = outer.mode == LoopMode::Seq || inner.mode == LoopMode::Par;
    rw.require_apart(&INNER_PARALLEL, modes, || "the outer loop is parallel and the inner one is not")?;

    let k = Sym::fresh(new_iter);
    let contents = Hole { path: child(&child(&path, Step::Body(0)), Step::Body(0)), len: inner.body.len() };
    let emptied = child(&path, Step::Body(inner.body.len()));
    rw.move_to(&contents, &child(&path, Step::Body(0)));
    rw.redirect(&emptied, &path, Kept::unchanged());
    rw.delete(&Hole::stmt(emptied));
    // The inner loop may start at a value of the outer one's variable.
    let by = [
        (inner.iter, fold::add(fold::remainder(var(k), length), inner_from.clone())),
        (outer.iter, fold::add(fold::quotient(var(k), length), from.clone())),
    ];
    let form = rw.form();
    rw.reshape_stmt(&path, Kept::all_substituted(by.clone()), |s| {
        let body = For::of(s).map(|l| l.body).unwrap_or_default();
        let body = by.iter().fold(body, |body, (x, e)| subst_block(&body, *x, e));
        let iterations = match fold::as_int(&from) {
            Some(0) => outer.hi.clone(),
            Some(_) | None => fold::sub(outer.hi.clone(), from.clone()),
        };
        let hi = form.times(iterations, length);
        For { iter: k, lo: int(0), hi, body, ..outer.clone() }.stmt()
    });
    rw.finish()
}

impl Proc {
    /// Makes one loop of two nested ones, the inner one of constant length: [`mult_loops`](fn@mult_loops).
    ///
    /// # Errors
    /// As the function.
    pub fn mult_loops(&self, at: impl Into<At>, new_iter: &str) -> Result<Proc> {
        mult_loops(self, at, new_iter)
    }
}
