//! The chapters of the theory: every fenced block of a kind below is executed, and fails when the text is wrong.
//!
//! | block | what it holds |
//! | --- | --- |
//! | `ternary` | lines `formula is value`, for all values of its variables |
//! | `effect` | a program, `---`, and lines `quantity = what the analysis prints` |
//! | `obligation NAME proved` or `refuted` | a program with marks (or, for `formula`, hypotheses and a formula), and the verdict |
//! | `halide` | a pipeline, perhaps a schedule and a realization, `---`, and lines `quantity = what comes out` |

#![expect(clippy::print_stdout, reason = "tests report what they covered")]

mod blocks;
mod effect;
mod formula;
mod halide;
mod lines;
mod obligation;
mod program;
mod prose;
mod query;
mod sets;
mod ternary;

use blocks::{Block, blocks};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The chapters, and how many executed blocks each has at least.
const CHAPTERS: &[(&str, usize)] = &[
    ("ternary.md", 8),
    ("effects.md", 25),
    ("contexts.md", 8),
    ("conditions.md", 30),
    ("equivalence.md", 3),
    ("halide/algorithm.md", 6),
    ("halide/semantics.md", 8),
    ("halide/ir.md", 5),
    ("halide/bounds.md", 5),
    ("halide/directives.md", 10),
    ("halide/confluence.md", 8),
    ("halide/errata.md", 6),
    ("halide/typed.md", 6),
];

fn main() {
    let args = Arguments::from_args();
    let mut trials = Vec::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (chapter, least) in CHAPTERS {
        let (chapter, text) = (*chapter, read(chapter));
        let found = blocks(&text);
        trials.push(Trial::test(format!("{chapter}: errata and formulas"), move || {
            let told = prose::defects(&text);
            if told.is_empty() { Ok(()) } else { Err(told.join("\n").into()) }
        }));
        for block in &found {
            *counts.entry(block.kind.clone()).or_default() += 1;
        }
        let (count, least) = (found.len(), *least);
        trials.push(Trial::test(format!("{chapter}: has {least} executed blocks"), move || {
            if count >= least { Ok(()) } else { Err(format!("only {count}").into()) }
        }));
        trials.extend(found.into_iter().map(|block| {
            let name = format!("{chapter}:{}: {}", block.line, block.tag());
            Trial::test(name, move || run(&block).map_err(Failed::from))
        }));
    }
    let total: usize = counts.values().sum();
    trials.push(Trial::test("the chapters have at least 60 executed blocks", move || {
        if total >= 60 { Ok(()) } else { Err(format!("only {total}").into()) }
    }));
    let conclusion = libtest_mimic::run(&args, trials);
    println!("{total} executed blocks in {} chapters: {counts:?}", CHAPTERS.len());
    conclusion.exit();
}

/// A chapter's text; a chapter that is not there has no blocks.
fn read(chapter: &str) -> String {
    std::fs::read_to_string(folder().join(chapter)).unwrap_or_default()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec")
}

fn run(block: &Block) -> Result<(), String> {
    match block.kind.as_str() {
        "ternary" => ternary::run(block),
        "effect" => effect::run(block),
        "obligation" => obligation::run(block),
        "halide" => halide::run(block),
        other => Err(format!("no block is of kind `{other}`")),
    }
}
