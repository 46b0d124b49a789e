//! Whatever the text, reading it, showing what is wrong with it and printing what is left of it ends
//! without a panic.

use proptest::prelude::*;
use rewright_semantics::diag::has_errors;
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::pretty::module_to_string;
use rewright_semantics::render::render;
use rewright_semantics::span::SourceMap;

/// Reads a text, shows its errors, prints what was understood; what has no errors reads back.
fn exercise(text: &str) {
    let mut sources = SourceMap::new();
    let file = sources.add("input", text);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    let shown = render(&parsed.diagnostics, &sources, false);
    assert_eq!(shown.is_empty(), parsed.diagnostics.is_empty());
    for d in &parsed.diagnostics {
        assert!(sources.slice(d.primary.span).is_some(), "{d:?}");
    }
    let printed = module_to_string(&parsed.module);
    if !has_errors(&parsed.diagnostics) {
        let file = sources.add("printed", printed.as_str());
        let again = parse_module(file, &sources, &Prelude::standard());
        assert!(!has_errors(&again.diagnostics), "{}", render(&again.diagnostics, &sources, false));
        assert_eq!(printed, module_to_string(&again.module));
    }
}

/// The examples of the specification, one after the other.
fn programs() -> Vec<&'static str> {
    let chapter = include_str!("../../spec/syntax.md");
    let blocks = chapter.split("```").skip(1).step_by(2);
    blocks
        .filter_map(|b| b.strip_prefix("exo"))
        .filter_map(|b| b.split_once('\n'))
        .map(|(_, text)| text)
        .collect()
}

/// Pieces of which wrong programs are made.
const PIECES: [&str; 64] = [
    "@proc",
    "@instr(\"{x}\")",
    "@config",
    "def",
    "class",
    "f",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ":",
    ",",
    "\n",
    "\n    ",
    "\n        ",
    "x",
    "n",
    "N",
    "i",
    "size",
    "index",
    "f32",
    "f32[n]",
    "[f32][n]",
    "@",
    "DRAM",
    "Memory",
    "for",
    "in",
    "seq",
    "par",
    "if",
    "elif",
    "else",
    "assert",
    "pass",
    "=",
    "+=",
    "-=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "==",
    "<",
    "<=",
    "not",
    "and",
    "or",
    "0",
    "1",
    "1.5",
    "1e9",
    "True",
    "stride",
    "sin",
    "Cfg",
    ".field",
    "\"text\"",
    "f\"{x}\"",
    "#",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_text(text in any::<String>()) {
        exercise(&text);
    }

    #[test]
    fn arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        exercise(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn pieces_of_programs(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60), spaces in any::<bool>()) {
        let separator = if spaces { " " } else { "" };
        exercise(&format!("@proc\ndef f(n: size, x: f32[n]):\n    {}", pieces.join(separator)));
        exercise(&pieces.join(separator));
    }

    #[test]
    fn damaged_programs(at in any::<prop::sample::Index>(), edits in prop::collection::vec((any::<prop::sample::Index>(), 0..4_u8, prop::sample::select(&PIECES[..])), 1..6)) {
        let programs = programs();
        let mut text = at.get(&programs).to_string();
        for (place, what, piece) in edits {
            let from = text.floor_char_boundary(place.index(text.len() + 1));
            let to = text.ceil_char_boundary((from + usize::from(what) * 3).min(text.len()));
            text.replace_range(from..to, if what == 3 { "" } else { piece });
        }
        exercise(&text);
    }

    #[test]
    fn exchanged_lines(at in any::<prop::sample::Index>(), moves in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..4)) {
        let programs = programs();
        let mut lines: Vec<&str> = at.get(&programs).lines().collect();
        for (a, b) in moves {
            let (a, b) = (a.index(lines.len()), b.index(lines.len()));
            lines.swap(a, b);
        }
        exercise(&lines.join("\n"));
    }
}

#[test]
fn examples_of_the_specification() {
    for program in programs() {
        exercise(program);
        exercise(&program.replace('\n', "\r\n"));
        exercise(&program.replace("    ", "\t"));
        exercise(&format!("\u{feff}{program}"));
        exercise(&program.replace('x', "é"));
    }
}

#[test]
fn every_prefix_of_a_program() {
    for program in programs().into_iter().take(6) {
        for end in (0..program.len()).filter(|end| program.is_char_boundary(*end)) {
            exercise(&program[..end]);
        }
    }
}

