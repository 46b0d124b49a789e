//! What the tests of this crate share.

use rewright_backends::c::{CUnit, Options, compile_module};
use rewright_semantics::ast::Module;
use rewright_semantics::diag::Severity;
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::render::render;
use rewright_semantics::span::SourceMap;
use rewright_semantics::typecheck::check_module;

/// The module of a well-typed text.
pub(crate) fn module(text: &str) -> Module {
    let mut sources = SourceMap::new();
    let file = sources.add("test.py", text);
    let parsed = parse_module(file, &sources, &Prelude::standard());
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
