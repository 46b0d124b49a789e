//! What the tests share.

#![allow(dead_code, reason = "each test takes what it needs")]

use rewright_base::span::SourceMap;
use rewright_perceus::surface::load;
use rewright_perceus::syntax::Program;
use std::fs;
use std::path::{Path, PathBuf};

/// The files of a folder of the corpus, in order.
pub(crate) fn paths(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testsuite/corpus/perceus").join(folder);
    let mut all: Vec<PathBuf> =
        fs::read_dir(folder).expect("the corpus").flatten().map(|e| e.path()).collect();
    all.sort();
    all
}

/// Their names and texts.
pub(crate) fn files(folder: &str) -> Vec<(String, String)> {
    let name = |p: &Path| p.file_stem().expect("a name").to_string_lossy().into_owned();
    paths(folder).into_iter().map(|p| (name(&p), fs::read_to_string(&p).expect("a text"))).collect()
}

/// The text of a program of the corpus.
pub(crate) fn text_of(name: &str) -> String {
    let found = files("programs").into_iter().find(|(n, _)| n == name);
    found.unwrap_or_else(|| panic!("{name}")).1
}

/// The program of a text, or what is wrong, and where.
pub(crate) fn checked(text: &str) -> Result<Program, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("a.kk", text);
    load(file, &sources).map_err(|found| {
        let told = found.iter().map(|d| {
            let (line, column) = sources.line_col(d.primary.span).unwrap_or((0, 0));
            format!("{} {line}:{column} {}", d.rule, d.message)
        });
        told.collect::<Vec<_>>().join("\n")
    })
}

/// The program of a text.
pub(crate) fn program(text: &str) -> Program {
    checked(text).unwrap_or_else(|why| panic!("{why}\n{text}"))
}

/// How many cells a program leaves on cycles, as it says itself.
pub(crate) fn leaves(text: &str) -> usize {
    let line = text.lines().find_map(|l| l.strip_prefix("// leaves: "));
    line.map_or(0, |n| n.parse().expect("a number"))
}

/// A number that the environment may give.
pub(crate) fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// Nothing was found to be wrong; else the shortest of it is told.
pub(crate) fn assert_none(mut wrong: Vec<String>) {
    wrong.sort_by_key(String::len);
    assert!(wrong.is_empty(), "{} are wrong, the shortest:\n{}", wrong.len(), wrong[0]);
}
