//! Where Exo has a run of statements after an edit: where its ends are, whatever is between them.

use rewright_primitives::cursor::path::{Hole, Step, member};
use rewright_primitives::edit::Edit;
use rewright_primitives::forward::forward_stmt;

/// Where a run is; `None` when it is gone.
pub(super) fn forward(edit: &Edit, run: &Hole) -> Option<Hole> {
    let Some(own) = edited(edit).filter(|at| same_list(at, &run.path)) else {
        return if matches!(edit, Edit::Move { .. }) { by_ends(edit, run) } else { by_first(edit, run) };
    };
    let (start, stop) = span(run)?;
    let (from, until) = (own.last()?.index(), own.last()?.index() + len(edit));
    match edit {
        Edit::Insert { .. } => by_ends(edit, run),
        Edit::Delete { .. } => spliced(run, (start, stop), (from, until), 0),
        Edit::Replace { run: _, stmts, as_whole: _ } => {
            spliced(run, (start, stop), (from, until), stmts.len())
        }
        Edit::Wrap { run: wrapped, in_ } => {
            if stop <= from || start >= until {
                return by_first(edit, run);
            }
            if start >= from && stop <= until {
                let mut path = wrapped.path.clone();
                path.push(in_.step().at(start - from));
                return Some(Hole { path, len: run.len });
            }
            (start <= from && until <= stop).then(|| between(run, start, stop + 1 - (until - from)))?
        }
        Edit::Move { .. } => {
            if meets_partly((start, stop), (from, until)) {
                return None;
            }
            by_ends(edit, run)
        }
        Edit::Reshape { .. }
        | Edit::ReplaceExpr { .. }
        | Edit::Head { .. }
        | Edit::Redirect { .. }
        | Edit::RedirectExpr { .. } => Some(run.clone()),
    }
}

/// The first statement that an edit is at.
fn edited(edit: &Edit) -> Option<&[Step]> {
    match edit {
        Edit::Insert { at, stmts: _ } => Some(at),
        Edit::Delete { run }
        | Edit::Replace { run, .. }
        | Edit::Wrap { run, in_: _ }
        | Edit::Move { run, to: _ } => Some(&run.path),
        Edit::Reshape { .. }
        | Edit::ReplaceExpr { .. }
        | Edit::Head { .. }
        | Edit::Redirect { .. }
        | Edit::RedirectExpr { .. } => None,
    }
}

/// How many statements an edit is at.
fn len(edit: &Edit) -> usize {
    match edit {
        Edit::Delete { run }
        | Edit::Replace { run, .. }
        | Edit::Wrap { run, in_: _ }
        | Edit::Move { run, to: _ } => run.len,
        Edit::Insert { .. }
        | Edit::Reshape { .. }
        | Edit::ReplaceExpr { .. }
        | Edit::Head { .. }
        | Edit::Redirect { .. }
        | Edit::RedirectExpr { .. } => 0,
    }
}

/// Whether two statements are of one block.
pub(super) fn same_list(a: &[Step], b: &[Step]) -> bool {
    match (a.split_last(), b.split_last()) {
        (Some((a, up)), Some((b, above))) => up == above && a.same_block(*b),
        _ => false,
    }
}

/// The indices of the first statement and of what comes after the last.
pub(super) fn span(run: &Hole) -> Option<(usize, usize)> {
    let start = run.path.last()?.index();
    Some((start, start + run.len))
}

/// The run of the same block between two indices.
fn between(run: &Hole, start: usize, stop: usize) -> Option<Hole> {
    let mut path = run.path.clone();
    *path.last_mut()? = path.last()?.at(start);
    (start < stop).then_some(Hole { path, len: stop.checked_sub(start)? })
}

/// Whether one of two runs has one end of the other and not both.
fn meets_partly((a, b): (usize, usize), (from, until): (usize, usize)) -> bool {
    a < from && from < b && b < until || from < a && a < until && until < b
}

/// A run around, or beside, another that gave way to `count` statements.
fn spliced(run: &Hole, (a, b): (usize, usize), (from, until): (usize, usize), count: usize) -> Option<Hole> {
    let is_part = a >= from && b <= until && (a, b) != (from, until);
    if is_part || meets_partly((a, b), (from, until)) {
        return None;
    }
    let moved = |k: usize| if k >= until { k + count - (until - from).min(k + count) } else { k };
    between(run, moved(a), moved(b))
}

/// With the statement that it begins with, as in a block that the edit is not in.
fn by_first(edit: &Edit, run: &Hole) -> Option<Hole> {
    Some(Hole { path: forward_stmt(edit, &run.path)?, len: run.len })
}

/// From where the first statement is to where the last one is.
fn by_ends(edit: &Edit, run: &Hole) -> Option<Hole> {
    let first = forward_stmt(edit, &run.path)?;
    let last = forward_stmt(edit, &member(run, run.len.checked_sub(1)?))?;
    let (start, end) = (first.last()?.index(), last.last()?.index());
    (same_list(&first, &last) && start <= end).then(|| Hole { path: first, len: end - start + 1 })
}
