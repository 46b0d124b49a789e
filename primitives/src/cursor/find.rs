//! Ways to a first cursor, with the names that Exo gives them.

use super::path::{Hole, Place, Step};
use super::resolve::Sort;
use super::{Cursor, pattern};
use crate::error::InvalidCursor;
use crate::version::Proc;
use rewright_semantics::ast::Expr;

type Result<T> = std::result::Result<T, InvalidCursor>;

impl Proc {
    /// The whole body.
    ///
    /// # Errors
    /// Never for a procedure that was parsed or rewritten: a body has statements.
    pub fn body(&self) -> Result<Cursor> {
        let len = self.ast().body.len();
        Cursor::new(self, Place::Block(Hole { path: vec![Step::Body(0)], len }))
    }

    /// The first place that a pattern describes: a statement, a run of statements or an expression, as it is
    /// written.
    ///
    /// # Errors
    /// The pattern cannot be read, or nothing matches it.
    pub fn find(&self, text: &str) -> Result<Cursor> {
        Cursor::new(self, pattern::one(self, None, None, text)?)
    }

    /// Every place that a pattern describes.
    ///
    /// # Errors
    /// As [`Proc::find`].
    pub fn find_all(&self, text: &str) -> Result<Vec<Cursor>> {
        pattern::many(self, None, None, text)?.into_iter().map(|place| Cursor::new(self, place)).collect()
    }

    /// The first loop that a pattern describes, or over a variable of this name: `"i"`, `"i #1"`.
    ///
    /// # Errors
    /// As [`Proc::find`].
    pub fn find_loop(&self, text: &str) -> Result<Cursor> {
        Cursor::new(self, pattern::find(self, Sort::Loop, text)?)
    }

    /// The data argument or the allocation that a pattern describes, or of this name.
    ///
    /// # Errors
    /// As [`Proc::find`].
    pub fn find_alloc_or_arg(&self, text: &str) -> Result<Cursor> {
        Cursor::new(self, pattern::find(self, Sort::Buffer, text)?)
    }

    /// The arguments.
    pub fn args(&self) -> Vec<Cursor> {
        (0..self.ast().args.len()).filter_map(|i| Cursor::new(self, Place::Arg(i)).ok()).collect()
    }

    /// The argument of this name.
    ///
    /// # Errors
    /// There is none.
    pub fn get_arg(&self, name: &str) -> Result<Cursor> {
        let at = self.ast().args.iter().position(|a| a.name.name().as_str() == name);
        match at {
            Some(i) => Cursor::new(self, Place::Arg(i)),
            None => Err(InvalidCursor::new(format!("`{}` has no argument `{name}`", self.name()))),
        }
    }

    /// Whether calls become the C text of an instruction.
    pub fn is_instr(&self) -> bool {
        self.ast().instr.is_some()
    }

    /// The preconditions.
    pub fn preds(&self) -> &[Expr] {
        &self.ast().preds
    }
}

impl Cursor {
    /// The first place in what is pointed at, itself included, that a pattern describes.
    ///
    /// # Errors
    /// As [`Proc::find`].
    pub fn find(&self, text: &str) -> Result<Cursor> {
        Cursor::new(self.proc(), pattern::one(self.proc(), Some(self.place()), None, text)?)
    }

    /// Every such place.
    ///
    /// # Errors
    /// As [`Proc::find`].
    pub fn find_all(&self, text: &str) -> Result<Vec<Cursor>> {
        let found = pattern::many(self.proc(), Some(self.place()), None, text)?;
        found.into_iter().map(|place| Cursor::new(self.proc(), place)).collect()
    }

    /// The first loop in what is pointed at, itself included: `"i"`, `"i #1"`.
    ///
    /// # Errors
    /// As [`Proc::find`].
    pub fn find_loop(&self, text: &str) -> Result<Cursor> {
        let found = pattern::one(self.proc(), Some(self.place()), Some(Sort::Loop), text)?;
        Cursor::new(self.proc(), found)
    }
}
