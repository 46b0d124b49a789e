//! Cursors: references into a version of a procedure. ASPLOS'25 §5; spec: [rule: cursors].

mod find;
pub mod fragment;
mod inspect;
pub mod kinds;
pub mod navigate;
pub mod path;
pub mod pattern;
pub mod resolve;
mod show;
pub mod text;

pub use kinds::Kind;
pub use navigate::Coord;
pub use path::Side;

use crate::error::InvalidCursor;
use crate::version::Proc;
use path::{Place, exists};
use std::fmt;

/// A version of a procedure, and a place in it that exists.
#[derive(Clone)]
pub struct Cursor {
    proc: Proc,
    place: Place,
}

impl Cursor {
    /// A cursor to a place.
    ///
    /// # Errors
    /// The place does not exist.
    pub fn new(proc: &Proc, place: Place) -> Result<Cursor, InvalidCursor> {
        if exists(proc.ast(), &place) {
            Ok(Cursor { proc: proc.clone(), place })
        } else {
            Err(InvalidCursor::new(format!("there is nothing at this place of `{}`", proc.name())))
        }
    }

    /// The version it points into.
    pub fn proc(&self) -> &Proc {
        &self.proc
    }

    /// The place.
    pub fn place(&self) -> &Place {
        &self.place
    }
}

impl fmt::Debug for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}:{:?}", self.proc, self.place)
    }
}

/// The same place of the same version.
impl PartialEq for Cursor {
    fn eq(&self, other: &Cursor) -> bool {
        self.proc.id() == other.proc.id() && self.place == other.place
    }
}

impl Eq for Cursor {}

/// What a primitive is pointed at: a pattern, or a cursor of this version or an earlier one.
#[derive(Clone, Debug)]
pub enum At {
    /// `"i"`, `"for i in _: _ #2"`, `"C[_] += _"`.
    Pattern(String),
    /// A cursor; forwarded where it is of an earlier version.
    Cursor(Cursor),
}

impl From<&str> for At {
    fn from(pattern: &str) -> At {
        At::Pattern(pattern.to_owned())
    }
}

impl From<String> for At {
    fn from(pattern: String) -> At {
        At::Pattern(pattern)
    }
}

impl From<Cursor> for At {
    fn from(c: Cursor) -> At {
        At::Cursor(c)
    }
}

impl From<&Cursor> for At {
    fn from(c: &Cursor) -> At {
        At::Cursor(c.clone())
    }
}

#[cfg(test)]
mod tests;
