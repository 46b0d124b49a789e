//! ```text
//!                 t: T[hi - lo]
//!                 for k in seq(0, hi - lo): t[k] = a[lo + k]          # unless nothing needs it
//! s       ~>      s[a[i] ↦ t[i - lo]]                                 # win_expr = a[lo:hi]
//!                 for k in seq(0, hi - lo): a[lo + k] = t[k]          # unless `s` changes nothing
//! ```
//! With `accum`, `t` begins as 0 and is added to `a` in the end; over the reals that is the same.
//! The load is left out when `s` certainly writes whatever it reads and whatever is stored back: a window of which `s`
//! writes a part is loaded first. Where the window may leave the buffer, loads and stores ask for each cell.
//!
//! Source: ASPLOS'25 App. A.5. Spec: [rule: stage_mem].

use crate::cursor::At;
use crate::cursor::fragment;
use crate::cursor::path::{Hole, Place, Step, member, run_at};
use crate::cursor::resolve;
use crate::edit::{Edit, apply};
use crate::error::Result;
use crate::registry::{
    ArgKind, Condition, Default, Exact, ExprArg, Primitive, condition, optional, required,
};
use crate::rewrite::{READABLE, Rewrite};
use crate::tools::buffers::relayout::Contexts;
use crate::tools::buffers::staging::{Copy, Staged};
use crate::tools::buffers::uses::{Use, What, rest_of_block, uses_of};
use crate::tools::buffers::views::views_of;
use crate::tools::requires::tentative::{parallel_around, races, tentative};
use crate::version::Proc;
use crate::version::session::Session;
use rewright_effects::conditions::{self, cells_of};
use rewright_effects::context::Context;
use rewright_effects::eff::eff_block;
use rewright_effects::effect::Effect;
use rewright_effects::effexpr::EffExpr;
use rewright_effects::env::{Env, Selected, View};
use rewright_effects::locset::{Loc, LocSet};
use rewright_effects::obligation::{ConditionId, Obligation};
use rewright_effects::valg::{val_g, val_g_block};
use rewright_semantics::ast;
use rewright_semantics::build::block;
use rewright_semantics::sym::Sym;

const NONNEGATIVE: Condition = condition("nonnegative", "the window does not end before it begins");
const INSIDE: Condition =
    condition("inside", "every use of the buffer is within the window or apart from it");
const APART: Condition = condition("apart", "nothing else touches the cells of the window");
const WINDOWS: Condition =
    condition("windows", "a window of what is staged is not used after the statements");
const STABLE: Condition = condition("stable", "the coordinates of the window do not change");
const STRIDES: Condition = condition("strides", "no stride that the program asks for changes");
const BOUNDS: Condition =
    condition("bounds", "the window is within the buffer, or its extents can be asked for");
const PARALLEL: Condition = condition("parallel", "iterations of a parallel loop do not meet in the window");
const ACCUMULATES: Condition = condition("accumulates", "the statements only add to the window");

/// How the cells come into the staged buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Staging {
    /// They are copied in where they may be needed, and back where they change.
    Copy,
    /// They are copied in, needed or not, and back where they change.
    Load,
    /// They begin as 0 and are added to the window in the end.
    Accumulate,
}

/// The entry of [`stage_mem`].
pub static STAGE_MEM: Primitive = Primitive {
    name: "stage_mem",
    summary: "lets statements use a part of a buffer through a new buffer",
    source: "ASPLOS'25 App. A.5",
    params: &[
        required("block_cursor", ArgKind::Block),
        required("win_expr", ArgKind::Window),
        required("new_buf_name", ArgKind::NewName),
        optional("accum", ArgKind::Bool, Default::Bool(false)),
        optional("load", ArgKind::Bool, Default::Bool(false)),
    ],
    conditions: &[
        NONNEGATIVE,
        READABLE,
        INSIDE,
        APART,
        WINDOWS,
        STABLE,
        STRIDES,
        BOUNDS,
        PARALLEL,
        ACCUMULATES,
    ],
    exact: Exact::Never,
    run: |p, args| {
        let (window, name) = (args.text("win_expr")?, args.text("new_buf_name")?);
        let staging = match (args.bool("accum")?, args.bool("load")?) {
            (true, _) => Staging::Accumulate,
            (false, true) => Staging::Load,
            (false, false) => Staging::Copy,
        };
        stage_mem(p, args.at("block_cursor")?, &window, &name, staging)
    },
};

