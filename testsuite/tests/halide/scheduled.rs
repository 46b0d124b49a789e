//! A text of the Halide model, and its scheduled program.

use rewright_halide_model::schedule::Refusal;
use rewright_halide_model::schedule::{Directive, Rules, Sequence, schedule};
use rewright_halide_model::text::{Parsed, parse};
use rewright_halide_model::tgt::Program;
use rewright_semantics::span::SourceMap;
use std::sync::Arc;

pub(crate) fn read(text: &str) -> (Parsed, Program) {
    let (parsed, t) = tried(text);
    (parsed, t.unwrap_or_else(|r| panic!("{r}")))
}

pub(crate) fn tried(text: &str) -> (Parsed, Result<Program, Refusal>) {
    let mut sources = SourceMap::new();
    let file = sources.add("pipeline", text);
    let parsed = parse(file, &sources).unwrap_or_else(|d| panic!("{}: {text}", d.message));
    let directives: Vec<Directive> = parsed.schedule.iter().map(|(d, _)| d.clone()).collect();
    let p = Arc::new(parsed.algorithm.clone());
    let t = schedule(&p, &directives, Sequence::Strict, Rules::default());
    (parsed, t)
}
