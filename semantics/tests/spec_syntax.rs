//! The examples of `spec/syntax.md`: those marked `exo` are accepted, well typed, print and
//! read back; those marked
//! `exo-bad` break the rule that they name and no other.

use rewright_semantics::alpha::alpha_eq_module;
use rewright_semantics::diag::{Diagnostic, Severity};
use rewright_semantics::parse::{Parsed, Prelude, parse_module};
use rewright_semantics::pretty::module_to_string;
use rewright_semantics::render::render;
use rewright_semantics::span::SourceMap;
use rewright_semantics::typecheck::check_module;

const CHAPTER: &str = include_str!("../../spec/syntax.md");

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

fn read(name: &str, text: &str) -> (Parsed, String) {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    let shown = render(&parsed.diagnostics, &sources, false);
    (parsed, shown)
}

#[test]
fn good_examples_are_accepted_and_print_as_themselves() {
    let mut count = 0;
    for example in examples().iter().filter(|e| e.tag == "exo") {
        let (parsed, shown) = read(&format!("syntax.md:{}", example.line), &example.text);
        assert!(parsed.diagnostics.is_empty(), "{shown}");
        let ill_typed = check_module(&parsed.module);
        assert!(ill_typed.is_empty(), "line {}: {ill_typed:?}", example.line);
        let printed = module_to_string(&parsed.module);
        let (again, shown) = read("printed", &printed);
        assert!(again.diagnostics.is_empty(), "{shown}");
        assert!(alpha_eq_module(&parsed.module, &again.module), "line {}:\n{printed}", example.line);
        assert_eq!(printed, module_to_string(&again.module));
        count += 1;
    }
    assert!(count > 10);
}

#[test]
fn bad_examples_break_their_rule_and_no_other() {
    let mut count = 0;
    for example in examples() {
        let Some(rule) = example.tag.strip_prefix("exo-bad ") else { continue };
        let (parsed, shown) = read(&format!("syntax.md:{}", example.line), &example.text);
        let counts = |d: &&Diagnostic| d.rule == rule || d.severity == Severity::Error;
        let rules: Vec<&str> = parsed.diagnostics.iter().filter(counts).map(|d| d.rule).collect();
        assert!(!rules.is_empty() && rules.iter().all(|r| *r == rule), "line {}: {shown}", example.line);
        count += 1;
    }
    assert!(count > 20);
}

/// Every rule of a syntax error has an anchor in the chapter.
#[test]
fn rules_have_anchors() {
    let source = include_str!("../src/parse/error.rs");
    let words = source.split('"').filter(|w| {
        ["syntax.", "name.", "instr."].iter().any(|p| w.starts_with(p)) && !w.contains(char::is_whitespace)
    });
    for rule in words {
        assert!(CHAPTER.contains(&format!("[rule: {rule}]")), "{rule}");
    }
}
