//! Scripts: definitions, then straight-line scheduling calls in the syntax that Exo's users write.
//! Spec: [rule: scripts].
//!
//! [`syntax`] reads the lines, [`eval`] runs them; what values do by themselves is in [`values`], the methods of procedures and cursors are in [`methods`].

mod eval;
mod methods;
mod syntax;
mod values;

pub use eval::{Binding, Run, run, run_with};
pub use syntax::{Line, Operator, Part, Term, TermKind, parse};

use crate::error::Error;
use crate::refused::{Attempt, Difference, Tentative};
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::span::Span;

/// A script stopped.
#[derive(Clone, Debug)]
pub struct ScriptError {
    /// The call or name that it stopped at.
    pub span: Span,
    /// Why.
    pub cause: Cause,
    /// The rewrite that was refused.
    pub attempt: Option<Box<Attempt>>,
}

/// Why a script stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The line is not part of the language of scripts, or makes no sense: the input is wrong.
    Wrong {
        /// In a sentence.
        message: String,
        /// What to write instead.
        help: Option<String>,
    },
    /// A primitive said no.
    Refused(Error),
}

impl ScriptError {
    pub(crate) fn wrong(span: Span, message: impl Into<String>) -> ScriptError {
        ScriptError { span, cause: Cause::Wrong { message: message.into(), help: None }, attempt: None }
    }

    pub(crate) fn with_help(span: Span, message: impl Into<String>, help: &str) -> ScriptError {
        let cause = Cause::Wrong { message: message.into(), help: Some(help.to_owned()) };
        ScriptError { span, cause, attempt: None }
    }

    /// Whether a rewrite was refused, as against a script that makes no sense.
    pub fn is_refusal(&self) -> bool {
        matches!(&self.cause, Cause::Refused(Error::Scheduling(e)) if e.condition != crate::error::ARGUMENT)
    }

    /// What the refused line would have made without the condition that does not hold, and how that differs from the
    /// program before it, where a run shows it.
    pub fn confirmed(&self) -> Option<(Tentative, Difference)> {
        let attempt = self.attempt.as_ref()?;
        let tentative = attempt.tentative()?;
        let difference = attempt.difference(&tentative)?;
        Some((tentative, difference))
    }

    /// The error as a finding about the script, with the places in the program that it is about.
    pub fn diagnostic(&self) -> Diagnostic {
        match &self.cause {
            Cause::Wrong { message, help } => {
                let d = Diagnostic::error("script.line", self.span, message.clone());
                match help {
                    Some(help) => d.help(help.clone()),
                    None => d,
                }
            }
            Cause::Refused(Error::Scheduling(e)) => {
                let message = format!("{}: {}", e.primitive, e.found);
                let label = format!("refused by {}.{}", e.primitive, e.condition);
                let mut d = Diagnostic::error("script.refused", self.span, message).label(label);
                for (span, role) in &e.places {
                    if !span.is_none() {
                        d = d.also(*span, role.clone());
                    }
                }
                let example = e.found.example().map(|v| format!("it fails, for example, {v}"));
                match (example, e.advice) {
                    (Some(example), Some(advice)) => d.note(example).help(advice),
                    (Some(help), None) => d.help(help),
                    (None, Some(advice)) => d.help(advice),
                    (None, None) => d,
                }
            }
            Cause::Refused(Error::InvalidCursor(e)) => {
                Diagnostic::error("script.cursor", self.span, e.to_string()).label("this points at nothing")
            }
            Cause::Refused(bug @ Error::Internal { .. }) => {
                Diagnostic::error("script.internal", self.span, bug.to_string())
            }
        }
    }
}
