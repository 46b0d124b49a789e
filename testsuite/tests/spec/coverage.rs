//! Every rule of a finished chapter is defined once, implemented and tested; every id of a diagnostic is met in
//! the corpus. `spec/COVERAGE.md` holds the table.
//!
//! After a change that is meant: `INSTA_UPDATE=always cargo test -p rewright-testsuite --test spec coverage::`.

use rewright_testsuite::rules::{Table, defects, diagnostics, table, to_markdown};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn rules() -> Table {
    table(&root()).expect("the project can be read")
}

#[test]
fn every_rule_is_defined_once_implemented_and_tested() {
    let rules = rules();
    assert!(rules.len() > 170, "only {} rules", rules.len());
    let told = defects(&rules);
    assert!(told.is_empty(), "{} defects:\n{}", told.len(), told.join("\n"));
}

#[test]
fn the_table_is_up_to_date() {
    let path = root().join("spec/COVERAGE.md");
    let (old, new) = (std::fs::read_to_string(&path).unwrap_or_default(), to_markdown(&rules()));
    if old == new {
        return;
    }
    let changed = |a: &str, b: &str| {
        let known: BTreeSet<&str> = b.lines().collect();
        a.lines().filter(|l| !known.contains(l)).map(|l| format!("{l}\n")).collect::<String>()
    };
    let shown = format!("without:\n{}with:\n{}", changed(&old, &new), changed(&new, &old));
    if std::env::var("INSTA_UPDATE").is_ok_and(|v| v == "always") {
        std::fs::write(&path, new).expect("the table can be written");
        println!("spec/COVERAGE.md is written anew, {shown}");
        return;
    }
    panic!(
        "spec/COVERAGE.md is out of date, {shown}update it: INSTA_UPDATE=always cargo test -p rewright-testsuite \
         --test spec coverage::"
    );
}

/// Ids that no file is refused for, and why. Each has a test of its own.
const ELSEWHERE: &[(&str, &str)] = &[
    ("backend.control", "the type checker refuses what is not affine"),
    ("backend.extern", "the externs of files have C; those of Python's programs are tested there"),
    ("backend.name", "a warning: the program is accepted"),
    ("backend.real", "only the library's users can leave R without a C type"),
    ("backend.window", "the type checker refuses wrong ranks"),
    ("name.implicit-size", "a warning: the program is accepted"),
    ("name.rebound", "the parser gives every binding a symbol of its own"),
    ("syntax.skipped", "a warning: the program is accepted"),
    ("type.fragment", "fragments are no files"),
];

/// Every id of a diagnostic in the code is met by a program of `corpus/bad`, and the other way round.
#[test]
fn every_diagnostic_is_met_in_the_corpus() {
    let folders = ["semantics", "backends"];
    let prefixes = ["syntax.", "name.", "type.", "instr.", "backend."];
    let mut known = diagnostics(&root(), &folders, &prefixes).expect("the project can be read");
    for (id, why) in ELSEWHERE {
        assert!(known.remove(*id), "no code reports {id} ({why})");
    }
    let met: BTreeSet<String> = rules()
        .into_iter()
        .filter(|(_, row)| row.tested.iter().any(|t| t.starts_with("testsuite/corpus/bad/")))
        .map(|(name, _)| name)
        .filter(|name| prefixes.iter().any(|p| name.starts_with(p)))
        .collect();
    let missing: Vec<&String> = known.difference(&met).collect();
    let unknown: Vec<&String> = met.difference(&known).collect();
    assert!(missing.is_empty(), "no program of corpus/bad expects {missing:?}: add one for each");
    assert!(unknown.is_empty(), "the corpus expects {unknown:?}, which no code reports");
}
