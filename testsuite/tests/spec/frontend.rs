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

const CHAPTER: &str = include_str!("../../../spec/frontend.md");

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
fn fields_given_what_depends_on_a_loop_are_refused_in_the_strict_mode() {
    let head = "@config\nclass Cfg:\n    at: index\n    a: f32\n    on: bool\n\n\
        @proc\ndef sets(n: index, x: [f32][4], y: [f32][4]):\n    Cfg.on = True\n    y[0] = x[0]\n\n\
        @proc\ndef p(n: size, x: f32[n], y: f32[n]):\n";
    let refused = [
        // What the value is made of, directly, through a buffer that is written later, and through a window.
        "for i in seq(0, n):\n        Cfg.at = 2 * i + 1",
        "t: f32\n    t = 0.0\n    for i in seq(0, n):\n        Cfg.a = t\n        t = x[i]",
        "t: f32[n]\n    for i in seq(0, n):\n        w = t[i:n]\n        w[0] = 0.0\n    Cfg.a = t[0]",
        // Whether there is a value.
        "for i in seq(0, n):\n        if i < 2:\n            Cfg.at = 0",
        "for i in seq(0, n):\n        if i < 2:\n            y[0] = 0.0\n        else:\n            Cfg.at = 0",
        "for i in seq(0, n):\n        for j in seq(0, i):\n            Cfg.at = 0",
        // Through another field, and by way of a call.
        "for i in seq(0, n):\n        if Cfg.on:\n            Cfg.at = 0\n        Cfg.on = i == 2",
        "for i in seq(0, n):\n        sets(i, x[0:4], y[0:4])",
        "for i in seq(0, n):\n        if i + 4 <= n:\n            sets(0, x[i:i + 4], y[0:4])",
    ];
    let accepted = [
        "for i in seq(0, n):\n        Cfg.at = n - 1",
        "for i in seq(0, n):\n        x[i] = 0.0\n    Cfg.a = 0.0",
        "for i in seq(0, n):\n        sets(0, x[0:4], y[0:4])",
        // `sets` writes its last argument, and does not read it.
        "for i in seq(0, n - 4):\n        sets(0, x[0:4], y[i:i + 4])",
    ];
    let rules = |mode, body: &str| {
        let text = format!("{head}    assert n >= 4\n    {body}\n");
        let (found, sources) = check_in(mode, "example.py", &text);
        (found.iter().map(|d| d.rule).collect::<Vec<_>>(), render(&found, &sources, false))
    };
    for body in refused {
        assert_eq!(rules(Mode::Standard, body).0, Vec::<&str>::new(), "{body}");
        let (found, shown) = rules(Mode::Strict, body);
        assert!(found.contains(&"config.iteration"), "{body}\n{shown}");
    }
    for body in accepted {
        let (found, shown) = rules(Mode::Strict, body);
        assert!(found.is_empty(), "{shown}");
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
    // No value of `n` gives the buffer a cell: what the body may assume of it is not what a caller has shown.
    let none = "@proc\ndef p(n: size, x: f32[-n]):\n    pass\n";
    let rules = |mode| check_in(mode, "example.py", none).0.iter().map(|d| d.rule).collect::<Vec<_>>();
    assert_eq!((rules(Mode::Standard), rules(Mode::Strict)), (Vec::new(), vec!["bounds.extent"]));
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
    let mut cited = anchors(include_str!("../effects/frontend.rs"));
    let mut files = vec![root.join("effects/src/frontend.rs")];
    let folder = std::fs::read_dir(root.join("effects/src/frontend")).expect("the front end");
    files.extend(folder.flatten().map(|f| f.path()));
    for file in files {
        cited.extend(anchors(&std::fs::read_to_string(file).expect("readable text")));
    }
    assert_eq!(cited, anchors(CHAPTER));
}
