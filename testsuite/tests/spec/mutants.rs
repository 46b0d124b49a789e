//! Each definition of `mutants.txt`, broken on purpose, is noticed by the tests named beside it.
//!
//! `make mutants` builds every mutant in a copy of the workspace and takes some minutes; `MUTANT=perceus/` leaves those
//! whose names or files have that in them. Here it is checked that the list still fits the sources.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One line of a file, changed.
#[derive(Debug)]
struct Mutant {
    name: String,
    file: String,
    from: String,
    to: String,
    /// A test target, behind its crate where that is not the test suite, and a part of a test's name.
    by: (String, String),
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn mutants() -> Vec<Mutant> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("mutants.txt"));
    let text = text.expect("the list of mutants");
    let blocks = text.split("\n\n").filter(|b| b.contains("mutant: "));
    blocks
        .map(|block| {
            let field = |key: &str| {
                let line = block.lines().find_map(|l| l.strip_prefix(key));
                line.unwrap_or_else(|| panic!("no `{key}` in\n{block}")).to_owned()
            };
            let by = field("by: ");
            let (target, filter) = by.split_once(' ').unwrap_or((&by, ""));
            Mutant {
                name: field("mutant: "),
                file: field("file: "),
                from: field("from: "),
                to: field("to: "),
                by: (target.to_owned(), filter.to_owned()),
            }
        })
        .collect()
}

#[test]
fn each_mutant_changes_one_place() {
    let all = mutants();
    assert!(all.len() > 30, "{} mutants", all.len());
    for m in &all {
        let text = fs::read_to_string(root().join(&m.file)).expect("the mutant's file");
        assert_eq!(text.matches(&m.from).count(), 1, "{}: `{}` in {}", m.name, m.from, m.file);
    }
}

/// The texts of a target of tests: of its file, or of all files in its folder.
fn texts(package: &str, target: &str) -> String {
    let tests = root().join(package).join("tests");
    let file = tests.join(target).with_extension("rs");
    if file.is_file() {
        return fs::read_to_string(file).expect("a test");
    }
    let modules = fs::read_dir(tests.join(target)).unwrap_or_else(|e| panic!("{package}/{target}: {e}"));
    let files = modules.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "rs"));
    files.map(|p| fs::read_to_string(p).expect("a test")).collect()
}

#[test]
fn each_mutant_names_tests_that_are_there() {
    for m in mutants() {
        let (target, filter) = &m.by;
        let (package, target) = target.split_once('/').unwrap_or(("testsuite", target));
        let texts = texts(package, target);
        // Tests made from a corpus are called as its files are.
        let named = |part: &str| texts.lines().any(|l| l.trim_start().starts_with("fn ") && l.contains(part));
        let is_there = match filter.strip_suffix("::") {
            Some(module) => texts.contains(&format!("mod {module};")),
            None => !texts.contains("#[test]") || named(filter),
        };
        assert!(is_there, "{}: no test of {package}/{target} is called `{filter}`", m.name);
    }
}

#[test]
#[ignore = "builds the workspace once per mutant: run `make mutants`"]
fn every_mutant_is_noticed() {
    let copy = copy_of_the_workspace();
    let mut survivors = Vec::new();
    let word = std::env::var("MUTANT").unwrap_or_default();
    for m in mutants().into_iter().filter(|m| m.name.contains(&word) || m.file.contains(&word)) {
        let file = copy.join(&m.file);
        let original = fs::read_to_string(&file).expect("the mutant's file");
        fs::write(&file, original.replace(&m.from, &m.to)).expect("the mutant is written");
        let (noticed, said) = run(&copy, &m);
        fs::write(&file, original).expect("the original is written back");
        println!("{}: {said}", m.name);
        if !noticed {
            survivors.push(format!("{}: {said}", m.name));
        }
    }
    assert!(survivors.is_empty(), "{}", survivors.join("\n"));
}

/// Whether the tests that should fail do, and what they say. A mutant that does not compile is not noticed.
fn run(copy: &Path, m: &Mutant) -> (bool, String) {
    let (target, filter) = &m.by;
    let (package, target) = target.split_once('/').unwrap_or(("testsuite", target));
    let package = format!("rewright-{package}");
    let out = Command::new(env!("CARGO"))
        .args(["test", "--quiet", "-p", &package, "--test", target, "--", filter])
        .current_dir(copy)
        .env("CARGO_TARGET_DIR", copy.join("target"))
        .env("RUST_BACKTRACE", "0")
        .output()
        .expect("cargo runs");
    let text = format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    let line = |what: &str| text.lines().find(|l| l.contains(what)).map(str::to_owned);
    if text.contains("could not compile") {
        return (false, format!("does not compile: {}", line("error").unwrap_or_default()));
    }
    if out.status.success() {
        return (false, "survives".to_owned());
    }
    // A mutant may end the tests without a result: by memory, by a signal.
    let result = line("test result: FAILED").unwrap_or_else(|| out.status.to_string());
    let first = line("seed ").or_else(|| line(": ")).unwrap_or_default();
    (true, format!("{} {}", result.trim(), first.trim().chars().take(160).collect::<String>()))
}

/// The sources, beside a target folder that mutants share.
fn copy_of_the_workspace() -> PathBuf {
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutants");
    let status = Command::new("sh")
        .arg("-c")
        .arg(
            "mkdir -p \"$1\" && tar -C \"$0\" --exclude=./target --exclude=./.git -chf - . | tar -C \"$1\" -xf -",
        )
        .arg(root())
        .arg(&copy)
        .status()
        .expect("sh runs");
    assert!(status.success(), "the workspace is copied");
    copy
}
