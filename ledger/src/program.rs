//! Programs of a derivation, read from their texts, and their C.

use rewright_backends::c::{Options, compile_module};
use rewright_primitives::Proc as Version;
use rewright_primitives::derivation::Derivation;
use rewright_semantics::ast::{Module, Proc};
use rewright_semantics::diag::{Diagnostic, Severity, has_errors};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::render::render;
use rewright_semantics::span::SourceMap;
use rewright_semantics::typecheck::check_module;
use std::sync::Arc;

/// What texts of the derivation may name.
#[derive(Clone)]
pub(crate) struct Definitions {
    module: Module,
    prelude: Prelude,
    /// What is wrong with the definitions.
    wrong: Option<String>,
}

impl Definitions {
    /// The definitions of a derivation.
    pub(crate) fn of(derivation: &Derivation) -> Definitions {
        let mut sources = SourceMap::new();
        let machines = rewright_machines::prelude(&mut sources);
        let file = sources.add("definitions", derivation.definitions.as_str());
        let parsed = parse_module(file, &sources, &machines);
        let wrong = first_error(&parsed.diagnostics, &sources);
        let module = parsed.module;
        let Prelude { mut configs, mut memories, mut procs, scope } = machines;
        configs.extend(module.configs.iter().cloned());
        memories.extend(module.memories.iter().map(|m| m.name));
        procs.extend(module.procs.iter().cloned());
        Definitions { module, prelude: Prelude { configs, memories, procs, scope }, wrong }
    }

    /// The same with these procedures, and with no others of their names.
    pub(crate) fn with<'p>(&self, procs: impl IntoIterator<Item = &'p Arc<Proc>>) -> Definitions {
        let mut new = self.clone();
        for p in procs {
            new.prelude.procs.retain(|q| q.name != p.name);
            new.prelude.procs.push(p.clone());
        }
        new
    }

    /// What a step may take by its name: of the definitions, or of a machine.
    pub(crate) fn known(&self, name: &str) -> Option<&Arc<Proc>> {
        self.prelude.procs.iter().rev().find(|p| p.name.as_str() == name)
    }

    /// The definition of this name.
    pub(crate) fn proc(&self, name: &str) -> Result<&Proc, String> {
        let found = self.module.proc(name);
        let why = || self.wrong.clone().unwrap_or_else(|| "nothing defines it".to_owned());
        found.map(AsRef::as_ref).ok_or_else(why)
    }

    /// The procedure of a text.
    pub(crate) fn read(&self, text: &str) -> Result<Arc<Proc>, String> {
        let mut sources = SourceMap::new();
        let file = sources.add("version", text);
        let parsed = parse_module(file, &sources, &self.prelude);
        let mut found = parsed.diagnostics;
        if !has_errors(&found) {
            found.extend(check_module(&parsed.module));
        }
        if let Some(wrong) = first_error(&found, &sources) {
            return Err(wrong);
        }
        parsed.module.procs.last().cloned().ok_or_else(|| "it is not the text of a procedure".to_owned())
    }

    /// The C of a procedure with all that it calls; none while something is open. Spec: [rule: left-open].
    pub(crate) fn c_of(&self, p: &Arc<Proc>) -> Result<String, String> {
        if let Some(open) = Version::root(p.clone()).left_open().first() {
            return Err(open.message.clone());
        }
        let module = Module { procs: vec![p.clone()], ..self.module.clone() };
        match compile_module(&module, &Options::new(p.name.as_str())) {
            Ok(unit) => Ok(unit.source),
            Err(found) => {
                Err(found.first().map_or_else(|| "it was refused".to_owned(), |d| d.message.clone()))
            }
        }
    }
}

fn first_error(found: &[Diagnostic], sources: &SourceMap) -> Option<String> {
    let error = found.iter().find(|d| d.severity == Severity::Error)?;
    Some(render(std::slice::from_ref(error), sources, false))
}
