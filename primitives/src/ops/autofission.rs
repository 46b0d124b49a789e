//! [`fission`](super::fission::fission), and then [`remove_loop`](super::remove_loop::remove_loop) of each part
//! that need not be a loop.
//!
//! Every step is one of these two, has its conditions and is refused by them; there are none beside these.
//!
//! Source: Exo. Spec: [rule: autofission].

use super::fission::split_in_lift;
use super::remove_loop::remove_running_loop;
use crate::cursor::path::{Gap, Place, Side, shifted, stmt_at};
use crate::cursor::resolve::Sort;
use crate::cursor::{At, Cursor, resolve};
use crate::error::{Error, Result};
use crate::registry::{ArgKind, Default, Exact, Primitive, optional, required};
use crate::rewrite::Rewrite;
use crate::tools::syntax::stmt_views::For;
use crate::version::Proc;
use rewright_semantics::ast::Stmt;

/// The entry of [`autofission`].
pub static AUTOFISSION: Primitive = Primitive {
    name: "autofission",
    summary: "splits loops and guards at a gap, and removes the loops that are not needed",
    source: "Exo",
    params: &[required("gap_cursor", ArgKind::Gap), optional("n_lifts", ArgKind::Int, Default::Int(1))],
    conditions: &[],
    exact: Exact::Never,
    run: |p, args| autofission(p, args.at("gap_cursor")?, args.int("n_lifts")?),
};

/// Splits the `n_lifts` innermost loops and guards around a gap; a part whose loop only repeats it loses the loop.
///
/// # Errors
/// As for `fission`.
pub fn autofission(p: &Proc, at: impl Into<At>, n_lifts: i64) -> Result<Proc> {
    let mut gap = resolve::gap(p, &at.into())?;
    if n_lifts < 1 {
        let rw = Rewrite::new(p, &AUTOFISSION);
        return Err(rw.wrong_argument(format!("`n_lifts` must be at least 1, not {n_lifts}")));
    }
    let (given, mut p) = (p, p.clone());
    for lift in 1..=n_lifts {
        (p, gap) = split_in_lift(&p.going_on(given), &gap, lift, n_lifts)?;
        let first = Cursor::new(&p, Place::Stmt(gap.anchor.clone()))?;
        let second = Cursor::new(&p, Place::Stmt(gap.position()))?;
        let length = For::of(&statement(&p, &first)?).map_or(1, |l| l.body.len());
        let split = without_loop(&p, &second, given)?;
        p = without_loop(&split, &first, given)?;
        // What is left of the first part, one loop or its body, is right before the gap.
        let before = if p.id() == split.id() { 1 } else { length };
        let anchor = shifted(&gap.anchor, isize::try_from(before).unwrap_or(isize::MAX));
        gap = Gap { anchor, side: Side::Before };
    }
    Ok(p)
}

impl Proc {
    /// Splits loops and guards at a gap, and removes the loops that are not needed: [`autofission`](fn@autofission).
    ///
    /// # Errors
    /// As the function.
    pub fn autofission(&self, at: impl Into<At>, n_lifts: i64) -> Result<Proc> {
        autofission(self, at, n_lifts)
    }
}

/// The statement that a cursor points at.
fn statement(p: &Proc, c: &Cursor) -> Result<Stmt> {
    let rw = Rewrite::new(p, &AUTOFISSION);
    match c.place() {
        Place::Stmt(path) => rw.given(path),
        Place::Block(_) | Place::Gap(_) | Place::Expr(_) | Place::Arg(_) => {
            Err(rw.internal("not a statement"))
        }
    }
}

/// The procedure without a loop, where it may go; the step is one of those from `given`.
fn without_loop(p: &Proc, c: &Cursor, given: &Proc) -> Result<Proc> {
    let Ok(c) = p.forward(c) else { return Ok(p.clone()) };
    let Place::Stmt(path) = c.place() else { return Ok(p.clone()) };
    if !stmt_at(p.ast(), path).is_some_and(|s| Sort::Loop.admits(&s.kind)) {
        return Ok(p.clone());
    }
    match remove_running_loop(&p.going_on(given), &c) {
        Ok(new) => Ok(new),
        Err(Error::Scheduling(_) | Error::InvalidCursor(_)) => Ok(p.clone()),
        Err(bug @ Error::Internal { .. }) => Err(bug),
    }
}
