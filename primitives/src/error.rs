//! The three ways a rewrite can fail. ASPLOS'25 §3.3; spec: [rule: errors].

use rewright_semantics::span::Span;
use std::fmt;

/// A rewrite was refused, or could not be carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A condition does not hold, or was not proved.
    #[error(transparent)]
    Scheduling(Box<SchedulingError>),
    /// A cursor or pattern leads nowhere.
    #[error(transparent)]
    InvalidCursor(InvalidCursor),
    /// Rewright is wrong.
    #[error("internal error in `{primitive}`: {what}; please report it")]
    Internal {
        /// The primitive.
        primitive: &'static str,
        /// What went wrong.
        what: String,
    },
}

impl From<SchedulingError> for Error {
    fn from(e: SchedulingError) -> Error {
        Error::Scheduling(Box::new(e))
    }
}

impl From<InvalidCursor> for Error {
    fn from(e: InvalidCursor) -> Error {
        Error::InvalidCursor(e)
    }
}

/// A refusal: which condition of which primitive, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchedulingError {
    /// The primitive.
    pub primitive: &'static str,
    /// The condition that failed, one of the primitive's; or [`ARGUMENT`] for an argument that makes no sense.
    pub condition: &'static str,
    /// What is asked, and what was found, in a sentence.
    pub why: String,
    /// Values for which it fails, in the names of the program: `n = 3, i = 0`.
    pub counterexample: Option<String>,
    /// What may be tried instead.
    pub advice: Option<&'static str>,
    /// Places in the source, each with a word on its role.
    pub places: Vec<(Span, String)>,
}

/// Stands for a condition where an argument is of the wrong kind.
pub const ARGUMENT: &str = "argument";

impl fmt::Display for SchedulingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} [{}.{}]", self.primitive, self.why, self.primitive, self.condition)?;
        match &self.counterexample {
            Some(values) => write!(f, "; for example {values}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for SchedulingError {}

/// A cursor that points at nothing, or a pattern that matches nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct InvalidCursor {
    /// What was asked for, and what stands there.
    pub what: String,
}

impl InvalidCursor {
    /// An error that says this.
    pub fn new(what: impl Into<String>) -> InvalidCursor {
        InvalidCursor { what: what.into() }
    }
}

/// What a primitive returns.
pub type Result<T> = std::result::Result<T, Error>;
