//! The loop or guard that is pointed at changes places with the one right around it.
//! ```text
//! for i: for j: s                 ~>  for j: for i: s                  (as reorder_loops)
//! for i: if e: s else: t          ~>  if e: (for i: s) else: (for i: t)
//! if e: for i: s                  ~>  for i: if e: s
//! if e: (for i: s) else: for j: t ~>  for i: if e: s else: t           (as many iterations in both)
//! if e: (if f: s else: t) else: u ~>  if f: (if e: s else: u) else: (if e: t else: u)
//! if e: u else: (if f: s else: t) ~>  if f: (if e: u else: s) else: (if e: u else: t)
//! ```
//! Source: ASPLOS'25 App. A.3. Spec: [rule: lift_scope].

use super::reorder_loops::{inner_loop, require_reorder, swap_nesting};
use crate::cursor::At;
use crate::cursor::path::{Hole, Step, block_of, child, shifted};
use crate::cursor::resolve::{self, Sort};
use crate::edit::Wrapper;
use crate::error::Result;
use crate::kept::Kept;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, form, required};
use crate::rewrite::{READABLE, Rewrite};
use crate::tools::requires::invariant::{invariant_at_starts, set_at};
use crate::tools::requires::noop::does_nothing;
use crate::tools::syntax::stmt_views::{For, If};
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_effects::names::expr_names;
use rewright_semantics::ast::Block;
use rewright_semantics::build::{block, pass};
use rewright_semantics::syntax::subst::{fresh_copy, rename_block};

const ONLY_STATEMENT: Condition =
    form("only_statement", "there is nothing else in the block of the outer statement");
const NO_ELSE: Condition =
    condition("no_else", "otherwise the guard around the loop does nothing, or has a loop of the same mode");
const STABLE: Condition = condition("stable", "the condition is the same in every iteration of the loop");
const BOUNDS: Condition =
    condition("bounds", "the bounds of both loops are the same, and the same in every iteration");
const BODIES_COMMUTE: Condition =
    condition("bodies_commute", "iterations that change places do not touch what the other changes");

/// The entry of [`lift_scope`].
pub static LIFT_SCOPE: Primitive = Primitive {
    name: "lift_scope",
    summary: "swaps a loop or guard with the loop or guard right around it",
    source: "ASPLOS'25 App. A.3",
    params: &[required("scope_cursor", ArgKind::Scope)],
    conditions: &[ONLY_STATEMENT, NO_ELSE, STABLE, BOUNDS, BODIES_COMMUTE, READABLE],
    exact: Exact::Never,
    run: |p, args| lift_scope(p, args.at("scope_cursor")?),
};

/// Swaps the loop or guard that is pointed at with the one right around it.
///
/// # Errors
/// A condition fails, or there is no loop or guard, or none around it.
pub fn lift_scope(p: &Proc, at: impl Into<At>) -> Result<Proc> {
    let path = resolve::stmt(p, &at.into(), Sort::Scope)?;
    let mut rw = Rewrite::new(p, &LIFT_SCOPE);
    rw.at_stmt("scope_cursor", &path);
    let inner = rw.given(&path)?;
    let alone = block_of(p.ast(), &path).is_some_and(|b| b.len() == 1);
    let (step, outer) = path.split_last().ok_or_else(|| rw.internal("a statement without a path"))?;
    if outer.is_empty() || !alone {
        let why = "it is not the only statement of a loop or guard";
        return Err(rw.refuse(&ONLY_STATEMENT, why, inner.span));
    }
    rw.require_that(&ONLY_STATEMENT, true, || "")?;
    let around = rw.given(outer)?;
    match (For::of(&around), If::of(&around), For::of(&inner), If::of(&inner)) {
        (Some(_), _, Some(_), _) => {
            require_reorder(&mut rw, outer, &around)?;
            if let Some(inner) = inner_loop(&around) {
                swap_nesting(&mut rw, outer, &inner);
            }
            rw.finish()
        }
        (Some(l), _, _, Some(guard)) => guard_out_of_loop(rw, outer, &l, &guard),
        (_, Some(guard), Some(l), _) => loop_out_of_guard(rw, outer, *step, &guard, &l),
        (_, Some(g), _, Some(f)) => guard_out_of_guard(rw, outer, *step, &g, &f),
        _ => Err(rw.internal("the statement is neither a loop nor a guard")),
    }
}