/// Trees as deep as the text is long, in every construct that nests: refused or read, on a small stack.
#[test]
fn depth() {
    const N: usize = 20_000;
    let value = |e: String| format!("@proc\ndef f(x: f32, n: size):\n    x = {e}\n");
    let guard = |e: String| format!("@proc\ndef f(x: f32, n: size):\n    assert {e}\n");
    let blocks = |head: &str| {
        let lines: String = (0..2000).map(|i| format!("{}{head}\n", " ".repeat(i + 1))).collect();
        format!("@proc\ndef f(x: f32, n: size):\n{lines}")
    };
    let texts = vec![
        value("(".repeat(N)),
        value("(".repeat(N) + "x" + &")".repeat(N)),
        value("x[".repeat(N) + "0" + &"]".repeat(N)),
        value("sin(".repeat(N) + "x" + &")".repeat(N)),
        value(vec!["x"; N].join(" + ")),
        value(vec!["x"; N].join(" - (")),
        value(vec!["x"; N].join(" ** ")),
        value("-".repeat(N) + "x"),
        value("~ + - ".repeat(N) + "x"),
        value("lambda x, y: ".repeat(N) + "x"),
        value("x if n else ".repeat(N) + "x"),
        value("await ".repeat(N) + "x"),
        value("x".to_owned() + &".a".repeat(N)),
        value("x".to_owned() + &"[0]".repeat(N)),
        value("x".to_owned() + &"()".repeat(N)),
        value("'a' ".repeat(N)),
        value("f'{".repeat(N)),
        value(format!("f'{}'", "{x:".repeat(N))),
        value("{1: ".repeat(N)),
        value("[x for x in ".repeat(N)),
        guard(vec!["n < 1"; N].join(" and ")),
        guard(vec!["n"; N].join(" < ")),
        guard("not ".repeat(N) + "n"),
        guard("(1 < ".repeat(150) + "n" + &" < 2)".repeat(150)),
        blocks("if n < 1:"),
        blocks("for i in seq(0, n):"),
        format!("(\n{}", blocks("if n < 1:")),
        format!(
            "@proc\ndef f(x: f32, n: size):\n    if n < 1:\n        pass\n{}",
            "    elif n < 2:\n        pass\n".repeat(N)
        ),
        "if n: ".repeat(N),
        "class C:".repeat(N),
        format!("@{}g\ndef f(): pass", "f.".repeat(N)),
        format!("a = 9\n{}", "a = a * a\n".repeat(100)),
        format!("a = 'x'\n{}", "a = a + a\n".repeat(100)),
        format!("a = {}", "1".repeat(N)),
        format!("a = {}", vec!["1"; N].join(" + ")),
        format!("a = f{}", "(1)".repeat(N)),
        format!("match x:\n    case {}", "[".repeat(N)),
        format!(
            "@proc\ndef f(x0: f32[100], n: size):\n{}",
            (0..2000).map(|i| format!("    x{} = x{i}[n:]\n", i + 1)).collect::<String>()
        ),
    ];
    for text in texts {
        exercise(&text);
    }
}

/// Just within the limits, a program prints and reads back.
#[test]
fn depth_that_is_allowed() {
    let value =
        |e: String| exercise_good(&format!("@proc\ndef f(x: f32[4], y: f32, n: size):\n    y = {e}\n"));
    value(vec!["y"; 390].join(" + "));
    value("-".repeat(390) + "y");
    value("sin(".repeat(390) + "y" + &")".repeat(390));
    value("(y - ".repeat(390) + "y" + &")".repeat(390));
    value("x[".to_owned() + &"(n + ".repeat(380) + "n" + &")".repeat(380) + "]");
    let lines: String = (0..98).map(|i| format!("{}for i in seq(0, n):\n", " ".repeat(i + 1))).collect();
    exercise_good(&format!("@proc\ndef f(n: size):\n{lines}{}pass\n", " ".repeat(99)));
    let elifs = "    elif n < 2:\n        pass\n".repeat(390);
    exercise_good(&format!("@proc\ndef f(n: size):\n    if n < 1:\n        pass\n{elifs}"));
}

/// A text without errors.
fn exercise_good(text: &str) {
    let mut sources = SourceMap::new();
    let file = sources.add("input", text);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    assert!(parsed.diagnostics.is_empty(), "{}", render(&parsed.diagnostics, &sources, false));
    exercise(text);
}
