//! ```text
//! for i in seq(0, n):             a: T[sz]
//!     a: T[sz]             ~>     for i in seq(0, n):
//!     s                               s
//! ```
//! and the same out of an `if`, `n_lifts` times. Each iteration began with ⊥ in every cell of `a`; now it may begin
//! with what the one before has left there. That defines more and changes nothing that was defined.
//!
//! Source: ASPLOS'25 App. A.5. Spec: [rule: lift_alloc].

use crate::cursor::At;
use crate::cursor::path::{Hole, Step};
use crate::cursor::resolve::{self, Sort};
use crate::edit::Edit;
use crate::error::Result;
use crate::registry::{ArgKind, Condition, Default, Exact, Primitive, condition, optional, required};
use crate::rewrite::{READABLE, Rewrite};
use crate::tools::buffers::relayout::Buffer;
use crate::tools::requires::tentative::{parallel_around, races, tentative};
use crate::tools::syntax::stmt_views::For;
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_effects::effexpr::EffExpr;
use rewright_effects::names::expr_names;
use rewright_effects::obligation::{ConditionId, Obligation};
use rewright_semantics::ast::Expr;
use rewright_semantics::sym::Sym;
use std::collections::BTreeSet;

const EXTENTS: Condition = condition("extents", "the extents have the same value at the new place");
const NONNEGATIVE: Condition = condition("nonnegative", "the extents are not negative at the new place");
const PARALLEL: Condition = condition("parallel", "iterations of a parallel loop do not meet in the buffer");

/// The entry of [`lift_alloc`].
pub static LIFT_ALLOC: Primitive = Primitive {
    name: "lift_alloc",
    summary: "moves an allocation to before the loops or guards around it",
    source: "ASPLOS'25 App. A.5",
    params: &[required("alloc_cursor", ArgKind::Alloc), optional("n_lifts", ArgKind::Int, Default::Int(1))],
    conditions: &[EXTENTS, NONNEGATIVE, READABLE, PARALLEL],
    exact: Exact::Never,
    run: |p, args| lift_alloc(p, args.at("alloc_cursor")?, args.int("n_lifts")?),
};

/// Moves an allocation out of `n_lifts` loops or guards.
///
/// # Errors
/// A condition fails, or there are not so many around it.
pub fn lift_alloc(p: &Proc, at: impl Into<At>, n_lifts: i64) -> Result<Proc> {
    let path = resolve::stmt(p, &at.into(), Sort::Alloc)?;
    let mut rw = Rewrite::new(p, &LIFT_ALLOC);
    rw.at_stmt("alloc_cursor", &path);
    rw.arg("n_lifts", n_lifts);
    let around = path.len() - 1;
    let levels = usize::try_from(n_lifts).ok().filter(|n| (1..=around).contains(n)).ok_or_else(|| {
        rw.wrong_argument(match around {
            0 => "it stands in no loop and no guard that it could be lifted out of".to_owned(),
            _ => format!("n_lifts must be between 1 and {around}, the number of loops and guards around it"),
        })
    })?;
    let target = path.get(..path.len() - levels).unwrap_or(&[]).to_vec();
    let a = Buffer::at(&rw, p.ast(), &path)?;

    let bound = bound_between(&rw, &path, levels)?;
    let free = a.typ.shape.iter().all(|e| expr_names(e).is_disjoint(&bound));
    rw.require_that(&EXTENTS, free, || {
        format!("the extents of `{}` depend on a loop that it is lifted out of", a.name)
    })?;
    rw.require(&EXTENTS, same_extents(&rw, &a, &target)?)?;
    let outside = rw.context_of(&target)?;
    let extents: Vec<&Expr> = a.typ.shape.iter().collect();
    rw.require_readable(&target, &extents, &[], None)?;
    rw.require(&NONNEGATIVE, a.typ.shape.iter().map(|e| conditions::nonnegative(&outside, e)))?;
    let loops = parallel_around(p.ast(), &path);
    let left: Vec<_> = loops.into_iter().filter(|l| l.len() >= target.len()).collect();
    if !left.is_empty() {
        rw.require(&PARALLEL, shared_races(&rw, p, &path, &target, &left)?)?;
    }

    rw.move_to(&Hole::stmt(path), &target);
    rw.finish()
}

impl Proc {
    /// Moves an allocation to before the loops or guards around it: [`lift_alloc`](fn@lift_alloc).
    ///
    /// # Errors
    /// As the function.
    pub fn lift_alloc(&self, at: impl Into<At>, n_lifts: i64) -> Result<Proc> {
        lift_alloc(self, at, n_lifts)
    }
}

/// The variables of the loops that the allocation is lifted out of.
fn bound_between(rw: &Rewrite, path: &[Step], levels: usize) -> Result<BTreeSet<Sym>> {
    let mut out = BTreeSet::new();
    for k in 1..=levels {
        let up = path.get(..path.len() - k).unwrap_or(&[]);
        out.extend(For::of(&rw.given(up)?).map(|l| l.iter));
    }
    Ok(out)
}

/// The extents have at the allocation the value that they have at another place before it.
fn same_extents(rw: &Rewrite, a: &Buffer, target: &[Step]) -> Result<Vec<Obligation>> {
    let (here, there) = (rw.context_of(&a.path)?, rw.context_of(target)?);
    let same = a.typ.shape.iter().map(|e| {
        let formula = EffExpr::definitely(EffExpr::eq(here.lift(e), there.lift(e)));
        let sentence = format!("the extents of `{}` have the same value at the new place", a.name);
        here.obligation(ConditionId("equal"), sentence, formula).at(a.span, "this allocation")
    });
    Ok(same.collect())
}

/// The races that the loops would have if they shared the buffer.
fn shared_races(
    rw: &Rewrite,
    p: &Proc,
    path: &[Step],
    target: &[Step],
    loops: &[Vec<Step>],
) -> Result<Vec<Obligation>> {
    let mut edits = Vec::new();
    if crate::cursor::path::block_of(p.ast(), path).is_some_and(|b| b.len() == 1) {
        // Nothing in the block but the allocation: no one uses it.
        return Ok(Vec::new());
    }
    edits.push(Edit::Move { run: Hole::stmt(path), to: target.to_vec() });
    let new = tentative(p.ast(), &edits).ok_or_else(|| rw.internal("the allocation cannot be moved"))?;
    let moved: Vec<_> = loops
        .iter()
        .filter_map(|l| edits.iter().try_fold(l.clone(), |l, edit| crate::forward::forward_stmt(edit, &l)))
        .collect();
    Ok(races(rw.session(), &new, &moved))
}
