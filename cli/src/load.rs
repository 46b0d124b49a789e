//! From a file to a checked module, with its diagnostics printed.

use crate::input::{name_of, read};
use crate::output::{diagnose, error};
use rewright_backends::machines;
use rewright_effects::frontend::{self, Checked};
use rewright_semantics::ast::{Module, Proc};
use rewright_semantics::diag::{Diagnostic, has_errors};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::{FileId, SourceMap};
use rewright_semantics::typecheck::check_module;
use std::path::Path;
use std::sync::Arc;

/// A file that was read, and all that is wrong with it.
pub(crate) struct Loaded {
    pub(crate) sources: SourceMap,
    /// The file that was read.
    pub(crate) file: FileId,
    pub(crate) module: Module,
    /// What is known by name in every file.
    pub(crate) prelude: Prelude,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Whether the whole file was understood: else procedures may lack what could not be read.
    understood: bool,
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
    let mut sources = SourceMap::new();
    let file = sources.add(name_of(path), text);
    let prelude = machines::prelude(&mut sources);
    let parsed = parse_module(file, &sources, &prelude);
    let mut diagnostics = parsed.diagnostics;
    let understood = !has_errors(&diagnostics);
    diagnostics.extend(check_module(&parsed.module));
    Some(Loaded { sources, file, module: parsed.module, prelude, diagnostics, understood })
}

/// Reads a file and prints its diagnostics; a module only when it has no error.
pub(crate) fn load_or_complain(path: &Path) -> Option<Loaded> {
    let loaded = load(path)?;
    loaded.complain();
    (!has_errors(&loaded.diagnostics)).then_some(loaded)
}

impl Loaded {
    /// Puts what needs proof to the solver, and adds what is refused to the diagnostics.
    pub(crate) fn prove(&mut self) -> Vec<Checked> {
        let checked = if self.understood { frontend::check_module(&self.module) } else { Vec::new() };
        for c in &checked {
            self.diagnostics.extend(c.refusals(&self.sources));
        }
        checked
    }

    /// Prints the diagnostics.
    pub(crate) fn complain(&self) {
        diagnose(&self.diagnostics, &self.sources);
    }

    /// The procedure of this name, or an error message that says which there are.
    pub(crate) fn proc(&self, name: &str) -> Option<Arc<Proc>> {
        let found = self.module.proc(name).cloned();
        if found.is_none() {
            let names: Vec<&str> = self.module.procs.iter().map(|p| p.name.as_str()).collect();
            let known = if names.is_empty() {
                "the file defines none".to_owned()
            } else {
                format!("the file defines {}", names.join(", "))
            };
            error(&format!("no procedure is called {name}: {known}"));
        }
        found
    }
}
