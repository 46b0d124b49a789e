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
pub mod sort;
pub mod text;

pub use kinds::CursorKind;
pub use navigate::Coord;
pub use path::Side;

pub use crate::version::Cursor;

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
