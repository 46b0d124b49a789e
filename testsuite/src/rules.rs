//! The rules of the specification: where each is defined, which code says that it implements it, and
//! which tests say that they test it.
//!
//! - A definition is an anchor `[rule: …]` at the start of a line of `spec/*.md`, perhaps after `- `, `| ` or
//!   another anchor; anchors elsewhere refer to it.
//! - A comment in the code of a crate cites what the item below it implements (a comment of a module: what
//!   the module does).
//! - A comment in a test cites what the test tests. A program of `corpus/bad` tests the rules it expects to
//!   be refused for, and so does a block `exo-bad` of the specification. An executed block (`exo`, and those of the
//!   theory: `ternary`, `effect`, `obligation`, `halide`) tests the rules that are defined between it and the heading or
//!   block before. The cases of a primitive test the rule of its name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// One rule's row in the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// `chapter.md`, once per definition.
    pub defined: Vec<String>,
    /// `crate/src/file.rs: item`.
    pub implemented: BTreeSet<String>,
    /// `crate/tests/file.rs: test`, `corpus/bad/file.py` or `spec/chapter.md`.
    pub tested: BTreeSet<String>,
}

/// The rules by name.
pub type Table = BTreeMap<String, Row>;

/// The chapters that are finished: each of their rules has an implementation and a test, and they make up the
/// table. A chapter joins the list when its issue is done.
pub const CHAPTERS: &[&str] = &[
    "spec/syntax.md",
    "spec/types.md",
    "spec/values.md",
    "spec/denotation.md",
    "spec/ternary.md",
    "spec/effects.md",
    "spec/contexts.md",
    "spec/conditions.md",
    "spec/c.md",
    "spec/machines/amx.md",
    "spec/cursors.md",
    "spec/scripts.md",
    "spec/derivations.md",
    "spec/campaign.md",
    "spec/scheduling.md",
    "spec/tutorial.md",
    "spec/halide/algorithm.md",
    "spec/halide/semantics.md",
    "spec/halide/ir.md",
    "spec/halide/directives.md",
    "spec/halide/bounds.md",
    "spec/halide/confluence.md",
    "spec/blas.md",
    "spec/equivalence.md",
    "spec/growth.md",
    "spec/json.md",
    "spec/kernels.md",
    "spec/machines/README.md",
    "spec/machines/gemmini.md",
    "spec/machines/neon.md",
    "spec/machines/rvv.md",
    "spec/machines/own.md",
    "spec/halide/c.md",
    "spec/halide/typed.md",
    "spec/perceus/calculus.md",
    "spec/perceus/surface.md",
    "spec/perceus/optimisations.md",
    "spec/perceus/c.md",
    "spec/perceus/benchmarks.md",
];

/// The kinds of block that test the rules above them.
const EXECUTED: [&str; 5] = ["exo", "ternary", "effect", "obligation", "halide"];

/// A folder of finished chapters, one for each primitive.
const PRIMITIVES: &str = "spec/primitives/";

/// The crates that cite rules of any chapter only when these are written down.
pub const CRATES: &[&str] = &["base/", "semantics/", "backends/", "perceus/", "cli/"];

/// The programs that are refused.
const BAD: &str = "testsuite/corpus/bad";

/// The cases of primitives: those of a file test the rule of its name.
const CASES: &str = "testsuite/corpus/primitives";

/// Reads the whole project.
///
/// # Errors
/// A folder or a file cannot be read.
pub fn table(root: &Path) -> io::Result<Table> {
    let mut table = Table::new();
    for path in files(&root.join("spec"), "md")? {
        if path.file_name().is_some_and(|n| n != "COVERAGE.md") {
            chapter(&relative(root, &path), &fs::read_to_string(&path)?, &mut table);
        }
    }
    for folder in crates(root)? {
        for path in files(&folder, "rs")? {
            source(&relative(root, &path), &fs::read_to_string(&path)?, &mut table);
        }
    }
    for path in files(&root.join(CASES), "py")? {
        if let Some(name) = path.file_stem().and_then(|n| n.to_str()) {
            row(&mut table, name).tested.insert(relative(root, &path));
        }
    }
    for path in files(&root.join(BAD), "py")? {
        program(&relative(root, &path), &fs::read_to_string(&path)?, &mut table);
    }
    Ok(table)
}

/// The ids of diagnostics that occur in the code of a crate, tests left out: string literals such as
/// `"type.rank"` that start with one of the prefixes.
///
/// # Errors
/// A folder or a file cannot be read.
pub fn diagnostics(root: &Path, folders: &[&str], prefixes: &[&str]) -> io::Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for folder in folders {
        for path in files(&root.join(folder).join("src"), "rs")? {
            let place = relative(root, &path);
            let text = fs::read_to_string(&path)?;
            for (_, line) in
                code_lines(&place, &text).filter(|(_, line)| !line.trim_start().starts_with("//"))
            {
                let literals = line.split('"').skip(1).step_by(2);
                found.extend(
                    literals
                        .filter(|l| is_name(l) && prefixes.iter().any(|p| l.starts_with(p)))
                        .map(str::to_owned),
                );
            }
        }
    }
    Ok(found)
}

