//! Which part of a buffer an iteration of a loop touches: the inspection that bounds come from. ASPLOS'25 §4.

use crate::inspect::{self, Access};
use rewright_primitives::Cursor;
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::fold;
use rewright_semantics::types::linear::{Atom, Linear};

/// So many cells of a dimension, from a first one on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) first: Linear,
    pub(super) cells: i64,
}

impl Range {
    /// Both, and what is between them; `None` where the distance of their first cells is no number.
    fn hull(&self, other: &Range) -> Option<Range> {
        let apart = other.first.clone().minus(&self.first).ok()?.as_constant()?;
        let end = self.cells.max(apart.checked_add(other.cells)?);
        let first = if apart < 0 { &other.first } else { &self.first };
        Some(Range { first: first.clone(), cells: end.checked_sub(apart.min(0))? })
    }
}

/// The ranges of a buffer's dimensions that one iteration of a loop touches, in terms of the variables outside of its
/// body. `None` for a dimension in which they have no number of cells, such as a whole row.
pub(super) fn of_iteration(
    around: &Cursor,
    buffer: Sym,
    kind: impl Fn(&Access) -> bool,
) -> Vec<Option<Range>> {
    let all: Vec<Access> =
        inspect::accesses(around).into_iter().filter(|a| a.name == buffer && kind(a)).collect();
    let rank = all.first().map_or(0, |a| a.idx.len());
    let dim = |d: usize| {
        let mut ranges = all.iter().map(|a| range(around, a, d));
        let first = ranges.next()??;
        ranges.try_fold(first, |sum, r| sum.hull(&r?))
    };
    (0..rank).map(dim).collect()
}

/// The cells of one dimension that an access touches in all iterations of the loops between it and one around it.
fn range(around: &Cursor, access: &Access, d: usize) -> Option<Range> {
    let index = Linear::of(access.idx.get(d)?).ok()?;
    let mut found = Range { first: index, cells: 1 };
    for inner in inspect::enclosing_loops(&access.at).iter().take_while(|l| *l != around) {
        found = over(&found, inner)?;
    }
    Some(found)
}

/// What is touched over all iterations of a loop.
fn over(r: &Range, around: &Cursor) -> Option<Range> {
    let iter = Linear::atom(Atom::Var(around.sym().ok()?));
    let step = r.first.coefficient(&Atom::Var(around.sym().ok()?));
    if step == 0 {
        return Some(r.clone());
    }
    let begin = fold::as_int(&around.lo().ok()?.expr().ok()?)?;
    let last = inspect::trip_count(around)?.checked_sub(1)?;
    let span = step.checked_mul(last)?;
    let at = step.checked_mul(begin)?.checked_add(span.min(0))?;
    let first = r.first.clone().plus(step.checked_neg()?, &iter).ok()?.plus(1, &Linear::constant(at)).ok()?;
    Some(Range { first, cells: r.cells.checked_add(span.checked_abs()?)? })
}
