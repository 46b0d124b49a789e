//! ```text
//! for i in seq(a, b):            for i in seq(a, b): s1
//!     s1                    ~>   for i in seq(a, b): s2
//!     s2
//!
//! if e:                          if e: s1
//!     s1                    ~>   if e: s2
//!     s2                         else: t
//! else: t
//!
//! if e: s                        if e: s
//! else:                     ~>   else: t1
//!     t1                         if e: pass
//!     t2                         else: t2
//! ```
//! With `n_lifts` the same again, for the gap between the two new statements.
//!
//! Source: ASPLOS'25 App. A.1; PLDI'22 §5.8. Spec: [rule: fission].

use crate::cursor::path::{Gap, Hole, Place, Side, Step, block_of, child, member, run_at, shifted, stmt_at};
use crate::cursor::{At, resolve};
use crate::edit::Wrapper;
use crate::error::{Error, Result};
use crate::kept::Kept;
use crate::registry::{ArgKind, Condition, Default, Exact, Primitive, condition, form, optional, required};
use crate::rewrite::Rewrite;
use crate::tools::requires::copies;
use crate::tools::requires::definitely_assigned::is_definitely_assigned;
use crate::tools::syntax::stmt_views::{For, If};
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_effects::context::Context;
use rewright_effects::names::{bound_names, free_names};
use rewright_effects::obligation::Obligation;
use rewright_semantics::ast::{Block, Expr};
use rewright_semantics::build::{block, pass};
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::subst::rename_block;
use std::collections::BTreeSet;

const INSIDE: Condition = form("inside", "the gap is between statements of a loop or guard");
const SCOPE: Condition = form("scope", "nothing that the first part defines is used in the second")
    .advise("`lift_alloc` takes an allocation out of the loop first");
const BOUNDS_STABLE: Condition =
    condition("bounds_stable", "what runs first does not change the bounds of the loop, or the condition");
const COMMUTE: Condition =
    condition("commute", "the first part of an iteration may run before the second part of an earlier one");

/// The entry of [`fission`].
pub static FISSION: Primitive = Primitive {
    name: "fission",
    summary: "splits a loop or guard in two at a gap in its body",
    source: "ASPLOS'25 App. A.1",
    params: &[required("gap_cursor", ArgKind::Gap), optional("n_lifts", ArgKind::Int, Default::Int(1))],
    conditions: &[INSIDE, SCOPE, BOUNDS_STABLE, COMMUTE],
    exact: Exact::Always,
    run: |p, args| fission(p, args.at("gap_cursor")?, args.int("n_lifts")?),
};

/// Splits the `n_lifts` innermost loops and guards around a gap.
///
/// # Errors
/// A condition fails, or there is no gap.
pub fn fission(p: &Proc, at: impl Into<At>, n_lifts: i64) -> Result<Proc> {
    let mut gap = resolve::gap(p, &at.into())?;
    if n_lifts < 1 {
        let rw = Rewrite::new(p, &FISSION);
        return Err(rw.wrong_argument(format!("`n_lifts` must be at least 1, not {n_lifts}")));
    }
    let (first, mut p) = (p, p.clone());
    for lift in 1..=n_lifts {
        (p, gap) = split_in_lift(&p.going_on(first), &gap, lift, n_lifts)?;
    }
    Ok(p)
}

/// [`split_once`], for one of so many lifts: a refusal says which, where there are several.
pub(super) fn split_in_lift(p: &Proc, gap: &Gap, lift: i64, n_lifts: i64) -> Result<(Proc, Gap)> {
    let one = split_once(p, gap);
    if n_lifts == 1 { one } else { one.map_err(|e| in_lift(e, lift, p, gap)) }
}

/// A refusal, with the lift that it is of.
fn in_lift(e: Error, lift: i64, p: &Proc, gap: &Gap) -> Error {
    let which = match lift {
        1 => "the first lift".to_owned(),
        2 => "the second lift".to_owned(),
        3 => "the third lift".to_owned(),
        _ => format!("lift {lift}"),
    };
    let around = around(p, gap).map(|out_of| format!(", out of {out_of}")).unwrap_or_default();
    e.in_part(&format!("{which}{around}"))
}

/// The loop or guard around a gap.
fn around(p: &Proc, gap: &Gap) -> Option<String> {
    let position = gap.position();
    let (_, parent) = position.split_last()?;
    let s = stmt_at(p.ast(), parent)?;
    let of_loop = For::of(s).map(|l| format!("the loop `{}`", l.iter));
    of_loop.or_else(|| Some(format!("the guard `{}`", expr_to_string(&If::of(s)?.cond))))
}

impl Proc {
    /// Splits a loop or guard in two at a gap in its body: [`fission`](fn@fission).
    ///
    /// # Errors
    /// As the function.
    pub fn fission(&self, at: impl Into<At>, n_lifts: i64) -> Result<Proc> {
        fission(self, at, n_lifts)
    }
}

