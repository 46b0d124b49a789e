//! A place in a version. What is done with cursors is in [`crate::cursor`].

use super::Proc;
use crate::cursor::path::{Place, exists};
use crate::error::InvalidCursor;
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
