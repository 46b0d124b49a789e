//! Refusals of operations that are made of several steps: they name the operation and the step, and keep what the
//! primitive said.

use rewright_primitives::error::{Error, Found, Result, SchedulingError};

/// Says of a refusal what was being done.
pub trait During<T> {
    /// What fails, fails in a step of an operation. `step` completes "while …": "dividing the loop".
    ///
    /// # Errors
    /// The same, told as a refusal of the operation.
    fn during(self, operation: &'static str, step: &'static str) -> Result<T>;
}

impl<T, E: Into<Error>> During<T> for std::result::Result<T, E> {
    fn during(self, operation: &'static str, step: &'static str) -> Result<T> {
        self.map_err(|e| within(operation, step, e.into()))
    }
}

/// A bug stays what it is.
fn within(operation: &'static str, step: &'static str, e: Error) -> Error {
    let (why, cause) = match e {
        Error::Scheduling(cause) => (cause.to_string(), Some(cause)),
        Error::InvalidCursor(e) => (e.to_string(), None),
        bug @ Error::Internal { .. } => return bug,
    };
    SchedulingError {
        primitive: operation,
        condition: step,
        found: Found::Form { why },
        advice: cause.as_ref().and_then(|c| c.advice),
        places: cause.as_ref().map(|c| c.places.clone()).unwrap_or_default(),
        depth: cause.map_or(0, |c| c.depth),
    }
    .into()
}

/// A refusal of an operation itself.
pub(crate) fn refuse<T>(operation: &'static str, step: &'static str, why: impl Into<String>) -> Result<T> {
    Err(SchedulingError {
        primitive: operation,
        condition: step,
        found: Found::Form { why: why.into() },
        advice: None,
        places: Vec::new(),
        depth: 0,
    }
    .into())
}