/// The lines of a file of code that are no tests, with their numbers from 0.
fn code_lines<'t>(place: &str, text: &'t str) -> impl Iterator<Item = (usize, &'t str)> {
    let end = if is_test(place) { 0 } else { tests_start(text) };
    text.lines().enumerate().take_while(move |(n, _)| *n < end)
}

/// Folders with a `Cargo.toml`.
fn crates(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root)? {
        let path = entry?.path();
        if path.join("Cargo.toml").is_file() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The files of a kind in a folder and below, in order.
fn files(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && path.file_name().is_some_and(|n| n != "target") {
            found.extend(files(&path, extension)?);
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

/// Whether this could be the name of a rule.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.ends_with('.')
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._-".contains(&b))
}

/// The rules cited in a line.
fn cited(line: &str) -> impl Iterator<Item = &str> {
    line.split("[rule: ").skip(1).filter_map(|rest| rest.split(']').next()).filter(|n| is_name(n))
}

/// The rules defined in a line of a chapter.
fn defined(line: &str) -> Vec<&str> {
    let mut rest = line.strip_prefix("- ").or_else(|| line.strip_prefix("| ")).unwrap_or(line);
    let mut found = Vec::new();
    while let Some((name, after)) = rest.strip_prefix("[rule: ").and_then(|r| r.split_once(']')) {
        if is_name(name) {
            found.push(name);
        }
        rest = after.trim_start_matches([',', ' ']);
    }
    found
}

fn chapter(place: &str, text: &str, table: &mut Table) {
    let (mut in_block, mut above): (bool, Vec<String>) = (false, Vec::new());
    for line in text.lines() {
        if let Some(tag) = line.strip_prefix("```") {
            let kind = tag.split(' ').next().unwrap_or_default();
            if !in_block && EXECUTED.contains(&kind) {
                for name in &above {
                    row(table, name).tested.insert(place.to_owned());
                }
            }
            if let Some(rule) = tag.strip_prefix("exo-bad ") {
                row(table, rule).tested.insert(place.to_owned());
            }
            in_block = !in_block;
            above.clear();
        } else if line.starts_with('#') && !in_block {
            above.clear();
        } else if !in_block {
            for name in defined(line) {
                row(table, name).defined.push(place.to_owned());
                above.push(name.to_owned());
            }
            for name in cited(line) {
                row(table, name);
            }
        }
    }
}

fn program(place: &str, text: &str, table: &mut Table) {
    for line in text.lines().map_while(|l| l.strip_prefix('#')) {
        let expected = line.strip_prefix(" expect: ").or_else(|| line.strip_prefix(" warn: "));
        if let Some(rule) = expected.and_then(|e| e.split(' ').next()) {
            row(table, rule).tested.insert(place.to_owned());
        }
    }
}

fn source(place: &str, text: &str, table: &mut Table) {
    let lines: Vec<&str> = text.lines().collect();
    let tests = if is_test(place) { 0 } else { tests_start(text) };
    for (n, line) in lines.iter().enumerate() {
        if !line.trim_start().starts_with("//") {
            continue;
        }
        for name in cited(line) {
            let citation = item(&lines, n).map_or(place.to_owned(), |item| format!("{place}: {item}"));
            let row = row(table, name);
            if n < tests {
                row.implemented.insert(citation)
            } else {
                row.tested.insert(citation)
            };
        }
    }
}

fn is_test(place: &str) -> bool {
    place.contains("/tests/") || place.ends_with("/tests.rs")
}

/// The line where a file's tests start.
fn tests_start(text: &str) -> usize {
    let before = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    before.lines().count()
}

/// What a comment is about: the item or variant below it, or the function around it; `None` for the module.
fn item(lines: &[&str], comment: usize) -> Option<String> {
    let is_inner = lines.get(comment).is_some_and(|l| l.trim_start().starts_with("//!"));
    let is_code = |l: &&&str| !matches!(l.trim_start().get(..1), None | Some("/" | "#"));
    let below = lines.iter().skip(comment).find(is_code).filter(|_| !is_inner);
    below.and_then(|l| name_of_item(l)).or_else(|| {
        let above = lines.iter().take(comment).rev();
        above.filter(|_| !is_inner).find_map(|l| name_of_item(l).filter(|_| l.contains("fn ")))
    })
}

/// The name of the item or the variant that starts on a line.
fn name_of_item(line: &str) -> Option<String> {
    const BEFORE: [&str; 7] = ["pub", "crate", "super", "async", "unsafe", "default", "extern"];
    const KEYWORDS: [&str; 8] = ["fn", "struct", "enum", "trait", "type", "const", "static", "mod"];
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let words = line.split(|c: char| !is_part(c)).filter(|w| !w.is_empty());
    let mut words = words.skip_while(|w| BEFORE.contains(w));
    let first = words.next()?;
    if KEYWORDS.contains(&first) {
        return words.find(|w| !KEYWORDS.contains(w)).map(str::to_owned);
    }
    if first == "impl" {
        return words.last().map(|name| format!("impl {name}"));
    }
    first.starts_with(char::is_uppercase).then(|| first.to_owned())
}

fn row<'t>(table: &'t mut Table, name: &str) -> &'t mut Row {
    table.entry(name.to_owned()).or_default()
}

