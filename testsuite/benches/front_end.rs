//! Throughput of parsing, and of parsing, checking and printing together, in bytes of source text.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use rewright_semantics::parse::{Parsed, Prelude, parse_module};
use rewright_semantics::pretty::module_to_string;
use rewright_semantics::span::SourceMap;
use rewright_semantics::typecheck::check_module;
use rewright_testsuite::generate::{Shape, joined};

fn main() {
    divan::main();
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
    parse_module(rewright_semantics::span::FileId(0), sources, &Prelude::standard())
}

fn sources(text: &str) -> SourceMap {
    let mut sources = SourceMap::new();
    sources.add("bench.py", text);
    sources
}

#[divan::bench(sample_count = 20)]
fn python_grammar_alone(bencher: Bencher<'_, '_>) {
    let text = text();
    bencher.counter(BytesCount::of_str(&text)).bench(|| ruff_python_parser::parse_module(black_box(&text)));
}

#[divan::bench(sample_count = 20)]
fn parse_only(bencher: Bencher<'_, '_>) {
    let text = text();
    let sources = sources(&text);
    bencher.counter(BytesCount::of_str(&text)).bench(|| parse(black_box(&sources)));
}

#[divan::bench(sample_count = 20)]
fn parse_check_print(bencher: Bencher<'_, '_>) {
    let text = text();
    let sources = sources(&text);
    bencher.counter(BytesCount::of_str(&text)).bench(|| {
        let parsed = parse(black_box(&sources));
        assert!(check_module(&parsed.module).is_empty());
        module_to_string(&parsed.module)
    });
}
