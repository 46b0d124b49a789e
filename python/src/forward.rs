//! What steps leave of the places that cursors point at, as Exo has it. Spec: [rule: python.exo-procedures].
//!
//! Cursors are followed as far as something is left of what they point at; Exo follows none into what a step puts in the place of
//! statements, and its programs find out by the refusal what became of theirs.

mod blocks;
mod steps;

use rewright_primitives::Cursor;
use rewright_primitives::Proc;
use rewright_primitives::cursor::CursorKind;
use rewright_primitives::cursor::path::Place;
use rewright_primitives::error::InvalidCursor;
use rewright_primitives::ops::extract_subproc::EXTRACT_SUBPROC;
use rewright_primitives::ops::fold_into_reduce::FOLD_INTO_REDUCE;
use rewright_primitives::ops::fuse::FUSE;
use rewright_primitives::ops::inline::INLINE;
use rewright_primitives::ops::join_loops::JOIN_LOOPS;
use rewright_primitives::ops::lift_scope::LIFT_SCOPE;
use rewright_primitives::ops::merge_writes::MERGE_WRITES;
use rewright_primitives::ops::mult_loops::MULT_LOOPS;
use rewright_primitives::ops::replace::REPLACE;
use rewright_primitives::ops::specialize::SPECIALIZE;
use rewright_primitives::ops::split_write::SPLIT_WRITE;
use rewright_primitives::ops::unroll_loop::UNROLL_LOOP;
use rewright_primitives::registry::Value as Argument;
use rewright_primitives::version::{Origin, Step};

/// Where a cursor of this version or of an earlier one is in this version, in Exo.
///
/// # Errors
/// The cursor is of a version that this one does not come from, or in Exo what it points at is gone.
pub(crate) fn as_exo(to: &Proc, cursor: &Cursor) -> Result<Cursor, InvalidCursor> {
    let mut between = vec![to];
    let mut here = to;
    while let Some(origin) = here.origin().filter(|_| here.depth() > cursor.proc().depth()) {
        here = &origin.parent;
        between.push(here);
    }
    // Of another tree: the refusal is that of every cursor.
    let mut at = if here.id() == cursor.proc().id() { cursor.clone() } else { to.forward(cursor)? };
    for version in between.into_iter().rev() {
        if let Some(origin) = version.origin().filter(|origin| origin.parent.id() == at.proc().id()) {
            at = one_step(version, origin, &at)?;
        }
    }
    Ok(at)
}

/// Where a cursor is after one step.
fn one_step(made: &Proc, origin: &Origin, there: &Cursor) -> Result<Cursor, InvalidCursor> {
    let gone = || {
        let what = format!("what the cursor points at was replaced by `{}`", origin.step.primitive);
        InvalidCursor::new(what)
    };
    if is_gone(&origin.step, there) {
        return Err(gone());
    }
    match steps::moved(origin, made, there) {
        steps::Moved::As(place) => Cursor::new(made, place),
        steps::Moved::Gone => Err(gone()),
        steps::Moved::AsHere => made.forward(there),
    }
}

/// The places that a step was given.
fn places(step: &Step) -> impl Iterator<Item = &Cursor> {
    step.args.iter().filter_map(|(_, value)| match value {
        Argument::Cursor(c) => Some(c),
        Argument::None
        | Argument::Bool(_)
        | Argument::Int(_)
        | Argument::Text(_)
        | Argument::List(_)
        | Argument::Proc(_)
        | Argument::Config(_)
        | Argument::Named(_) => None,
    })
}

/// Whether a step leaves nothing, in Exo, of what a cursor of the version before it points at.
fn is_gone(step: &Step, there: &Cursor) -> bool {
    let mut places = places(step);
    let Some(first) = places.next() else { return false };
    let place = there;
    let is_block = there.kind() == CursorKind::Block;
    let Some(there) = node(there) else { return false };
    let there = &there;
    let is = |name: &str| step.primitive == name;
    if is(FUSE.name) {
        // The statements of the second go to the first.
        return !is_block && places.next().is_some_and(|second| is_head(second, there));
    }
    if is(MULT_LOOPS.name) {
        return !is_block && inside(first).is_some_and(|inner| is_head(&inner, there));
    }
    if is(JOIN_LOOPS.name) {
        return places.next().is_some_and(|second| second.is_ancestor_of(there));
    }
    if is(LIFT_SCOPE.name) {
        let of_guard = first.kind() == CursorKind::If;
        return of_guard && first.parent().is_ok_and(|around| beside(first, &around, place));
    }
    if is(MERGE_WRITES.name) {
        // A second assignment stays as it is.
        let stmts = first.stmts().unwrap_or_default();
        return stmts.get(1).is_some_and(|second| second.kind() == CursorKind::Reduce)
            && first.is_ancestor_of(there);
    }
    let replaced =
        [&EXTRACT_SUBPROC, &FOLD_INTO_REDUCE, &INLINE, &REPLACE, &SPECIALIZE, &SPLIT_WRITE, &UNROLL_LOOP];
    replaced.iter().any(|primitive| is(primitive.name)) && first.is_ancestor_of(there)
}

/// Whether a place is in what is around a guard, and not in the guard: that is written anew, in its branches.
fn beside(guard: &Cursor, around: &Cursor, place: &Cursor) -> bool {
    let of_block = place.stmts().ok().and_then(|stmts| stmts.into_iter().next());
    let Some(at) = of_block.or_else(|| node(place)) else { return false };
    let is_run_of_it = place.kind() == CursorKind::Block && at.is_ancestor_of(around);
    around.is_ancestor_of(&at) && !guard.is_ancestor_of(&at) && !is_run_of_it
}

/// What has to be left for something to be left of a place: of a gap, the statement that it is at, and of a run of statements,
/// whatever is in it then, the one around it. Around the body of a procedure there is none.
fn node(place: &Cursor) -> Option<Cursor> {
    if place.kind() == CursorKind::Gap {
        place.anchor().ok()
    } else if place.kind() == CursorKind::Block {
        place.parent().ok()
    } else {
        Some(place.clone())
    }
}

/// The first statement of a loop.
fn inside(outer: &Cursor) -> Option<Cursor> {
    outer.body().ok()?.stmts().ok()?.into_iter().next()
}

/// Whether a place is a loop or a guard itself, or a part of its head.
fn is_head(of: &Cursor, place: &Cursor) -> bool {
    let mut at = place.clone();
    while matches!(at.place(), Place::Expr(_)) {
        let Ok(up) = at.parent() else { return false };
        at = up;
    }
    of.is_ancestor_of(&at) && at.is_ancestor_of(of)
}