/// Lets statements use a part of a buffer through a new one.
///
/// # Errors
/// A condition fails, or the window cannot be read.
pub fn stage_mem(
    p: &Proc,
    at: impl Into<At>,
    window: impl Into<ExprArg>,
    name: &str,
    staging: Staging,
) -> Result<Proc> {
    let (accum, load) = (staging == Staging::Accumulate, staging == Staging::Load);
    let window: &str = &window.into().0;
    let run = resolve::block(p, &at.into())?;
    let mut rw = Rewrite::new(p, &STAGE_MEM);
    rw.at("block_cursor", Place::Block(run.clone()));
    rw.arg("win_expr", window);
    rw.arg("new_buf_name", name);
    rw.arg("accum", accum);
    rw.arg("load", load);
    let w = fragment::window(p, &run.path, window).map_err(|e| rw.wrong_argument(e.to_string()))?;
    let ctx = rw.context(&run)?;
    let types = p.env_at(&run.path);
    let staged = types.and_then(|types| Staged::at(&ctx, &types, &w, Sym::fresh(name), rw.form()));
    let staged = staged.ok_or_else(|| rw.internal("the window is of no buffer"))?;

    require_window(&mut rw, &run.path, &ctx, &staged)?;
    let (uses, edits) = respelt(&mut rw, p, &run, &ctx, &staged)?;
    let after = tentative(p.ast(), &edits).ok_or_else(|| rw.internal("a use cannot be spelt anew"))?;
    let plan = Plan::of(&ctx, &staged, &run_at(&after, &run).unwrap_or_default());
    rw.require(&APART, [plan.apart(&ctx, &staged)])?;
    if accum {
        rw.require(&ACCUMULATES, [plan.only_adds(&ctx, &staged)])?;
    }
    let (load, store) = plan.copies(p.session(), &ctx, &staged, staging);
    require_stable(&mut rw, &ctx, &staged, &uses, store.is_some())?;
    require_strides(&mut rw, p, &ctx, &staged, &uses, &plan.tmp)?;
    let safe = require_bounds(
        &mut rw,
        &ctx,
        &staged,
        load.is_some_and(|how| how != Copy::Clear) || store.is_some(),
    )?;

    let mut edits = edits;
    if let Some(how) = store {
        let stmts = block([staged.copy(how, &safe)]);
        edits.push(Edit::Insert { at: member(&run, run.len), stmts });
    }
    let before = std::iter::once(staged.alloc()).chain(load.map(|how| staged.copy(how, &safe)));
    edits.push(Edit::Insert { at: run.path.clone(), stmts: block(before) });
    require_parallel(&mut rw, p, &run, &edits)?;
    edits.into_iter().for_each(|edit| rw.edit(edit));
    rw.finish()
}

impl Proc {
    /// Lets statements use a part of a buffer through a new buffer: [`stage_mem`](fn@stage_mem).
    ///
    /// # Errors
    /// As the function.
    pub fn stage_mem(
        &self,
        at: impl Into<At>,
        window: impl Into<ExprArg>,
        name: &str,
        staging: Staging,
    ) -> Result<Proc> {
        stage_mem(self, at, window, name, staging)
    }
}

/// The window may be empty, and does not end before it begins.
fn require_window(rw: &mut Rewrite, place: &[Step], ctx: &Context, staged: &Staged) -> Result<()> {
    let ends: Vec<&ast::Expr> = staged.ends().collect();
    rw.require_readable(place, &ends, &[], None)?;
    rw.require(&NONNEGATIVE, staged.shape().iter().map(|e| conditions::nonnegative(ctx, e)))
}

