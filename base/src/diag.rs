//! Diagnostics: what is wrong with a program, where, and what would help.
//!
//! Errors are data with spans (`SyntaxError`, `TypeError`, …), one variant per reason; each turns into
//! a [`Diagnostic`], and text is made only at the end, by the renderer.

use crate::span::Span;

/// How grave a diagnostic is. Only errors change the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The program is wrong.
    Error,
    /// The program is accepted; the reader may want to know.
    Warning,
}

/// A marked place with the words that stand under it (possibly none).
#[derive(Clone, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The words.
    pub text: String,
}

/// One finding about a program, ready to be rendered.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The rule of `spec/` that is broken, such as `type.shape`; stable, used in tests and scripts.
    pub rule: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// One sentence: what is wrong. No full stop, no capital.
    pub message: String,
    /// The place the message is about.
    pub primary: Label,
    /// Other places that matter ("declared here").
    pub secondary: Vec<Label>,
    /// What else there is to know, a sentence each.
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error about a place.
    pub fn error(rule: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            rule,
            severity: Severity::Error,
            message: message.into(),
            primary: Label { span, text: String::new() },
            secondary: Vec::new(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// A warning about a place.
    pub fn warning(rule: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(rule, span, message) }
    }

    /// Words under the primary place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.primary.text = text.into();
        self
    }

    /// Another place.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Something else to know.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Advice.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }
}

/// Whether any of these is an error.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}