impl Proc {
    /// Swaps a loop or guard with the loop or guard right around it: [`lift_scope`](fn@lift_scope).
    ///
    /// # Errors
    /// As the function.
    pub fn lift_scope(&self, at: impl Into<At>) -> Result<Proc> {
        lift_scope(self, at)
    }
}

fn guard_out_of_loop(mut rw: Rewrite, outer: &[Step], l: &For, guard: &If) -> Result<Proc> {
    let free = !expr_names(&guard.cond).contains(&l.iter);
    rw.require_that(&STABLE, free, || format!("the condition depends on `{}`", l.iter))?;
    let stable = invariant_at_starts(&rw, outer, &guard.cond)?;
    rw.require(&STABLE, stable)?;
    let runs = conditions::runs_at_least_once(&rw.context_of(outer)?, &l.clone().stmt());
    rw.require_readable(outer, &[&guard.cond], &[l.lo.clone(), l.hi.clone()], Some(runs))?;

    // for i: if e: s else: t  ~>  (if e: s else: t); for i: pass  ~>  if e: for i: s else: t
    let after = shifted(outer, 1);
    rw.move_to(&Hole::stmt(child(outer, Step::Body(0))), outer);
    let body = Hole { path: child(outer, Step::Body(0)), len: guard.body.len() };
    rw.move_to(&body, &child(&after, Step::Body(0)));
    rw.delete(&Hole::stmt(child(&after, Step::Body(guard.body.len()))));
    rw.move_to(&Hole::stmt(after), &child(outer, Step::Body(0)));
    rw.delete(&Hole::stmt(child(outer, Step::Body(1))));
    if !guard.orelse.is_empty() {
        let orelse = Hole { path: child(outer, Step::Orelse(0)), len: guard.orelse.len() };
        let iter = l.iter.renewed();
        rw.wrap(&orelse, Wrapper::For { iter, lo: l.lo.clone(), hi: l.hi.clone(), mode: l.mode });
        let by = std::iter::once((l.iter, iter)).collect();
        let path = child(&child(outer, Step::Orelse(0)), Step::Body(0));
        let inside = Hole { path, len: guard.orelse.len() };
        rw.reshape_with(&inside, Kept::renamed(&by), |b| rename_block(b, &by));
    }
    rw.finish()
}

fn loop_out_of_guard(mut rw: Rewrite, outer: &[Step], step: Step, guard: &If, l: &For) -> Result<Proc> {
    let (other, beside) = match step {
        Step::Body(_) => (&guard.orelse, Step::Orelse(0)),
        Step::Orelse(_) => (&guard.body, Step::Body(0)),
    };
    let second = other.get(0).filter(|_| other.len() == 1).and_then(For::of);
    let fits = other.iter().all(does_nothing) || second.as_ref().is_some_and(|m| m.mode == l.mode);
    rw.require_that(&NO_ELSE, fits, || "the guard around the loop does something else otherwise")?;
    // A loop in which nothing happens may stay as it is.
    let second = second.filter(|_| !other.iter().all(does_nothing));
    let paths = [Some(child(outer, step.at(0))), second.as_ref().map(|_| child(outer, beside))];
    let mut stable = Vec::new();
    for path in paths.iter().flatten() {
        stable.extend(invariant_at_starts(&rw, path, &guard.cond)?);
        stable.extend(set_at(&rw, &child(path, Step::Body(0)), &guard.cond)?);
    }
    rw.require(&STABLE, stable)?;
    if let (Some(m), [_, Some(path)]) = (&second, &paths) {
        let ctx = rw.context_of(path)?;
        let same = [(&l.lo, &m.lo), (&l.hi, &m.hi)].map(|(a, b)| conditions::equal_exprs(&ctx, a, b));
        rw.require(&BOUNDS, same)?;
    }
    rw.require_readable(outer, &[&l.lo, &l.hi], std::slice::from_ref(&guard.cond), None)?;
    for path in paths.iter().flatten() {
        rw.require_no_race(&child(path, Step::Body(0)), &[&guard.cond])?;
    }
    match (step, second) {
        (Step::Body(_), None) => swap_nesting(&mut rw, outer, &l.clone().stmt()),
        (Step::Body(_) | Step::Orelse(_), second) => {
            around_branches(&mut rw, outer, step, l, second.as_ref())
        }
    }
    rw.finish()
}