/// The uses of the buffer that become uses of the new one, with the edits that make them so.
fn respelt(
    rw: &mut Rewrite,
    p: &Proc,
    run: &Hole,
    ctx: &Context,
    staged: &Staged,
) -> Result<(Vec<Use>, Vec<Edit>)> {
    let (mut uses, mut edits, mut contexts) = (Vec::new(), Vec::new(), Contexts::default());
    let mut ast: ast::Proc = p.ast().as_ref().clone();
    for u in uses_of(p.ast(), run, staged.from) {
        if matches!(u.what, What::Stride(_)) {
            continue;
        }
        let here = contexts.at(rw, &u.stmt)?;
        if is_proved(p.session(), here, staged.misses(here, &u)) {
            continue;
        }
        let sentence = format!("this use of `{}` is within the window", staged.from);
        let inside = staged.holds(here, &u).unwrap_or(EffExpr::bool(false));
        let inside = here.obligation(ConditionId("bounds"), sentence, inside).at(u.span, "this use");
        rw.require(&INSIDE, [inside])?;
        let escapes = match &u.what {
            What::Viewed(w, kept) => {
                let shown = views_of(p.ast(), &rest_of_block(p.ast(), &u.stmt), *w, kept.idx.len());
                shown.iter().any(|v| ctx.later().contains(&v.name))
            }
            What::Assigned(_)
            | What::Reduced(_)
            | What::Read(_)
            | What::CellPassed(_)
            | What::Passed { .. }
            | What::PartPassed(_)
            | What::Stride(_) => false,
        };
        rw.refuse_unless(&WINDOWS, !escapes, || "a window made here is used after the statements")?;
        let new = staged.spelling(&u);
        let edit = new.and_then(|new| u.respell(&ast, new, &staged.dims()));
        let why = || format!("this use of `{}` cannot be expressed by the new buffer", staged.from);
        let edit = edit.ok_or_else(|| rw.refuse(&INSIDE, why(), u.span))?;
        ast = apply(&ast, &edit).ok_or_else(|| rw.internal("a use cannot be spelt anew"))?;
        edits.push(edit);
        uses.push(u);
    }
    Ok((uses, edits))
}

fn is_proved(session: &Session, ctx: &Context, formula: EffExpr) -> bool {
    !formula.is_false() && session.decide(&ctx.obligation(ConditionId("holds"), "", formula)).is_proved()
}

/// What the statements do once they use the new buffer.
struct Plan {
    /// The new buffer.
    tmp: View,
    /// The effect of the statements.
    effect: Effect,
    /// Whether they may change the new buffer.
    changes: bool,
}

impl Plan {
    fn of(ctx: &Context, staged: &Staged, stmts: &ast::Block) -> Plan {
        let env: Env = val_g(&ctx.analysis, &ctx.env, &staged.alloc());
        let tmp = env.view(staged.tmp).cloned().unwrap_or_else(|| View::scalar(staged.view.base));
        let effect = eff_block(&ctx.analysis, &env, stmts);
        let changes = effect.modified().only(tmp.base) != LocSet::Empty;
        Plan { tmp, effect, changes }
    }

    /// The cells of the window are not touched any more, or not changed where they are only read through both.
    fn apart(&self, ctx: &Context, staged: &Staged) -> Obligation {
        let others = if self.changes { self.effect.all() } else { self.effect.modified() };
        let formula = EffExpr::definitely(others.inter(cells_of(&staged.part())).is_empty());
        let sentence = format!("nothing else touches the window of `{}` here", staged.from);
        ctx.obligation(ConditionId("apart"), sentence, formula).at(span_of(ctx), "these statements")
    }

    /// The new buffer is only added to.
    fn only_adds(&self, ctx: &Context, staged: &Staged) -> Obligation {
        let other =
            LocSet::union([self.effect.reads().only(self.tmp.base), self.effect.wr().only(self.tmp.base)]);
        let sentence = format!("the statements only add to the window of `{}`", staged.from);
        let formula = EffExpr::definitely(other.is_empty());
        ctx.obligation(ConditionId("accumulates"), sentence, formula).at(span_of(ctx), "these statements")
    }

    /// What comes before the statements, and what comes after them.
    fn copies(
        &self,
        session: &Session,
        ctx: &Context,
        staged: &Staged,
        staging: Staging,
    ) -> (Option<Copy>, Option<Copy>) {
        let is_loaded = match staging {
            Staging::Accumulate => return (Some(Copy::Clear), Some(Copy::Accumulate)),
            Staging::Load => true,
            Staging::Copy => self.needs_load(session, ctx, staged),
        };
        (is_loaded.then_some(Copy::Load), self.changes.then_some(Copy::Store))
    }

    /// Whether the old values may be needed: read before they are written, or stored back. What the window has outside of the
    /// buffer is not stored.
    fn needs_load(&self, session: &Session, ctx: &Context, staged: &Staged) -> bool {
        let used = self.effect.uses().only(self.tmp.base);
        let written = self.effect.wr().only(self.tmp.base);
        let unused = EffExpr::definitely(used.is_empty());
        let all_written = |stored: &dyn Fn(&Loc) -> EffExpr| {
            cells_of(&self.tmp).for_all(|c, inside| {
                let stored = EffExpr::and([inside, stored(c)]);
                EffExpr::implies(EffExpr::maybe(stored), EffExpr::definitely(written.contains(c)))
            })
        };
        let is_written = || {
            is_proved(session, ctx, all_written(&|_| EffExpr::bool(true)))
                || is_proved(session, ctx, all_written(&|c| staged.stands_for_a_cell(&c.idx)))
        };
        !is_proved(session, ctx, unused) || (self.changes && !is_written())
    }
}

