//! The pattern language: programs with holes, as text. ASPLOS'25 §3.1, §5; Exo's own patterns;
//! spec: [rule: patterns].
//!
//! [`tree`] is what a pattern is, [`read`] makes one of a text that [`layout`] has put into lines, [`matches`] compares one with a piece of a
//! program, [`search`] goes through a procedure.

mod layout;
mod matches;
mod read;
mod search;
pub(crate) mod similar;
mod tree;

use super::path::{Hole, Place, exists};
use super::sort::Sort;
use crate::error::InvalidCursor;
use crate::version::Proc;
use search::Within;

/// The place of the wanted sort that a pattern describes: the first, or the one with the number after `#`.
///
/// # Errors
/// The pattern cannot be read, or nothing matches it, or not so many do.
pub fn find(p: &Proc, sort: Sort, text: &str) -> Result<Place, InvalidCursor> {
    one(p, None, Some(sort), text)
}

/// Every place of the wanted sort in a part of the procedure, or in all of it, that a pattern describes, in the
/// order of the text. With a number after `#`, that one alone.
///
/// # Errors
/// As [`find`].
pub fn find_all(
    p: &Proc,
    within: Option<&Place>,
    sort: Sort,
    text: &str,
) -> Result<Vec<Place>, InvalidCursor> {
    many(p, within, Some(sort), text)
}

/// As [`find`], in a part of the procedure; without a sort, a pattern that reads as an expression finds
/// expressions, and any other one statements and blocks.
///
/// # Errors
/// As [`find`].
pub fn one(p: &Proc, within: Option<&Place>, sort: Option<Sort>, text: &str) -> Result<Place, InvalidCursor> {
    let first = many(p, within, sort, text)?.into_iter().next();
    first.ok_or_else(|| InvalidCursor::new(format!("nothing matches `{}`", text.trim())))
}

/// As [`find_all`], without a sort if there is none.
///
/// # Errors
/// As [`find`].
pub fn many(
    p: &Proc,
    within: Option<&Place>,
    sort: Option<Sort>,
    text: &str,
) -> Result<Vec<Place>, InvalidCursor> {
    let (pattern, number) = read::pattern(text, sort).map_err(InvalidCursor::new)?;
    let whole = match within {
        None => None,
        Some(place) => Some(part(p, place)?),
    };
    let within = match &whole {
        None => Within::All,
        Some(Part::Run(run)) => Within::Run(run),
        Some(Part::Expr(at)) => Within::Expr(at),
    };
    let found = search::search(p, within, sort, &pattern);
    let count = found.len();
    let wanted = match number {
        None => found,
        Some(n) => found.into_iter().skip(n).take(1).collect(),
    };
    if !wanted.is_empty() {
        return Ok(wanted);
    }
    let untyped = || search::search(p, within, None, &pattern).len();
    let of_other_sort =
        sort.filter(|_| count == 0 && !matches!(pattern, tree::Pattern::Names(_)) && untyped() > 0);
    Err(nothing(p, within, text, count, of_other_sort, &pattern))
}

/// What has parts to look into.
enum Part {
    Run(Hole),
    Expr(super::path::ExprPath),
}

fn part(p: &Proc, place: &Place) -> Result<Part, InvalidCursor> {
    if !exists(p.ast(), place) {
        return Err(InvalidCursor::new(format!("there is nothing at this place of `{}`", p.name())));
    }
    match place {
        Place::Stmt(path) => Ok(Part::Run(Hole::stmt(path.as_slice()))),
        Place::Block(run) => Ok(Part::Run(run.clone())),
        Place::Expr(at) => Ok(Part::Expr(at.clone())),
        Place::Gap(_) => Err(InvalidCursor::new("there is nothing to find in a gap")),
        Place::Arg(_) => Err(InvalidCursor::new("there is nothing to find in an argument")),
    }
}

/// Says that nothing matches, and what may be meant instead.
fn nothing(
    p: &Proc,
    within: Within<'_>,
    text: &str,
    count: usize,
    other: Option<Sort>,
    pattern: &tree::Pattern,
) -> InvalidCursor {
    let place = match within {
        Within::All => format!("`{}`", p.name()),
        Within::Run(_) | Within::Expr(_) => format!("this part of `{}`", p.name()),
    };
    let text = text.trim();
    InvalidCursor::new(match (count, other) {
        (0, Some(sort)) => format!("what matches `{text}` in {place} is not {}", sort.words()),
        (0, None) => {
            let hint = similar::hint(p.ast(), pattern).map_or_else(String::new, |h| format!("; {h}"));
            format!("nothing in {place} matches `{text}`{hint}; {}", similar::loops(p.ast()))
        }
        (1, _) => format!("only one place in {place} matches the pattern of `{text}`; numbers count from 0"),
        (n, _) => {
            format!("only {n} places in {place} match the pattern of `{text}`; numbers count from 0")
        }
    })
}

#[cfg(test)]
mod tests;
