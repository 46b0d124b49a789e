//! Loops: what is around, what is inside, how often they run, what their iterations share.

use super::accesses::{accesses, accumulators};
use rewright_primitives::cursor::CursorKind;
use rewright_primitives::{Cursor, ops};
use rewright_semantics::syntax::fold;

/// The loops around a place, innermost first. A loop is not around itself.
pub fn enclosing_loops(at: &Cursor) -> Vec<Cursor> {
    let mut out = Vec::new();
    let mut here = at.parent();
    while let Ok(c) = here {
        if c.is_loop() {
            out.push(c.clone());
        }
        here = c.parent();
    }
    out
}

/// Whether a place is in what another cursor of the same version points at, or is it.
pub fn encloses(outer: &Cursor, at: &Cursor) -> bool {
    let mut here = Ok(at.clone());
    while let Ok(c) = here {
        if c == *outer {
            return true;
        }
        here = c.parent();
    }
    false
}

/// The loops in what is pointed at, outer ones first; the place itself is none of them.
pub fn inner_loops(at: &Cursor) -> Vec<Cursor> {
    let mut out = Vec::new();
    for c in at.children() {
        if c.kind() == CursorKind::For {
            out.push(c.clone());
        }
        if c.kind().is_stmt() {
            out.extend(inner_loops(&c));
        }
    }
    out
}

/// The loops in what is pointed at, itself included, in which there is no other.
pub fn innermost_loops(at: &Cursor) -> Vec<Cursor> {
    let own = at.is_loop().then(|| at.clone());
    own.into_iter().chain(inner_loops(at)).filter(|c| inner_loops(c).is_empty()).collect()
}

/// How often a loop runs, where that is a number. `None` for others, and for what is no loop.
pub fn trip_count(at: &Cursor) -> Option<i64> {
    let (lo, hi) = (at.lo().ok()?.expr().ok()?, at.hi().ok()?.expr().ok()?);
    Some(fold::as_int(&hi)?.saturating_sub(fold::as_int(&lo)?).max(0))
}

/// Whether no two iterations of a loop touch a cell that one of them changes: what `parallelize_loop` asks for.
pub fn is_parallelizable(at: &Cursor) -> bool {
    at.is_loop() && ops::parallelize_loop(at.proc(), at).is_ok()
}

/// Whether a loop adds up: some cell is added to in every iteration, and nothing else is done to any such cell.
pub fn is_reduction(at: &Cursor) -> bool {
    let sums = accumulators(at);
    let all = accesses(at);
    !sums.is_empty() && sums.iter().all(|s| all.iter().all(|a| a.name != s.name || a.is_reduce))
}