/// `if e: (for i: s) else: for j: t` becomes `for i: if e: s else: t`: the loop that is pointed at, in the branch `step`,
/// comes to stand around the guard, and the other one, if there is one, goes.
fn around_branches(rw: &mut Rewrite, outer: &[Step], step: Step, l: &For, second: Option<&For>) {
    let after = shifted(outer, 1);
    let (own, other) = match step {
        Step::Body(_) => (step.at(0), Step::Orelse(0)),
        Step::Orelse(_) => (step.at(0), Step::Body(0)),
    };
    rw.move_to(&Hole::stmt(child(outer, own)), outer);
    rw.move_to(&Hole { path: child(outer, Step::Body(0)), len: l.body.len() }, &child(&after, own));
    if matches!(step, Step::Body(_)) {
        // The `pass` that held the branch open.
        rw.delete(&Hole::stmt(child(&after, Step::Body(l.body.len()))));
    }
    if let Some(m) = second {
        let first = child(&after, other);
        let contents = Hole { path: child(&first, Step::Body(0)), len: m.body.len() };
        rw.move_to(&contents, &first);
        let by = std::iter::once((m.iter, l.iter)).collect();
        let moved = Hole { path: first.clone(), len: m.body.len() };
        rw.reshape_with(&moved, Kept::renamed(&by), |b| rename_block(b, &by));
        let emptied = shifted(&first, m.body.len().cast_signed());
        rw.delete(&Hole::stmt(emptied));
    }
    rw.move_to(&Hole::stmt(after), &child(outer, Step::Body(0)));
    rw.delete(&Hole::stmt(child(outer, Step::Body(1))));
}

/// `g` is the outer guard, `f` the inner one; `step` says in which branch of `g` it is. `g` stays where it is, with
/// what `f` does when it holds; a copy of it gets what `f` does when it does not.
fn guard_out_of_guard(mut rw: Rewrite, outer: &[Step], step: Step, g: &If, f: &If) -> Result<Proc> {
    rw.require_readable(outer, &[&f.cond], std::slice::from_ref(&g.cond), None)?;
    let (other, in_body) = match step {
        Step::Body(_) => (&g.orelse, true),
        Step::Orelse(_) => (&g.body, false),
    };
    let other = fresh_copy(other);
    let copy = match (in_body, f.orelse.is_empty() && other.is_empty()) {
        // When `g` fails and has no branch for that, and `f` has none either, nothing is left to do.
        (true, true) => Block::new(),
        (true, false) => block([If { body: block([pass()]), orelse: other, ..g.clone() }.stmt()]),
        (false, _) => block([If { body: other, orelse: Block::new(), ..g.clone() }.stmt()]),
    };
    rw.wrap(&Hole::stmt(outer), Wrapper::If { cond: f.cond.clone(), orelse: copy });
    let inner = child(&child(outer, Step::Body(0)), step.at(0));

    if !f.orelse.is_empty() {
        let to = child(&child(outer, Step::Orelse(0)), step.at(0));
        rw.move_to(&Hole { path: child(&inner, Step::Orelse(0)), len: f.orelse.len() }, &to);
        if in_body {
            rw.delete(&Hole::stmt(shifted(&to, f.orelse.len().cast_signed())));
        }
    }
    rw.move_to(&Hole { path: child(&inner, Step::Body(0)), len: f.body.len() }, &inner);
    let emptied = shifted(&inner, f.body.len().cast_signed());
    rw.redirect(&emptied, outer, Kept::unchanged());
    rw.delete(&Hole::stmt(emptied));
    rw.finish()
}
