//! No text makes the front end panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rewright_semantics::diag::has_errors;
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::pretty::module_to_string;
use rewright_semantics::render::render;
use rewright_semantics::span::SourceMap;
use rewright_semantics::typecheck::check_module;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut sources = SourceMap::new();
    let file = sources.add("fuzz.py", text);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    let mut diagnostics = parsed.diagnostics;
    diagnostics.extend(check_module(&parsed.module));
    drop(render(&diagnostics, &sources, false));
    if !has_errors(&diagnostics) {
        drop(module_to_string(&parsed.module));
    }
});
