//! ```text
//! x[i] = e
//! s               ~>      s[x[i] ↦ e]
//! ```
//! Source: ASPLOS'25 App. A.6. Spec: [rule: inline_assign].

use crate::cursor::At;
use crate::cursor::path::{ExprPath, ExprStep, Hole, Step, run_at, stmt_at};
use crate::cursor::resolve::{self, Sort};
use crate::edit::Edit;
use crate::error::Result;
use crate::kept::Parts;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, required};
use crate::rewrite::Rewrite;
use crate::tools::buffers::relayout::{Contexts, alloc_parts};
use crate::tools::buffers::uses::{Use, What, rest_of_block, uses_of};
use crate::tools::requires::calls::Required;
use crate::tools::requires::precision::survives_inlining;
use crate::tools::requires::tentative::tentative;
use crate::tools::requires::values::{outside, unchanged_by};
use crate::tools::syntax::stmt_views::{Call, Write};
use crate::version::Proc;
use rewright_effects::context::Context;
use rewright_effects::eff::eff_block;
use rewright_effects::effexpr::EffExpr;
use rewright_effects::locset::{Base, Loc};
use rewright_effects::obligation::{ConditionId, Obligation};
use rewright_effects::valg::unknown_view;
use rewright_semantics::ast::{self, Expr};
use rewright_semantics::build::data;
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::walk::each_stmt;

const LOCAL: Condition = condition("local", "the buffer is allocated by the procedure");
const ONLY_READS: Condition =
    condition("only_reads", "all that touches the cell in the rest of the block are reads of the same form");
const DEAD: Condition = condition("dead", "nothing needs the cell after the block");
const UNCHANGED: Condition =
    condition("unchanged", "what the value reads is not changed before the last read of the cell");
const PRECISION: Condition = condition("precision", "the value is the same where the cell was read");

/// The entry of [`inline_assign`].
pub static INLINE_ASSIGN: Primitive = Primitive {
    name: "inline_assign",
    summary: "puts the value of an assignment in the place of the reads that follow",
    source: "ASPLOS'25 App. A.6",
    params: &[required("alloc_cursor", ArgKind::Assign)],
    conditions: &[LOCAL, ONLY_READS, DEAD, UNCHANGED, PRECISION],
    exact: Exact::Never,
    run: |p, args| inline_assign(p, args.at("alloc_cursor")?),
};

/// Puts the value of an assignment in the place of the reads that follow in its block.
///
/// # Errors
/// A condition fails, or there is no assignment.
pub fn inline_assign(p: &Proc, at: impl Into<At>) -> Result<Proc> {
    let path = resolve::stmt(p, &at.into(), Sort::Assign)?;
    let mut rw = Rewrite::new(p, &INLINE_ASSIGN);
    rw.at_stmt("alloc_cursor", &path);
    let w = Write::of(&rw.given(&path)?).ok_or_else(|| rw.internal("no assignment"))?;
    rw.require_that(&LOCAL, is_allocated(p, w.name), || {
        format!("`{}` is not allocated by `{}`", w.name, p.name())
    })?;

    let rest = rest_of_block(p.ast(), &path);
    let reads = reads_of_cell(&rw, p, &path, &w, &rest)?;
    let edits: Vec<Edit> = reads.iter().map(|u| put(u, &w.rhs)).collect();
    let ctx = rw.context(&Hole { path: path.clone(), len: rest.len + 1 })?;
    let cell = cell_of(&ctx, &w);
    // The value may read the cell itself: what it held before the assignment.
    let without = tentative(p.ast(), &reads.iter().map(|u| taken_away(u, &w.rhs)).collect::<Vec<_>>());
    let without = without.ok_or_else(|| rw.internal("a read cannot be replaced"))?;
    let left = run_at(&without, &rest).unwrap_or_default();
    rw.require(&ONLY_READS, [untouched(&ctx, &w, &cell, &left)])?;
    rw.require(&DEAD, [dead(&ctx, &w, &cell)])?;
    let between = reads.iter().map(|u| statements_until(&rest, u)).max().unwrap_or(0);
    let between = run_at(p.ast(), &Hole { path: rest.path.clone(), len: between }).unwrap_or_default();
    let after = tentative(p.ast(), &edits).ok_or_else(|| rw.internal("a read cannot be replaced"))?;
    let alone = passed_alone(&rw, &after, &reads)?;
    rw.require(&UNCHANGED, [unchanged_by(&ctx, &w.rhs, &between)].into_iter().chain(alone))?;
    let elem = p.env_at(&path).and_then(|env| Some(env.buffer(w.name)?.elem));
    let same = |u: &Use| elem.is_some_and(|t| survives_inlining(p, &path, &w.rhs, t, &place(u)));
    let exact = reads.iter().all(same);
    rw.require_that(&PRECISION, exact, || {
        format!("`{}` may hold another value than the expression has", w.name)
    })?;

    edits.into_iter().for_each(|edit| rw.edit(edit));
    if let Some(first) = reads.first() {
        let to = ExprPath { stmt: first.stmt.clone(), steps: first.steps.clone() };
        rw.redirect_expr(ExprPath { stmt: path.clone(), steps: vec![ExprStep::Rhs] }, to);
    }
    rw.delete(&Hole::stmt(path));
    rw.finish()
}

