//! What the tests of this crate share.

#[allow(dead_code, reason = "not every test file runs its C")]
pub(crate) mod harness;

use rewright_backends::c::{CUnit, Options, compile_module};
use rewright_semantics::ast::Module;
use rewright_semantics::diag::{Diagnostic, Severity};
use rewright_semantics::parse::parse_module;
use rewright_semantics::render::render;
use rewright_semantics::span::SourceMap;
use rewright_semantics::typecheck::check_module;

/// The module of a well-typed text.
pub(crate) fn module(text: &str) -> Module {
    let mut sources = SourceMap::new();
    let prelude = rewright_machines::prelude(&mut sources);
    let file = sources.add("test.py", text);
    let parsed = parse_module(file, &sources, &prelude);
    let mut found = parsed.diagnostics;
    found.extend(check_module(&parsed.module));
    assert!(found.iter().all(|d| d.severity == Severity::Warning), "{}", render(&found, &sources, false));
    parsed.module
}

/// The C of a text that the back end accepts.
#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) fn compile(text: &str) -> CUnit {
    let result = compile_module(&module(text), &Options::new("unit"));
    result.unwrap_or_else(|found| panic!("{found:?}"))
}

/// Checks the C of a text: `present` are whole lines (without indentation), `absent` are fragments.
#[allow(dead_code, reason = "not every test file needs it")]
#[track_caller]
pub(crate) fn check(text: &str, present: &[&str], absent: &[&str]) {
    let source = compile(text).source;
    for line in present {
        assert!(source.lines().any(|l| l.trim() == *line), "no line `{line}` in\n{source}");
    }
    for fragment in absent {
        assert!(!source.contains(fragment), "`{fragment}` in\n{source}");
    }
}

/// What the back end finds wrong with a text.
#[allow(dead_code, reason = "not every test file needs it")]
#[track_caller]
pub(crate) fn refused(text: &str) -> Vec<Diagnostic> {
    match compile_module(&module(text), &Options::new("unit")) {
        Err(found) => found,
        Ok(unit) => panic!("accepted:\n{}", unit.source),
    }
}
