//! The examples of `spec/frontend.md`: those marked `exo` are accepted; those marked `exo-bad` break the
//! rule that they name and no other; those marked `exo-strict` do so in the strict mode alone. Every id of a requirement is introduced there, and every rule that the
//! front end's code cites has an anchor.

use rewright_effects::frontend::{Mode, REQUIREMENTS, STRICT_REQUIREMENTS, check_module_in};
use rewright_semantics::diag::{Diagnostic, has_errors};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::render::render;
use rewright_semantics::span::SourceMap;
use rewright_semantics::typecheck::check_module as types;
use std::collections::BTreeSet;
use std::path::Path;

const CHAPTER: &str = include_str!("../../spec/frontend.md");

/// Tag and text of each fenced block.
fn blocks() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in CHAPTER.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(tag)) => open = Some((tag.to_owned(), String::new())),
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some((_, text)), None) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    found
}

fn check(name: &str, text: &str) -> (Vec<Diagnostic>, SourceMap) {
    check_in(Mode::Standard, name, text)
}

fn check_in(mode: Mode, name: &str, text: &str) -> (Vec<Diagnostic>, SourceMap) {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    let mut found = parsed.diagnostics;
    found.extend(types(&parsed.module));
    assert!(!has_errors(&found), "{}", render(&found, &sources, false));
    for checked in check_module_in(&parsed.module, mode) {
        found.extend(checked.refusals(&sources));
    }
    (found, sources)
}

#[test]
fn good_examples_are_accepted() {
    let examples: Vec<_> = blocks().into_iter().filter(|(tag, _)| tag == "exo").collect();
    assert!(examples.len() >= 5, "only {}", examples.len());
    for (_, text) in examples {
        let (found, sources) = check("example.py", &text);
        assert!(found.is_empty(), "{}", render(&found, &sources, false));
    }
}

#[test]
fn bad_examples_break_their_rule_and_no_other() {
    let mut broken = BTreeSet::new();
    for (tag, text) in blocks() {
        let Some(rule) = tag.strip_prefix("exo-bad ") else { continue };
        let rules: Vec<&str> = check("example.py", &text).0.iter().map(|d| d.rule).collect();
        assert_eq!(rules, [rule], "{text}");
        broken.insert(rule.to_owned());
    }
    let listed: BTreeSet<String> = REQUIREMENTS.iter().map(ToString::to_string).collect();
    assert_eq!(broken, listed);
}

/// [rule: frontend.strict]
#[test]
fn strict_examples_break_their_rule_in_the_strict_mode_alone() {
    let mut broken = BTreeSet::new();
    for (tag, text) in blocks() {
        let Some(rule) = tag.strip_prefix("exo-strict ") else { continue };
        let rules = |mode| check_in(mode, "example.py", &text).0.iter().map(|d| d.rule).collect::<Vec<_>>();
        assert_eq!((rules(Mode::Standard), rules(Mode::Strict)), (Vec::new(), vec![rule]), "{text}");
        broken.insert(rule.to_owned());
    }
    for id in STRICT_REQUIREMENTS {
        assert!(broken.contains(id.0), "{id} has no example");
    }
}

/// [rule: frontend.strict]
#[test]
fn what_exo_accepts_is_accepted_in_the_strict_mode() {
    let body = "@proc\ndef p(n: size, k: index, a: bool, b: bool, x: [f32][n]):\n";
    let fine = [
        "    assert 0 <= k and k <= n\n    for i in seq(k, n):\n        x[i] = 1.0\n",
        "    if n > 4:\n        for i in seq(4, n):\n            x[i] = 1.0\n",
        "    for i in seq(0, n):\n        for j in seq(i, n):\n            x[j] = 1.0\n",
        "    if n > 8:\n        if n < 4:\n            for i in seq(4, 2):\n                x[i] = 1.0\n",
        "    assert a == False\n    if a == b:\n        x[0] = 1.0\n",
        "    assert stride(x, 0) == 0 and k > 3 or k < 4\n    x[0] = 1.0\n",
    ];
    for text in fine {
        let (found, sources) = check_in(Mode::Strict, "example.py", &format!("{body}{text}"));
        assert!(found.is_empty(), "{}", render(&found, &sources, false));
    }
    let refused = ["    for i in par(0, k):\n        x[i] = 1.0\n", "    assert 1 == 2\n    x[0] = 1.0\n"];
    for text in refused {
        assert!(!check_in(Mode::Strict, "example.py", &format!("{body}{text}")).0.is_empty(), "{text}");
    }
}

#[test]
fn the_refusal_shown_is_the_one_given() {
    let all = blocks();
    let program = all.iter().find(|(tag, _)| tag == "exo-bad bounds.access").map(|(_, text)| text);
    let shown = all.iter().find(|(tag, _)| tag.is_empty()).map(|(_, text)| text.trim_end());
    let (found, sources) = check("shift.py", program.expect("the program"));
    assert_eq!(Some(render(&found, &sources, false).trim_end()), shown);
}

/// The names in `[rule: …]` of a text that are the front end's.
fn anchors(text: &str) -> BTreeSet<String> {
    let names = text.split("[rule: ").skip(1).filter_map(|t| t.split(']').next());
    names.filter(|n| n.starts_with("frontend")).map(str::to_owned).collect()
}

#[test]
fn every_rule_cited_has_an_anchor_and_the_other_way_round() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut cited = anchors(include_str!("effects_frontend.rs"));
    let mut files = vec![root.join("effects/src/frontend.rs")];
    let folder = std::fs::read_dir(root.join("effects/src/frontend")).expect("the front end");
    files.extend(folder.flatten().map(|f| f.path()));
    for file in files {
        cited.extend(anchors(&std::fs::read_to_string(file).expect("readable text")));
    }
    assert_eq!(cited, anchors(CHAPTER));
}
