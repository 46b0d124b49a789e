//! The text syntax at its edges: what is meant is said, and nothing overflows a stack. Spec: [rule: halide.text].

use rewright_halide_model::text::{Parsed, parse, print};
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::span::SourceMap;

fn read(text: &str) -> Result<Parsed, Box<Diagnostic>> {
    let mut sources = SourceMap::new();
    let file = sources.add("text", text);
    parse(file, &sources).map_err(Box::new)
}

/// The help of a refusal, and the text at its place.
fn refusal(text: &str) -> (String, String) {
    let mut sources = SourceMap::new();
    let file = sources.add("text", text);
    let d = parse(file, &sources).expect_err("refused");
    let at = sources.slice(d.primary.span).expect("a place").to_owned();
    (d.help.unwrap_or_else(|| panic!("no help: {}", d.message)), at)
}

#[test]
fn operators_of_other_languages_are_recognised() {
    for (written, sign, meant) in [
        ("x / 2", "/", "a div b"),
        ("(x % 2) + 1", "%", "a mod b"),
        ("select(x == 1, 0, 1)", "==", "a = b"),
        ("x > 0 && x < 3", "&&", "a and b"),
        ("x > 0 || x < 3", "||", "a or b"),
        ("select(!x, 1, 2)", "!", "not a"),
        ("x > 0 ? 1 : 2", "?", "select(c, a, b)"),
        ("f[x / 2]", "/", "a div b"),
    ] {
        let (help, at) = refusal(&format!("pipeline f(): fun f(x) = {written};"));
        assert!(help.contains(meant) && at == sign, "{written}: {help} at {at}");
    }
    // The negation of an equality is an operator of the language.
    assert!(read("pipeline f(): fun f(x) = x != 2;").is_ok());
}

#[test]
fn directives_of_practice_are_recognised() {
    for (written, meant) in [
        ("compute_at(f, <g, y>)", "compute-at("),
        ("store_at(f, <g, y>)", "store-at("),
        ("reorder(x, y)", "swap("),
        ("tile(x, y)", "split"),
        ("parallel(y)", "traverse(<f, y>, parallel)"),
        ("compute_root(f)", "without `compute-at`"),
        ("fold_storage(f, x, 4)", "`fold-storage(f, x, n)`"),
        ("clone_in(f, g)", "`clone-in(g, h, f)`"),
        ("bound_extent(f, x, 3)", "bound-extent("),
        ("frobnicate(f)", "the directives are inline"),
    ] {
        let (help, _) = refusal(&format!("pipeline f(): fun f(x) = x; schedule: {written};"));
        assert!(help.contains(meant), "{written}: {help}");
    }
}

/// Sums are parsed, or refused with their place: trees of any depth would end in a stack overflow somewhere.
#[test]
fn long_expressions_are_refused_rather_than_overflowing() {
    let sum = |n: usize| format!("pipeline f(): fun f(x) = {};", vec!["x"; n].join(" + "));
    let parsed = read(&sum(1_000)).unwrap_or_else(|d| panic!("{}", d.message));
    assert_eq!(read(&print::algorithm(&parsed.algorithm)).map(|p| p.algorithm).ok(), Some(parsed.algorithm));
    let chains = [
        sum(200_000),
        format!("pipeline f(): fun f(x) = {} x;", "not ".repeat(200_000)),
        format!("pipeline f(): fun f(x) = {} x {};", "(".repeat(200_000), ")".repeat(200_000)),
        format!("pipeline f(): fun f(x) = {};", vec!["f[x]"; 20_000].join(" * ")),
        format!("pipeline f(): fun f(x) = x; schedule: specialize(f, {});", vec!["1"; 90_000].join(" and ")),
    ];
    for text in chains {
        let d = read(&text).expect_err("too long");
        let shown = d.message.clone();
        assert!(shown.contains("operators") || shown.contains("nested"), "{shown}");
    }
}
