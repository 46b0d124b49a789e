//! What `spec/blas.md` says of how much there is.

use super::{SCHEDULED, kernels};
use rewright_library::blas::{Precision, programs};
use rewright_library::definitions::steps_of;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Parts of the library, and the files that they are in.
const PARTS: [(&str, &[&str]); 7] = [
    ("inspection", &["inspect.rs", "inspect"]),
    ("operations, targets", &["ops.rs", "ops", "vectorize.rs", "target.rs", "target", "refusal.rs"]),
    ("BLAS", &["blas.rs", "blas/variant.rs"]),
    ("level 1", &["blas/level1.rs", "blas/level1"]),
    ("level 2", &["blas/level2.rs", "blas/level2"]),
    ("level 3", &["blas/level3.rs", "blas/level3"]),
    ("product, triangles", &["gemm.rs", "gemm"]),
];

/// Lines of code in a file or a folder.
fn lines(at: &Path) -> usize {
    if at.is_dir() {
        return fs::read_dir(at).expect("a folder").map(|e| lines(&e.expect("a file").path())).sum();
    }
    let text = fs::read_to_string(at).unwrap_or_else(|e| panic!("{}: {e}", at.display()));
    text.lines().map(str::trim_start).filter(|l| !l.is_empty() && !l.starts_with("//")).count()
}

/// What a kernel is called without its precision and variant.
fn routine(name: &str) -> String {
    name[1..].split('_').next().unwrap_or_default().to_owned()
}

/// The table of `spec/blas.md`, as in ASPLOS'25 Fig. 9: lines of each part, and primitive rewrites of each routine.
#[test]
fn lines_and_rewrites_are_as_the_page_says() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../library/src");
    let mut table = String::from("| part | lines |\n| --- | --- |\n");
    for (part, files) in PARTS {
        let all: usize = files.iter().map(|f| lines(&sources.join(f))).sum();
        // To ten lines: a page that changes with every edit is one that nobody reads.
        table += &format!("| {part} | {} |\n", all.next_multiple_of(10));
    }
    let mut shown: BTreeMap<String, usize> = BTreeMap::new();
    for p in programs(Precision::F32) {
        shown.entry(routine(&p.proc_name(Precision::F32))).or_insert(p.text.lines().count());
    }
    table += &format!("| programs, one variant of each routine | {} |\n", shown.values().sum::<usize>());
    let mut rewrites: BTreeMap<String, usize> = BTreeMap::new();
    for (precision, processor) in SCHEDULED {
        for k in kernels(precision, processor) {
            *rewrites.entry(routine(k.plain.name().as_str())).or_default() += steps_of([&k.fast]).len();
        }
    }
    let each: Vec<String> = rewrites.iter().map(|(name, n)| format!("`{name}` {n}")).collect();
    let page = fs::read_to_string(sources.join("../../spec/blas.md")).expect("the page");
    println!("{table}\n{}", each.join(", "));
    assert!(page.contains(&table), "spec/blas.md does not have this table:\n{table}");
    assert!(
        page.contains(&each.join(", ")),
        "spec/blas.md does not have these numbers:\n{}",
        each.join(", ")
    );
}
