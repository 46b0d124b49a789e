//! The examples of `spec/c.md`: those marked `exo` compile, and the lines of the `c` block after them
//! stand in the C in this order; those marked `exo-bad` are refused for the rule that they name. Every
//! rule that this crate cites has an anchor in the chapter, and the other way round.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

mod common;

use rewright_backends::c::{Options, compile_module};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const CHAPTER: &str = include_str!("../../spec/c.md");

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

#[test]
fn good_examples_become_the_c_that_is_shown() {
    let blocks = blocks();
    let mut count = 0;
    for pair in blocks.windows(2) {
        let [(tag, text), (next, shown)] = pair else { continue };
        if tag != "exo" {
            continue;
        }
        assert_eq!(next, "c", "an example without its C:\n{text}");
        let unit = common::compile(text);
        let c = format!("{}{}", unit.header, unit.source);
        let mut lines = c.lines().map(str::trim);
        for line in shown.lines() {
            assert!(lines.any(|l| l == line), "no `{line}` at its place in\n{c}");
        }
        count += 1;
    }
    assert!(count >= 11, "only {count} examples");
}

#[test]
fn bad_examples_are_refused_for_their_rule() {
    let mut count = 0;
    for (tag, text) in blocks() {
        let Some(rule) = tag.strip_prefix("exo-bad ") else { continue };
        let found = compile_module(&common::module(&text), &Options::new("unit")).unwrap_err();
        assert!(found.iter().all(|d| d.rule == rule), "{found:?}");
        count += 1;
    }
    assert!(count >= 8, "only {count} examples");
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The names in `[rule: …]` of a text.
fn anchors(text: &str) -> BTreeSet<String> {
    let names = text.split("[rule: ").skip(1).filter_map(|t| t.split(']').next());
    names.filter(|n| n.starts_with("c.") || n.starts_with("backend.")).map(str::to_owned).collect()
}

#[test]
fn rules_are_written_down_and_cited() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    let texts: Vec<String> = files.iter().map(|f| std::fs::read_to_string(f).unwrap()).collect();
    let cited: BTreeSet<String> = texts.iter().flat_map(|t| anchors(t)).collect();
    let written = anchors(CHAPTER);
    assert_eq!(written.difference(&cited).collect::<Vec<_>>(), Vec::<&String>::new(), "cited nowhere");
    assert_eq!(cited.difference(&written).collect::<Vec<_>>(), Vec::<&String>::new(), "written nowhere");
}