fn span_of(ctx: &Context) -> rewright_semantics::span::Span {
    ctx.hole.iter().fold(rewright_semantics::span::Span::NONE, |span, s| span.to(s.span))
}

/// The coordinates of the window are at each use, and where it is stored, what they are in the beginning.
fn require_stable(
    rw: &mut Rewrite,
    ctx: &Context,
    staged: &Staged,
    uses: &[Use],
    stored: bool,
) -> Result<()> {
    let mut contexts = Contexts::default();
    let sentence = "the coordinates of the window do not change";
    let mut same = Vec::new();
    for u in uses {
        let here = contexts.at(rw, &u.stmt)?;
        for e in staged.ends() {
            let formula = EffExpr::definitely(EffExpr::eq(ctx.lift(e), here.lift(e)));
            if !formula.is_true() {
                same.push(here.obligation(ConditionId("equal"), sentence, formula).at(u.span, "this use"));
            }
        }
    }
    if stored {
        let after = staged.ends().chain(staged.typ.shape.iter().filter(|_| false));
        same.extend(
            after.map(|e| conditions::same_after(ctx, e, &ctx.hole)).filter(|ob| !ob.formula.is_true()),
        );
    }
    rw.require(&STABLE, same)?;
    let ends: Vec<&ast::Expr> = staged.ends().collect();
    for u in uses {
        rw.require_no_race(&u.stmt, &ends)?;
    }
    Ok(())
}

/// Strides that are asked for through the new buffer are those of the old one.
fn require_strides(
    rw: &mut Rewrite,
    p: &Proc,
    ctx: &Context,
    staged: &Staged,
    uses: &[Use],
    tmp: &View,
) -> Result<()> {
    let mut same = Vec::new();
    for u in uses {
        for dim in staged.strides_seen(p.ast(), u) {
            let formula = match staged.strides(tmp, dim) {
                Some((a, b)) => EffExpr::definitely(EffExpr::eq(a, b)),
                None => EffExpr::bool(false),
            };
            let sentence = format!("the stride of `{}` that is asked for stays what it is", staged.from);
            same.push(
                ctx.obligation(ConditionId("equal"), sentence, formula).at(u.span, "asked for through this"),
            );
        }
    }
    rw.require(&STRIDES, same)
}

/// For each dimension, whether the window certainly is above the lower end and below the upper end of the buffer.
/// Where it is not, each cell is asked for, by extents that must be what they were when the buffer was made.
fn require_bounds(rw: &mut Rewrite, ctx: &Context, staged: &Staged, copied: bool) -> Result<Vec<[bool; 2]>> {
    let after = val_g_block(&ctx.analysis, &ctx.env, &ctx.hole);
    let mut safe = Vec::new();
    for (d, (c, extent)) in staged.values.iter().zip(&staged.view.extents).enumerate() {
        let (above, below) = match c {
            Selected::Point(e) => {
                (EffExpr::le(EffExpr::int(0), e.clone()), EffExpr::lt(e.clone(), extent.clone()))
            }
            Selected::Interval(lo, hi) => {
                (EffExpr::le(EffExpr::int(0), lo.clone()), EffExpr::le(hi.clone(), extent.clone()))
            }
        };
        let known = [above, below].map(|formula| is_proved(rw.session(), ctx, EffExpr::definitely(formula)));
        let asked = staged.typ.shape.get(d);
        if copied && !known[1] {
            let same = asked.map_or(EffExpr::bool(false), |e| {
                let value = |ee: EffExpr| EffExpr::eq(ee, extent.clone());
                EffExpr::and([value(ctx.lift(e)), value(rewright_effects::lift::lift(&after, e))])
            });
            let sentence = format!(
                "the window is within dimension {d} of `{}`, or its extent is known here",
                staged.from
            );
            rw.require(
                &BOUNDS,
                [ctx.obligation(ConditionId("bounds"), sentence, EffExpr::definitely(same))],
            )?;
        }
        safe.push(known);
    }
    Ok(safe)
}

/// The loops around the statements that are parallel still may be.
fn require_parallel(rw: &mut Rewrite, p: &Proc, run: &Hole, edits: &[Edit]) -> Result<()> {
    let loops = parallel_around(p.ast(), &run.path);
    if loops.is_empty() {
        return Ok(());
    }
    let new = tentative(p.ast(), edits).ok_or_else(|| rw.internal("an edit does not fit"))?;
    rw.require(&PARALLEL, races(p.session(), &new, &loops))
}
