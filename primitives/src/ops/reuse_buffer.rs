//! ```text
//! a: T[sz]                a: T[sz]
//! …                       …
//! b: T[sz]        ~>      s[b ↦ a]
//! s
//! ```
//! Source: ASPLOS'25 App. A.5. Spec: [rule: reuse_buffer].

use crate::cursor::At;
use crate::cursor::path::each_stmt_at;
use crate::cursor::path::{Hole, Step, run_at};
use crate::cursor::resolve::{self, Sort};
use crate::edit::Edit;
use crate::error::Result;
use crate::kept::Kept;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, form, required};
use crate::rewrite::Rewrite;
use crate::tools::buffers::relayout::Buffer;
use crate::tools::requires::tentative::{parallel_around, races, tentative};
use crate::tools::syntax::stmt_views::{Call, For};
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_effects::context::Context;
use rewright_effects::effexpr::EffExpr;
use rewright_effects::lift::lift_argument;
use rewright_effects::locset::Base;
use rewright_effects::obligation::{ConditionId, Obligation};
use rewright_semantics::ast::LoopMode;
use rewright_semantics::syntax::subst::rename_block;
use std::collections::BTreeSet;

const IN_SCOPE: Condition =
    form("in_scope", "the buffer to reuse is in scope where the other one is allocated");
const SAME_TYPE: Condition =
    condition("same_type", "the buffers have the same element type, number of dimensions and memory");
const SAME_SHAPE: Condition = condition("same_shape", "the buffers have the same extents");
const DEAD: Condition =
    condition("dead", "nothing needs the values of the buffer to reuse after the other one");
const APART: Condition =
    condition("apart", "no cell of the buffer to reuse is needed once the other one's is changed");
const PARALLEL: Condition = condition("parallel", "iterations of parallel loops do not come to share a cell");

/// The entry of [`reuse_buffer`].
pub static REUSE_BUFFER: Primitive = Primitive {
    name: "reuse_buffer",
    summary: "uses a buffer that is no longer needed instead of a new one",
    source: "ASPLOS'25 App. A.5",
    params: &[required("buf_cursor", ArgKind::Alloc), required("replace_cursor", ArgKind::Alloc)],
    conditions: &[IN_SCOPE, SAME_TYPE, SAME_SHAPE, DEAD, APART, PARALLEL],
    exact: Exact::Never,
    run: |p, args| reuse_buffer(p, args.at("buf_cursor")?, args.at("replace_cursor")?),
};

/// Uses the first buffer instead of the second.
///
/// # Errors
/// A condition fails, or there are no two allocations.
pub fn reuse_buffer(p: &Proc, at: impl Into<At>, replace: impl Into<At>) -> Result<Proc> {
    let kept = resolve::stmt(p, &at.into(), Sort::Alloc)?;
    let path = resolve::stmt(p, &replace.into(), Sort::Alloc)?;
    let mut rw = Rewrite::new(p, &REUSE_BUFFER);
    rw.at_stmt("buf_cursor", &kept);
    rw.at_stmt("replace_cursor", &path);
    if kept == path {
        return Err(rw.wrong_argument("a buffer cannot stand for itself"));
    }
    let (a, b) = (Buffer::at(&rw, p.ast(), &kept)?, Buffer::at(&rw, p.ast(), &path)?);
    let known = p.env_at(&path).is_some_and(|env| env.buffer(a.name).is_some());
    rw.require_that(&IN_SCOPE, known, || {
        format!("`{}` is not in scope where `{}` is allocated", a.name, b.name)
    })?;
    let same = a.typ.elem == b.typ.elem && a.typ.rank() == b.typ.rank() && a.mem == b.mem;
    rw.require_that(&SAME_TYPE, same, || {
        format!("`{}` and `{}` are not of the same type and memory", a.name, b.name)
    })?;
    let ctx = rw.context_of(&path)?;
    rw.require(&SAME_SHAPE, same_shape(&ctx, &a, &b))?;
    let rest = rw.context(&b.rest)?;
    rw.require(&DEAD, [conditions::dead_after(&rest, a.name)])?;
    rw.require(&APART, conditions::share(&rest, a.name, b.name))?;
    let together = passed_together(&rw, p, &a, &b)?;
    rw.refuse_unless(&APART, !together, || format!("a callee gets both `{}` and `{}`", a.name, b.name))?;
    let between = parallel_around(p.ast(), &path).into_iter().any(|l| l.len() >= kept.len());
    rw.require_apart(&PARALLEL, !between, || {
        format!("iterations of a parallel loop have a `{}` each, and would share `{}`", b.name, a.name)
    })?;

    let by = std::iter::once((b.name, a.name)).collect();
    let old = run_at(p.ast(), &b.rest).unwrap_or_default();
    let stmts = rename_block(&old, &by);
    let renamed = Edit::Reshape { run: b.rest.clone(), old, stmts, kept: Kept::renamed(&by) };
    let threads = parallel_in(p, &b.rest);
    if !threads.is_empty() {
        let new = tentative(p.ast(), [&renamed]).ok_or_else(|| rw.internal("the names do not fit"))?;
        rw.require(&PARALLEL, races(p.session(), &new, &threads))?;
    }
    rw.edit(renamed);
    rw.delete(&Hole::stmt(path));
    rw.finish()
}

impl Proc {
    /// Uses a buffer that is no longer needed instead of a new one: [`reuse_buffer`](fn@reuse_buffer).
    ///
    /// # Errors
    /// As the function.
    pub fn reuse_buffer(&self, at: impl Into<At>, replace: impl Into<At>) -> Result<Proc> {
        reuse_buffer(self, at, replace)
    }
}

/// Whether a call in the scope of the second buffer passes both: they would be one place under two names.
fn passed_together(rw: &Rewrite, p: &Proc, a: &Buffer, b: &Buffer) -> Result<bool> {
    let mut calls: Vec<(Vec<Step>, Call)> = Vec::new();
    each_stmt_at(&run_at(p.ast(), &b.rest).unwrap_or_default(), &b.rest.path, &mut |s, path| {
        calls.extend(Call::of(s).map(|call| (path.to_vec(), call)));
    });
    for (path, call) in calls {
        let ctx = rw.context_of(&path)?;
        let shown: BTreeSet<Base> =
            call.args.iter().filter_map(|e| lift_argument(&ctx.env, e)).map(|view| view.base).collect();
        if [a.name, b.name].iter().all(|x| shown.contains(&Base::Buffer(*x))) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The paths of the parallel loops in some statements.
fn parallel_in(p: &Proc, run: &Hole) -> Vec<Vec<Step>> {
    let mut out = Vec::new();
    each_stmt_at(&run_at(p.ast(), run).unwrap_or_default(), &run.path, &mut |s, path| {
        if For::of(s).is_some_and(|l| l.mode == LoopMode::Par) {
            out.push(path.to_vec());
        }
    });
    out
}

/// The extents of the two as values, at the allocation of the second.
fn same_shape(ctx: &Context, a: &Buffer, b: &Buffer) -> Vec<Obligation> {
    let of_a = ctx.env.view(a.name).map(|v| v.extents.clone()).unwrap_or_default();
    let same = |(x, e): (EffExpr, _)| {
        let y = ctx.lift(e);
        let sentence = format!("the extents {x} of `{}` and {y} of `{}` are equal", a.name, b.name);
        let formula = EffExpr::definitely(EffExpr::eq(x, y));
        ctx.obligation(ConditionId("equal"), sentence, formula)
            .at(a.span, "this buffer")
            .at(b.span, "and this one")
    };
    of_a.into_iter().zip(b.typ.shape.iter()).map(same).collect()
}
