//! From what a caller points with to a place of the right sort. Every primitive finds its target here.

use super::At;
use super::path::{ExprPath, Gap, Hole, Place, Side, Step, stmt_at};
use super::pattern;
use crate::error::{InvalidCursor, Result};
use crate::version::Proc;

pub use super::sort::Sort;

/// The place that is pointed at.
///
/// # Errors
/// The cursor is gone, the pattern matches nothing, or what is there is of another sort.
pub fn place(p: &Proc, at: &At, sort: Sort) -> Result<Place> {
    match at {
        At::Cursor(c) => Ok(coerce(p, p.forward(c)?.place(), sort)?),
        At::Pattern(text) => Ok(pattern::find(p, sort, text)?),
    }
}

/// A place as one of the wanted sort: a block of one statement is that statement, a statement is a block.
fn coerce(p: &Proc, place: &Place, sort: Sort) -> std::result::Result<Place, InvalidCursor> {
    let fits = match (sort, place) {
        (Sort::Block, Place::Stmt(path)) => return Ok(Place::Block(Hole::stmt(path.as_slice()))),
        (Sort::Block, Place::Block(_))
        | (Sort::Gap, Place::Gap(_))
        | (Sort::Expr, Place::Expr(_))
        | (Sort::Buffer, Place::Arg(_)) => true,
        (Sort::Block | Sort::Gap | Sort::Expr, _) => false,
        (_, Place::Block(run)) if run.len == 1 => return coerce(p, &Place::Stmt(run.path.clone()), sort),
        (_, Place::Stmt(path)) => stmt_at(p.ast(), path).is_some_and(|s| sort.admits(&s.kind)),
        (_, Place::Block(_) | Place::Gap(_) | Place::Expr(_) | Place::Arg(_)) => false,
    };
    if fits {
        Ok(place.clone())
    } else {
        Err(InvalidCursor::new(format!("expected a cursor to {}", sort.words())))
    }
}

/// The path of the statement that is pointed at.
///
/// # Errors
/// As [`place`].
pub fn stmt(p: &Proc, at: &At, sort: Sort) -> Result<Vec<Step>> {
    match place(p, at, sort)? {
        Place::Stmt(path) => Ok(path),
        Place::Block(_) | Place::Gap(_) | Place::Expr(_) | Place::Arg(_) => {
            Err(InvalidCursor::new(format!("expected a cursor to {}", sort.words())).into())
        }
    }
}

/// The run of statements that is pointed at.
///
/// # Errors
/// As [`place`].
pub fn block(p: &Proc, at: &At) -> Result<Hole> {
    match place(p, at, Sort::Block)? {
        Place::Block(run) => Ok(run),
        Place::Stmt(path) => Ok(Hole::stmt(path)),
        Place::Gap(_) | Place::Expr(_) | Place::Arg(_) => {
            Err(InvalidCursor::new("expected a cursor to a run of statements").into())
        }
    }
}

/// The gap that is pointed at. A pattern for a statement stands for the gap after it.
///
/// # Errors
/// As [`place`].
pub fn gap(p: &Proc, at: &At) -> Result<Gap> {
    match place(p, at, Sort::Gap)? {
        Place::Gap(gap) => Ok(gap),
        Place::Stmt(anchor) => Ok(Gap { anchor, side: Side::After }),
        Place::Block(_) | Place::Expr(_) | Place::Arg(_) => {
            Err(InvalidCursor::new("expected a cursor to a gap between statements").into())
        }
    }
}

/// The expression that is pointed at.
///
/// # Errors
/// As [`place`].
pub fn expr(p: &Proc, at: &At) -> Result<ExprPath> {
    match place(p, at, Sort::Expr)? {
        Place::Expr(path) => Ok(path),
        Place::Stmt(_) | Place::Block(_) | Place::Gap(_) | Place::Arg(_) => {
            Err(InvalidCursor::new("expected a cursor to an expression").into())
        }
    }
}

/// The expressions that are pointed at: a pattern stands for all that it matches.
///
/// # Errors
/// As [`place`].
pub fn exprs(p: &Proc, at: &At) -> Result<Vec<ExprPath>> {
    let At::Pattern(text) = at else { return Ok(vec![expr(p, at)?]) };
    let places = pattern::find_all(p, None, Sort::Expr, text)?;
    let exprs = places.into_iter().filter_map(|place| match place {
        Place::Expr(path) => Some(path),
        Place::Stmt(_) | Place::Block(_) | Place::Gap(_) | Place::Arg(_) => None,
    });
    Ok(exprs.collect())
}

/// The two statements, one right after the other, that are pointed at.
///
/// # Errors
/// As [`place`], or there are not two.
pub fn pair(p: &Proc, at: &At) -> Result<Hole> {
    let pair = block(p, at)?;
    if pair.len == 2 {
        Ok(pair)
    } else {
        Err(InvalidCursor::new(format!("expected two statements, got {}", pair.len)).into())
    }
}
