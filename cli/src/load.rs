//! From a file to a checked module, with its diagnostics printed.

use crate::input::{is_stdin, name_of, read};
use crate::output::{Outcome, diagnose, error};
use rewright_effects::frontend::{self, Checked, Mode};
use rewright_semantics::ast::Module;
use rewright_semantics::diag::{Diagnostic, has_errors};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::{FileId, SourceMap};
use rewright_semantics::typecheck::check_module;
use std::path::Path;

/// A file that was read, and all that is wrong with it.
pub(crate) struct Loaded {
    pub(crate) sources: SourceMap,
    /// The file that was read.
    pub(crate) file: FileId,
    pub(crate) module: Module,
    /// What is known by name in every file.
    pub(crate) prelude: Prelude,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Whether it was standard input, which no other command can read again.
    is_stdin: bool,
    /// Whether the whole file was understood: else procedures may lack what could not be read.
    understood: bool,
    /// Whether what needs proof was put to the solver.
    proved: bool,
}

/// Reads, parses and checks a file; `None` after an error message where it cannot be read.
pub(crate) fn load(path: &Path) -> Option<Loaded> {
    let text = match read(path) {
        Ok(text) => text,
        Err(why) => {
            error(&why);
            return None;
        }
    };
    Some(loaded(path, text))
}

/// The same of a file's text.
fn loaded(path: &Path, text: String) -> Loaded {
    let mut sources = SourceMap::new();
    let file = sources.add(name_of(path), text);
    let prelude = rewright_machines::prelude(&mut sources);
    let parsed = parse_module(file, &sources, &prelude);
    let mut diagnostics = parsed.diagnostics;
    let understood = !has_errors(&diagnostics);
    diagnostics.extend(check_module(&parsed.module));
    let (module, is_stdin) = (parsed.module, is_stdin(path));
    Loaded { sources, file, module, prelude, diagnostics, is_stdin, understood, proved: false }
}

/// Reads a file whose script is not skipped but run where a version that it binds is asked for, and prints its
/// diagnostics; `None` when there is an error among them.
pub(crate) fn load_with_script(path: &Path) -> Option<Loaded> {
    ready_for_script(load(path)?)
}

/// The same of a file's text.
pub(crate) fn load_text_with_script(path: &Path, text: String) -> Option<Loaded> {
    ready_for_script(loaded(path, text))
}

fn ready_for_script(mut loaded: Loaded) -> Option<Loaded> {
    loaded.expect_script();
    loaded.complain();
    (!has_errors(&loaded.diagnostics)).then_some(loaded)
}

impl Loaded {
    /// The file, as another command takes it; `None` for standard input.
    pub(crate) fn path(&self) -> Option<&str> {
        if self.is_stdin { None } else { Some(&self.sources.get(self.file)?.name) }
    }

    /// Puts what needs proof to the solver, and adds what is refused to the diagnostics.
    pub(crate) fn prove(&mut self) -> Vec<Checked> {
        self.prove_in(Mode::Standard)
    }

    /// The same in a mode.
    pub(crate) fn prove_in(&mut self, mode: Mode) -> Vec<Checked> {
        self.proved = true;
        let checked =
            if self.understood { frontend::check_module_in(&self.module, mode) } else { Vec::new() };
        for c in &checked {
            self.diagnostics.extend(c.refusals(&self.sources));
        }
        checked
    }

    /// Prints the diagnostics.
    pub(crate) fn complain(&self) {
        diagnose(&self.diagnostics, &self.sources);
    }

    /// Puts what needs proof to the solver, if nobody has; an outcome after messages where something is refused.
    pub(crate) fn require_proved(&mut self) -> Result<(), Outcome> {
        if !self.proved {
            let before = self.diagnostics.len();
            self.prove();
            diagnose(self.diagnostics.get(before..).unwrap_or_default(), &self.sources);
        }
        if has_errors(&self.diagnostics) { Err(Outcome::WrongInput) } else { Ok(()) }
    }

    /// Takes back the warning that scheduling lines are skipped: for commands that run them.
    pub(crate) fn expect_script(&mut self) {
        self.diagnostics.retain(|d| d.rule != "syntax.skipped");
    }
}
