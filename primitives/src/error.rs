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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::divide_loop::{Tail, divide_loop};
    use crate::ops::parallelize_loop::parallelize_loop;
    use crate::version::Proc;
    use rewright_semantics::parse::{Prelude, parse_module};
    use rewright_semantics::span::SourceMap;

    const TEXT: &str = "
@proc
def p(n: size, x: f32[n + 1, 4]):
    for i in seq(0, n):
        x[i, 2] = x[i + 1, 2]
";

    fn refused(result: Result<Proc>) -> SchedulingError {
        match result {
            Err(Error::Scheduling(e)) => *e,
            other => panic!("{other:?}"),
        }
    }

    fn parsed(text: &str) -> Proc {
        let mut sources = SourceMap::new();
        let file = sources.add("test", text);
        let m = parse_module(file, &sources, &Prelude::standard()).module;
        Proc::root(m.proc("p").unwrap().clone())
    }

    /// Two iterations meet in one cell, and the refusal says in which. Spec: [rule: errors].
    #[test]
    fn a_refusal_has_the_values_and_the_cell() {
        let p = parsed(TEXT);

        let e = refused(parallelize_loop(&p, "i"));
        let Found::Refuted { values, cell: Some(cell), .. } = &e.found else { panic!("{e:?}") };
        let value = |wanted: &str| match values.iter().find(|(name, _)| name == wanted) {
            Some((_, ModelValue::Int(n))) => *n,
            other => panic!("{wanted}: {other:?}"),
        };
        let (first, second) = (value("i").min(value("i'")), value("i").max(value("i'")));
        assert!(0 <= first && second < value("n"), "{e}");
        assert_eq!((second, cell), (first + 1, &Cell { buffer: "x".to_owned(), at: vec![second, 2] }));
        assert!(e.to_string().ends_with(&format!("at x[{second}, 2]")), "{e}");

        // What is about no cell has none.
        let e = refused(divide_loop(&p, "i", 4, ["io", "ii"], Tail::Perfect));
        let Found::Refuted { values, cell: None, .. } = &e.found else { panic!("{e:?}") };
        assert_eq!(values.len(), 1, "{e}");
    }

    /// What only a quantifier of the question binds is no variable of the program, and a cell that it leaves open is not
    /// the one at stake.
    #[test]
    fn a_refusal_speaks_of_the_program() {
        let p = parsed(
            "
@config
class Cfg:
    on: bool

@proc
def p(n: size, x: f32[n + 9, 7]):
    for i in seq(0, n):
        if i == 0:
            Cfg.on = True
        x[i, 0] = 1.0
        x[n + 6, 4] = 1.0
        if Cfg.on:
            x[i, 0] = 2.0
",
        );
        let e = refused(parallelize_loop(&p, "i"));
        let Found::Refuted { values, .. } = &e.found else { panic!("{e:?}") };
        let mut names: Vec<&str> = values.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["Cfg.on", "i", "i'", "n"], "{e}");

        let p = parsed(
            "
@proc
def p(n: size, x: f32[n + 9, 7]):
    for i in seq(0, n):
        x[n + 6, 4] = 1.0
",
        );
        let e = refused(parallelize_loop(&p, "i"));
        let Found::Refuted { values, cell: Some(cell), .. } = &e.found else { panic!("{e:?}") };
        let n = values.iter().find_map(|(name, value)| match value {
            ModelValue::Int(n) if name == "n" => Some(*n),
            ModelValue::Int(_) | ModelValue::Bool(_) => None,
        });
        assert_eq!(cell, &Cell { buffer: "x".to_owned(), at: vec![n.unwrap() + 6, 4] }, "{e}");
    }
}
