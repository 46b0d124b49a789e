//! ```text
//! a: T[sz]
//! t                               t
//! for i in seq(0, n):             for i in seq(0, n):
//!     s                   ~>          a: T[sz]
//!                                     s
//! ```
//! and the same into the branches of an `if`, into those that use `a`. Statements `t` in between do not use `a`.
//!
//! Source: ASPLOS'25 App. A.5. Spec: [rule: sink_alloc].

use crate::cursor::At;
use crate::cursor::path::{Hole, Step, child, member, shifted, stmt_at};
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::kept::Kept;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, form, required};
use crate::rewrite::{READABLE, Rewrite};
use crate::tools::buffers::relayout::Buffer;
use crate::tools::buffers::uses::{is_used, uses_of};
use crate::tools::syntax::stmt_views::{For, If};
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_effects::effexpr::EffExpr;
use rewright_effects::obligation::{ConditionId, Obligation};
use rewright_semantics::ast::{Expr, LoopMode};
use rewright_semantics::build::{alloc_in, block};
use rewright_semantics::syntax::subst::rename_block;

const ONLY_INSIDE: Condition =
    form("only_inside", "nothing but the body of the loop or guard uses the buffer");
const NO_CARRY: Condition =
    condition("no_carry", "no iteration needs what an earlier one has left in the buffer");
const EXTENTS: Condition =
    condition("extents", "the extents have the value that they had, in every iteration");

/// The entry of [`sink_alloc`].
pub static SINK_ALLOC: Primitive = Primitive {
    name: "sink_alloc",
    summary: "moves an allocation into the loop or guard after it that uses the buffer",
    source: "ASPLOS'25 App. A.5",
    params: &[required("alloc_cursor", ArgKind::Alloc)],
    conditions: &[ONLY_INSIDE, NO_CARRY, EXTENTS, READABLE],
    exact: Exact::Never,
    run: |p, args| sink_alloc(p, args.at("alloc_cursor")?),
};

/// Moves an allocation into the loop or guard after it that uses the buffer.
///
/// # Errors
/// A condition fails, or what uses the buffer first is neither.
pub fn sink_alloc(p: &Proc, at: impl Into<At>) -> Result<Proc> {
    let path = resolve::stmt(p, &at.into(), Sort::Alloc)?;
    let mut rw = Rewrite::new(p, &SINK_ALLOC);
    rw.at_stmt("alloc_cursor", &path);
    let a = Buffer::at(&rw, p.ast(), &path)?;
    let scope = user(p, &a);
    let next = stmt_at(p.ast(), &scope);
    let (l, guard) = (next.and_then(For::of), next.and_then(If::of));
    let inside = |step: Step, len: usize| Hole { path: child(&scope, step), len };
    let bodies = match (&l, &guard) {
        (Some(l), _) => vec![inside(Step::Body(0), l.body.len())],
        (_, Some(g)) => vec![inside(Step::Body(0), g.body.len()), inside(Step::Orelse(0), g.orelse.len())],
        (None, None) => {
            return Err(rw.wrong_argument("the statement that uses the buffer is neither a loop nor an `if`"));
        }
    };
    let within: usize = bodies.iter().map(|body| uses_of(p.ast(), body, a.name).len()).sum();
    rw.require_that(&ONLY_INSIDE, within == a.uses.len(), || {
        format!("`{}` is used outside of that statement", a.name)
    })?;
    // Where no iterations meet, what one leaves in the buffer is for itself.
    if l.as_ref().is_some_and(|l| l.mode == LoopMode::Seq || p.open().races) {
        rw.require(&NO_CARRY, no_carry(&rw, &a, &scope)?)?;
    }
    // The condition of a guard right after the allocation changes nothing.
    if l.is_some() || scope != shifted(&path, 1) {
        rw.require(&EXTENTS, same_inside(&rw, &a, &bodies)?)?;
        let extents: Vec<&Expr> = a.typ.shape.iter().collect();
        for body in &bodies {
            rw.require_readable(&body.path, &extents, &[], None)?;
        }
    }

    let mut using: Vec<Hole> = bodies.iter().filter(|body| is_used(p.ast(), body, a.name)).cloned().collect();
    if using.is_empty() {
        using.extend(bodies.into_iter().take(1));
    }
    let (first, second) = (using.first().cloned(), using.get(1).cloned());
    if let Some(other) = second {
        let copy = a.name.renewed();
        let by = std::iter::once((a.name, copy)).collect();
        rw.reshape_with(&other, Kept::renamed(&by), |b| rename_block(b, &by));
        rw.insert(&other.path, block([alloc_in(copy, a.typ.clone(), a.mem)]));
    }
    if let Some(first) = first {
        rw.move_to(&Hole::stmt(path), &first.path);
    }
    rw.finish()
}

impl Proc {
    /// Moves an allocation into the loop or guard after it that uses the buffer: [`sink_alloc`](fn@sink_alloc).
    ///
    /// # Errors
    /// As the function.
    pub fn sink_alloc(&self, at: impl Into<At>) -> Result<Proc> {
        sink_alloc(self, at)
    }
}

/// The first statement after an allocation that uses the buffer; the next one, if none does.
fn user(p: &Proc, a: &Buffer) -> Vec<Step> {
    let depth = a.path.len();
    match a.uses.first() {
        Some(u) => u.stmt.iter().take(depth).copied().collect(),
        None => next_scope(p, a).unwrap_or_else(|| shifted(&a.path, 1)),
    }
}

/// The first loop or guard after an allocation.
fn next_scope(p: &Proc, a: &Buffer) -> Option<Vec<Step>> {
    let members = (0..a.rest.len).map(|k| member(&a.rest, k));
    members.into_iter().find(|at| stmt_at(p.ast(), at).is_some_and(|s| Sort::Scope.admits(&s.kind)))
}

/// What an iteration needs of the buffer is not what an earlier one has changed.
fn no_carry(rw: &Rewrite, a: &Buffer, scope: &[Step]) -> Result<Vec<Obligation>> {
    Ok(conditions::no_carry(&rw.context_of(scope)?, &rw.given(scope)?, a.name))
}

/// The extents have at the start of these blocks the value that they have at the allocation.
fn same_inside(rw: &Rewrite, a: &Buffer, blocks: &[Hole]) -> Result<Vec<Obligation>> {
    let here = rw.context_of(&a.path)?;
    let mut out = Vec::new();
    for block in blocks {
        let there = rw.context(&Hole { path: block.path.clone(), len: 0 })?;
        out.extend(a.typ.shape.iter().map(|e| {
            let formula = EffExpr::definitely(EffExpr::eq(here.lift(e), there.lift(e)));
            let sentence = format!("the extents of `{}` have there the value that they had", a.name);
            there.obligation(ConditionId("equal"), sentence, formula).at(a.span, "this allocation")
        }));
    }
    Ok(out)
}