/// Splits the innermost loop or guard around a gap; the gap between the parts.
fn split_once(p: &Proc, gap: &Gap) -> Result<(Proc, Gap)> {
    let mut rw = Rewrite::new(p, &FISSION);
    rw.at("gap_cursor", Place::Gap(gap.clone()));
    let position = gap.position();
    let (step, parent) = position.split_last().ok_or_else(|| rw.internal("a gap without a position"))?;
    let stmts = block_of(p.ast(), &position).ok_or_else(|| rw.internal("a gap outside"))?;
    let at = step.index();
    if parent.is_empty() || at == 0 || at == stmts.len() {
        let why = "the gap is not between statements of a loop or guard";
        let span = stmts.get(at.saturating_sub(1)).map_or(rewright_semantics::span::Span::NONE, |s| s.span);
        return Err(rw.refuse(&INSIDE, why, span));
    }
    let s = rw.given(parent)?;
    let (first, second) = stmts.clone().split_at(at);
    let kept = bound_names(&first).into_iter().find(|x| free_names(&second).contains(x));
    let wrapper = match (For::of(&s), If::of(&s)) {
        (Some(l), _) => {
            rw.require_that(&INSIDE, true, || "")?;
            require_scope(&mut rw, kept)?;
            require_set(&mut rw, p, &position, [&l.lo, &l.hi])?;
            let ctx = rw.context_of(parent)?;
            let (mut commute, bounds): (Vec<_>, Vec<_>) = conditions::fission(&ctx, &s, at)
                .into_iter()
                .filter(|ob| ob.id.0 != "scope")
                .partition(|ob| ob.id.0 == "loop.fission");
            rw.require(&BOUNDS_STABLE, bounds)?;
            if let Some(copies) = one_run_is_enough(p, &ctx, parent, &l, (&first, &second), &commute) {
                commute = vec![copies];
            }
            rw.require(&COMMUTE, commute)?;
            Wrapper::For { iter: l.iter.renewed(), lo: l.lo, hi: l.hi, mode: l.mode }
        }
        (None, Some(guard)) => {
            rw.require_that(&INSIDE, true, || "")?;
            require_scope(&mut rw, kept)?;
            let in_else = matches!(step, Step::Orelse(_));
            require_same_branch(&mut rw, p, parent, &guard, (in_else, at))?;
            if in_else {
                Wrapper::Else { cond: guard.cond, body: pass_alone() }
            } else {
                Wrapper::If { cond: guard.cond, orelse: Block::new() }
            }
        }
        (None, None) => return Err(rw.internal("a block outside loops and guards")),
    };

    // The second part gets a statement of its own inside the first's, which then moves out behind it.
    rw.wrap(&Hole { path: position.clone(), len: second.len() }, wrapper.clone());
    let after = shifted(parent, 1);
    rw.move_to(&Hole::stmt(position.clone()), &after);
    if let (Some(guard), Step::Body(_)) = (If::of(&s), step)
        && !guard.orelse.is_empty()
    {
        let other = Hole { path: child(parent, Step::Orelse(0)), len: guard.orelse.len() };
        rw.move_to(&other, &child(&after, Step::Orelse(0)));
    }
    if let (Wrapper::For { iter, .. }, Some(old)) = (&wrapper, For::of(&s)) {
        let by = std::iter::once((old.iter, *iter)).collect();
        let inside = Hole { path: child(&after, Step::Body(0)), len: second.len() };
        if run_at(rw.ast(), &inside).is_some_and(|b| mentions(&b, old.iter)) {
            rw.reshape_with(&inside, Kept::renamed(&by), |b| rename_block(b, &by));
        }
    }
    Ok((rw.finish()?, Gap { anchor: parent.to_vec(), side: Side::After }))
}

/// Why one run of a part is enough, where the parts do not commute: proved.
fn one_run_is_enough(
    p: &Proc,
    ctx: &Context,
    parent: &[Step],
    l: &For,
    (first, second): (&Block, &Block),
    commute: &[Obligation],
) -> Option<Obligation> {
    let is_proved = |ob: &Obligation| p.session().decide(ob).is_proved();
    if commute.iter().all(is_proved) {
        return None;
    }
    let env = p.env_at(parent)?;
    let last = copies::only_last_runs(ctx, l, first, second);
    last.or_else(|| copies::only_first_runs(ctx, &env, l, first, second)).filter(is_proved)
}

/// The second guard takes the branch that the first one took: the condition is as it was after what runs in between.
fn require_same_branch(
    rw: &mut Rewrite,
    p: &Proc,
    parent: &[Step],
    guard: &If,
    (in_else, at): (bool, usize),
) -> Result<()> {
    let run = |step: Step, len: usize| Hole { path: child(parent, step), len };
    let between = if in_else {
        vec![run(Step::Body(0), guard.body.len()), run(Step::Orelse(0), at)]
    } else {
        vec![run(Step::Body(0), at)]
    };
    let mut stable = Vec::new();
    for run in between {
        let ctx = rw.context(&run)?;
        stable.push(conditions::same_after(&ctx, &guard.cond, &ctx.hole));
        require_set(rw, p, &member(&run, run.len), [&guard.cond])?;
    }
    rw.require(&BOUNDS_STABLE, stable)
}

/// What is evaluated anew is set at this place.
fn require_set<'a>(
    rw: &mut Rewrite,
    p: &Proc,
    place: &[Step],
    es: impl IntoIterator<Item = &'a Expr>,
) -> Result<()> {
    let unset = es.into_iter().find(|e| !is_definitely_assigned(p.ast(), place, e, &[]));
    rw.refuse_unless(&BOUNDS_STABLE, unset.is_none(), || match unset {
        Some(e) => format!("`{}` reads a field that may not be set after the first part", expr_to_string(e)),
        None => String::new(),
    })
}

fn pass_alone() -> Block {
    block([pass()])
}

fn mentions(b: &Block, x: Sym) -> bool {
    let names: BTreeSet<Sym> = free_names(b);
    names.contains(&x)
}

fn require_scope(rw: &mut Rewrite, kept: Option<Sym>) -> Result<()> {
    rw.require_that(&SCOPE, kept.is_none(), || match kept {
        Some(x) => format!("`{x}` is defined before the gap and used after it"),
        None => String::new(),
    })
}
