//! The examples of `spec/types.md`: those marked `exo` are well-typed; those marked `exo-bad` break the
//! rule that they name and no other. Every rule of a type error has an anchor in the chapter.

use rewright_semantics::diag::{Diagnostic, Severity};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::render::render;
use rewright_semantics::span::SourceMap;
use rewright_semantics::typecheck::check_module;

const CHAPTER: &str = include_str!("../../spec/types.md");

struct Example {
    line: usize,
    tag: String,
    text: String,
}

fn examples() -> Vec<Example> {
    let mut found = Vec::new();
    let mut open: Option<Example> = None;
    for (at, line) in CHAPTER.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(tag)) => {
                open = Some(Example { line: at + 1, tag: tag.to_owned(), text: String::new() });
            }
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(example), None) => {
                example.text.push_str(line);
                example.text.push('\n');
            }
            (None, None) => {}
        }
    }
    found
}

/// What is said about an example, and how it is shown.
fn diagnostics(example: &Example) -> (Vec<Diagnostic>, String) {
    let mut sources = SourceMap::new();
    let file = sources.add(format!("types.md:{}", example.line), &*example.text);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    let mut all = parsed.diagnostics;
    all.extend(check_module(&parsed.module));
    let shown = render(&all, &sources, false);
    (all, shown)
}

#[test]
fn good_examples_are_well_typed() {
    let mut count = 0;
    for example in examples().iter().filter(|e| e.tag == "exo") {
        let (found, shown) = diagnostics(example);
        assert!(found.is_empty(), "{shown}");
        count += 1;
    }
    assert!(count > 10);
}

#[test]
fn bad_examples_break_their_rule_and_no_other() {
    let mut count = 0;
    for example in examples() {
        let Some(rule) = example.tag.strip_prefix("exo-bad ") else { continue };
        let (found, shown) = diagnostics(&example);
        let rules: Vec<&str> =
            found.iter().filter(|d| d.severity == Severity::Error).map(|d| d.rule).collect();
        assert!(!rules.is_empty() && rules.iter().all(|r| *r == rule), "line {}: {shown}", example.line);
        count += 1;
    }
    assert!(count > 25);
}

#[test]
fn every_rule_of_a_type_error_has_an_anchor() {
    let source = include_str!("../src/typecheck/error.rs");
    let rules = source.split('"').filter(|w| w.starts_with("type.") || w.starts_with("name."));
    let mut count = 0;
    for rule in rules.filter(|r| *r != "name.unbound") {
        assert!(CHAPTER.contains(&format!("[rule: {rule}]")), "no anchor for {rule}");
        count += 1;
    }
    assert!(count > 25);
}