impl Row {
    /// Whether the rule belongs to a finished chapter.
    fn is_finished(&self) -> bool {
        let finished = |c: &String| CHAPTERS.contains(&c.as_str()) || c.starts_with(PRIMITIVES);
        self.defined.iter().any(finished)
    }
}

/// What is wrong with the table, one sentence per defect, each with what to do about it.
pub fn defects(table: &Table) -> Vec<String> {
    let mut found = Vec::new();
    for (name, row) in table {
        let places: Vec<&str> = row.implemented.iter().chain(&row.tested).map(String::as_str).collect();
        if row.defined.is_empty() && places.iter().any(|p| CRATES.iter().any(|c| p.starts_with(c))) {
            found.push(format!(
                "[rule: {name}] is cited by {} and defined nowhere: begin a paragraph of spec/ with it, or correct \
                 the citation",
                places.join(", ")
            ));
        }
        if !row.is_finished() {
            continue;
        }
        if row.defined.len() > 1 {
            found.push(format!(
                "[rule: {name}] is defined more than once, in {}: refer to it in the middle of a line",
                row.defined.join(" and ")
            ));
        }
        if row.implemented.is_empty() {
            found.push(format!(
                "[rule: {name}] has no implementation: cite it in the comment of the function that implements it"
            ));
        }
        if row.tested.is_empty() {
            found.push(format!(
                "[rule: {name}] has no test: cite it in the comment of the test that would fail without it, or write \
                 one"
            ));
        }
    }
    found
}

/// The table as `spec/COVERAGE.md`.
pub fn to_markdown(table: &Table) -> String {
    let mut out = String::from(
        "# Rules, implementations, tests\n\n\
         Written by `testsuite/tests/spec/coverage.rs`, which fails when a rule is defined twice, cited but not defined, not\n\
         implemented or not tested. At most three places are listed of each kind. Chapters join the table when their\n\
         part of the project is finished.\n\n\
         | rule | chapter | implemented by | tested by |\n| --- | --- | --- | --- |\n",
    );
    for (name, row) in table.iter().filter(|(_, row)| row.is_finished()) {
        let cells = [name.clone(), chapters(row), shortened(&row.implemented), shortened(&row.tested)];
        out.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    out
}

fn chapters(row: &Row) -> String {
    let names = row.defined.iter().map(|c| c.trim_start_matches("spec/"));
    names.map(|c| format!("[{c}]({c})")).collect::<Vec<_>>().join(", ")
}

/// A few places: the programs of a corpus count as one, so that adding a file does not change the table.
fn shortened(places: &BTreeSet<String>) -> String {
    const SHOWN: usize = 3;
    let places: BTreeSet<&str> =
        places.iter().map(|p| if p.starts_with(BAD) { BAD } else { p.as_str() }).collect();
    let shown: Vec<String> = places.iter().take(SHOWN).map(|p| format!("`{p}`")).collect();
    shown.join(", ") + if places.len() > SHOWN { ", …" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(spec: &str, code: &str) -> Table {
        let mut table = Table::new();
        chapter("spec/c.md", spec, &mut table);
        source("cli/src/lib.rs", code, &mut table);
        table
    }

    #[test]
    fn anchors_at_the_start_of_a_line_define() {
        let t = of("[rule: a] [rule: b.c] Text ([rule: d]).\n- [rule: e] x\n```\n[rule: f]\n```\n", "");
        let defined: Vec<&str> =
            t.iter().filter(|(_, r)| !r.defined.is_empty()).map(|(n, _)| n.as_str()).collect();
        assert_eq!(defined, ["a", "b.c", "e"]);
        assert!(t.contains_key("d") && !t.contains_key("f"));
    }

    #[test]
    fn comments_cite_for_the_item_below_and_tests_apart() {
        let code = "//! [rule: m]\n\n/// Spec: [rule: a].\n#[inline]\npub(crate) fn run<T>() {}\n\
                    #[cfg(test)]\nmod tests {\n    /// [rule: a]\n    #[test]\n    fn runs() { let s = \"[rule: z]\"; }\n}\n";
        let t = of("", code);
        assert_eq!(t["m"].implemented.iter().collect::<Vec<_>>(), ["cli/src/lib.rs"]);
        assert_eq!(t["a"].implemented.iter().collect::<Vec<_>>(), ["cli/src/lib.rs: run"]);
        assert_eq!(t["a"].tested.iter().collect::<Vec<_>>(), ["cli/src/lib.rs: runs"]);
        assert!(!t.contains_key("z"));
    }

    #[test]
    fn each_defect_is_told() {
        let t = of("[rule: twice] x\n[rule: twice] y\n", "/// [rule: dangling]\nfn f() {}\n");
        let told = defects(&t).join("\n");
        for part in [
            "[rule: dangling] is cited by cli/src/lib.rs: f",
            "more than once",
            "no implementation",
            "no test",
        ] {
            assert!(told.contains(part), "{told}");
        }
    }
}
