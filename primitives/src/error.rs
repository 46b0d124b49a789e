//! The three ways a rewrite can fail. ASPLOS'25 §3.3; spec: [rule: errors].

use rewright_effects::effexpr::Var;
use rewright_effects::locset::Cell;
use rewright_effects::obligation::{Model, ModelValue, Obligation, Verdict};
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

impl Error {
    /// The same; a refusal says of which part of the rewrite it is: `… (the second lift)`.
    #[must_use]
    pub(crate) fn in_part(self, part: &str) -> Error {
        match self {
            Error::Scheduling(mut e) => {
                let (Found::Refuted { asked: said, .. }
                | Found::Unknown { asked: said, .. }
                | Found::Form { why: said }) = &mut e.found;
                said.push_str(&format!(" ({part})"));
                Error::Scheduling(e)
            }
            other @ (Error::InvalidCursor(_) | Error::Internal { .. }) => other,
        }
    }
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
    /// What was found.
    pub found: Found,
    /// What may be tried instead.
    pub advice: Option<&'static str>,
    /// Places in the source, each with a word on its role.
    pub places: Vec<(Span, String)>,
    /// How many rewrites lie between the root and the version of which a step was refused: a primitive may take several.
    pub depth: usize,
}

/// What stands against a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Values for which it fails.
    Refuted {
        /// What was asked, in one sentence.
        asked: String,
        /// The values, in the names of the program; those that fields have on entry among them.
        values: Vec<(String, ModelValue)>,
        /// The cell that is at stake.
        cell: Option<Cell>,
    },
    /// The solver gave up.
    Unknown {
        /// What was asked, in one sentence.
        asked: String,
        /// What stopped the solver.
        why: String,
    },
    /// The program has not the form that is asked for.
    Form {
        /// What it has instead, in one sentence.
        why: String,
    },
}

impl Found {
    /// What the solver found for a question that it did not prove; `None` for one that it did.
    pub fn of(question: &Obligation, verdict: &Verdict) -> Option<Found> {
        let asked = question.sentence.clone();
        match verdict {
            Verdict::Proved { .. } => None,
            Verdict::Refuted { model } => {
                Some(Found::Refuted { asked, values: values_of(question, model), cell: Cell::of(model) })
            }
            Verdict::Unknown { why } => Some(Found::Unknown { asked, why: why.clone() }),
        }
    }

    /// Where it fails: `when n = 3, i = 0, at x[2]`.
    pub fn example(&self) -> Option<String> {
        let Found::Refuted { values, cell, .. } = self else { return None };
        let values: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let when = (!values.is_empty()).then(|| format!("when {}", values.join(", ")));
        let at = cell.as_ref().map(|cell| format!("at {cell}"));
        let parts: Vec<String> = when.into_iter().chain(at).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// The values of the variables that a question is about, each name once: what only its quantifiers bind is no variable of
/// the program. Of two variables of one name it is the one on which the counterexample hangs, or the inner one.
fn values_of(question: &Obligation, model: &Model) -> Vec<(String, ModelValue)> {
    let mut chosen: Vec<(String, Var)> = Vec::new();
    for (var, _) in question.free_vars() {
        if Cell::is_index(var) || model.get(var).is_none() {
            continue;
        }
        let name = var.to_string();
        match chosen.iter_mut().find(|(known, _)| *known == name) {
            None => chosen.push((name, var)),
            Some((_, other)) => {
                let rank = |v: Var| (model.decisive.contains(&v), v);
                *other = if rank(var) > rank(*other) { var } else { *other };
            }
        }
    }
    chosen.into_iter().filter_map(|(name, var)| Some((name, model.get(var)?))).collect()
}

/// `this does not hold: …`
impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Found::Refuted { asked, .. } => write!(f, "this does not hold: {asked}"),
            Found::Unknown { asked, why } => write!(f, "could not decide whether {asked} ({why})"),
            Found::Form { why } => f.write_str(why),
        }
    }
}

/// Stands for a condition where an argument is of the wrong kind.
pub const ARGUMENT: &str = "argument";

impl fmt::Display for SchedulingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} [{}.{}]", self.primitive, self.found, self.primitive, self.condition)?;
        match self.found.example() {
            Some(example) => write!(f, "; for example {example}"),
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
