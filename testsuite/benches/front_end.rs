//! Throughput of parsing, and of parsing, checking and printing together, in bytes of source text.

use mimalloc::MiMalloc;
use rewright_campaign::generate::{Shape, joined};
use rewright_semantics::parse::{Parsed, Prelude, parse_module};
use rewright_semantics::pretty::module_to_string;
use rewright_semantics::span::{FileId, SourceMap};
use rewright_semantics::typecheck::check_module;
use rewright_testsuite::throughput::{Unit, measure};
use std::hint::black_box;

/// As in the command.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() {
    let text = text();
    let mut sources = SourceMap::new();
    sources.add("bench.py", text.as_str());
    measure("Python's grammar alone", Unit::Bytes, text.len(), None, || {
        ruff_python_parser::parse_module(black_box(&text))
    });
    measure("parse only", Unit::Bytes, text.len(), Some(20.0), || parse(black_box(&sources)));
    measure("parse, check and print", Unit::Bytes, text.len(), Some(1.0), || {
        let parsed = parse(black_box(&sources));
        assert!(check_module(&parsed.module).is_empty());
        module_to_string(&parsed.module)
    });
}

/// About a megabyte of definitions.
fn text() -> String {
    let mut text = String::new();
    let mut seed = 0;
    while text.len() < 1_000_000 {
        text.push_str(&module_to_string(&joined(seed..seed + 50, &Shape::default())));
        seed += 50;
    }
    text
}

fn parse(sources: &SourceMap) -> Parsed {
    parse_module(FileId(0), sources, &Prelude::standard())
}