impl Proc {
    /// Puts the value of an assignment in the place of the reads that follow: [`inline_assign`](fn@inline_assign).
    ///
    /// # Errors
    /// As the function.
    pub fn inline_assign(&self, at: impl Into<At>) -> Result<Proc> {
        inline_assign(self, at)
    }
}

fn put(u: &Use, e: &Expr) -> Edit {
    Edit::ReplaceExpr { at: place(u), with: e.clone(), kept: Parts::value() }
}

/// What is left of a read without what stands for it: a cell that is passed has to be one.
fn taken_away(u: &Use, e: &Expr) -> Edit {
    if is_passed(u) { put(u, e) } else { put(u, &data(0, 0)) }
}

fn is_passed(u: &Use) -> bool {
    matches!(u.what, What::CellPassed(_))
}

fn place(u: &Use) -> ExprPath {
    ExprPath { stmt: u.stmt.clone(), steps: u.steps.clone() }
}

fn is_allocated(p: &Proc, x: Sym) -> bool {
    let mut found = false;
    each_stmt(&p.ast().body, &mut |s| found = found || alloc_parts(s).is_some_and(|(name, ..)| name == x));
    found
}

/// The cell that is assigned.
fn cell_of(ctx: &Context, w: &Write) -> Loc {
    let view = ctx.env.view(w.name).cloned().unwrap_or_else(|| unknown_view(w.name, w.idx.len()));
    view.locate(&w.idx.iter().map(|i| ctx.lift(i)).collect::<Vec<_>>())
}

/// The reads in the rest of the block that are certainly reads of the cell. The others stay, and are then seen to
/// touch it, or not to.
fn reads_of_cell(rw: &Rewrite, p: &Proc, path: &[Step], w: &Write, rest: &Hole) -> Result<Vec<Use>> {
    let mut contexts = Contexts::default();
    let here = rw.context_of(path)?;
    let mut out = Vec::new();
    for u in uses_of(p.ast(), rest, w.name) {
        let Some(idx) = index_of_read(p, w, &u) else { continue };
        let there = contexts.at(rw, &u.stmt)?;
        let same = idx.iter().zip(w.idx.iter()).map(|(i, j)| EffExpr::eq(there.lift(i), here.lift(j)));
        let same = EffExpr::definitely(EffExpr::and(same.collect::<Vec<_>>()));
        let same = there.obligation(ConditionId("equal"), "the same cell", same);
        if p.session().decide(&same).is_proved() {
            out.push(u);
        }
    }
    Ok(out)
}

/// Where a cell is read: by an expression, or by a callee that changes nothing there, if the value is a cell, too.
fn index_of_read<'a>(p: &Proc, w: &Write, u: &'a Use) -> Option<&'a [Expr]> {
    match &u.what {
        What::Read(idx) => Some(idx),
        What::CellPassed(idx) => (w.rhs.kind.read().is_some() && only_reads(p, u)).then_some(idx),
        What::Assigned(_)
        | What::Reduced(_)
        | What::Passed { .. }
        | What::PartPassed(_)
        | What::Viewed(..)
        | What::Stride(_) => None,
    }
}

/// Whether a callee changes nothing in what it is passed.
fn only_reads(p: &Proc, passed: &Use) -> bool {
    let (Some(call), [ExprStep::Arg(k)]) =
        (stmt_at(p.ast(), &passed.stmt).and_then(Call::of), passed.steps.as_slice())
    else {
        return false;
    };
    let (changed, _) = p.session().analysis().bases(&call.proc);
    call.proc.args.get(*k).is_some_and(|formal| !changed.contains_key(&Base::Buffer(formal.name)))
}

/// What a callee changes is passed to it once, with the value in the place of the cell.
fn passed_alone(rw: &Rewrite, after: &ast::Proc, reads: &[Use]) -> Result<Vec<Obligation>> {
    let mut contexts = Contexts::default();
    let mut out = Vec::new();
    for u in reads.iter().filter(|u| is_passed(u)) {
        let Some(call) = stmt_at(after, &u.stmt).and_then(Call::of) else { continue };
        let there = contexts.at(rw, &u.stmt)?;
        out.extend(Required::of(there, &call.proc, &call.args, call.span).aliasing);
    }
    Ok(out)
}

/// How many statements of the run may run before the value is last read. A callee that reads it may do so at its end.
fn statements_until(rest: &Hole, u: &Use) -> usize {
    let depth = rest.path.len();
    let index = |path: &[Step]| path.get(depth - 1).map_or(0, |step| step.index());
    let whole = index(&u.stmt) - index(&rest.path);
    if u.stmt.len() == depth && !is_passed(u) { whole } else { whole + 1 }
}

fn untouched(ctx: &Context, w: &Write, cell: &Loc, left: &rewright_semantics::ast::Block) -> Obligation {
    let touched = eff_block(&ctx.analysis, &ctx.env, left).all();
    let sentence =
        format!("nothing but reads of this cell of `{}` touches it in the rest of the block", w.name);
    ctx.obligation(ConditionId("untouched"), sentence, EffExpr::definitely(outside(cell, &touched)))
        .at(w.span, "this cell")
}

fn dead(ctx: &Context, w: &Write, cell: &Loc) -> Obligation {
    let sentence = format!("nothing after the block needs this cell of `{}`", w.name);
    ctx.obligation(
        ConditionId("dead-after"),
        sentence,
        EffExpr::definitely(outside(cell, &ctx.post_eff().uses())),
    )
    .at(w.span, "this cell")
}
