//! What a command says and how it ends.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    Fine,
    WrongInput,
    Refused,
    Difference,
}

impl Outcome {
    pub(crate) fn exit_code(self) -> ExitCode {
        ExitCode::from(match self {
            Outcome::Fine => 0,
            Outcome::WrongInput => 1,
            Outcome::Refused => 2,
            Outcome::Difference => 3,
        })
    }
}

/// Writes to standard output. A reader that went away (`| head`) is no error.
pub(crate) fn say(text: &str) {
    drop(writeln!(io::stdout().lock(), "{}", text.trim_end_matches('\n')));
}

/// Writes to standard error.
pub(crate) fn complain(text: &str) {
    drop(writeln!(io::stderr().lock(), "{}", text.trim_end_matches('\n')));
}

/// One line about something that is not a place in a source text.
pub(crate) fn error(message: &str) -> Outcome {
    complain(&format!("error: {message}"));
    Outcome::WrongInput
}

/// Whether messages may be coloured: on a terminal, unless `NO_COLOR` is set.
pub(crate) fn color() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}
