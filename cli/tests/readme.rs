//! The tour of README.md, step by step: its files are written, its commands are run, and what they print is
//! what it shows.
//!
//! - A block `python`, `halide` or `perceus` after a sentence with "Save this as `name.py`" is written to that file.
//! - In a block without a language, each line `$ command` is run by a shell, and the lines below it are what
//!   it prints; a line `…` stands for whatever follows. Of a `make` command nothing is shown or run.
//! - A block `console` is left to `python/tests/test_readme.py`.
//! - The lines of a block `c` follow each other in the C that was written.
//!
//! After a change that is meant: `INSTA_UPDATE=always cargo test -p rewright-cli --test readme`.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test that cannot go on says where")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One fenced block.
struct Block {
    tag: String,
    /// The lines in it, numbered from 0.
    lines: Vec<(usize, String)>,
    /// The text between the block before and this one.
    before: String,
}

fn readme() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")
}

fn blocks(text: &str) -> Vec<Block> {
    let (mut found, mut open, mut before) = (Vec::new(), None::<Block>, String::new());
    for (n, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(tag)) => {
                let before = std::mem::take(&mut before);
                open = Some(Block { tag: tag.to_owned(), lines: Vec::new(), before });
            }
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(block), None) => block.lines.push((n, line.to_owned())),
            (None, None) => before.push_str(&format!("{line}\n")),
        }
    }
    found
}

/// What a command prints, errors included.
fn output_of(command: &str, dir: &Path) -> Vec<String> {
    let bin = Path::new(env!("CARGO_BIN_EXE_rewright")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("{command} 2>&1")).current_dir(dir);
    let done = shell.env("PATH", format!("{}:{path}", bin.display())).output().unwrap();
    assert_ne!(done.status.code(), Some(101), "`{command}` panicked");
    String::from_utf8(done.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// One command, what the text shows below it, and the lines where that stands.
struct Step {
    command: String,
    shown: Vec<String>,
    at: std::ops::Range<usize>,
}

fn steps(block: &Block) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (n, line) in &block.lines {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => {
                steps.push(Step { command: command.to_owned(), shown: Vec::new(), at: n + 1..n + 1 });
            }
            (None, Some(step)) => {
                step.shown.push(line.clone());
                step.at.end = n + 1;
            }
            (None, None) => {}
        }
    }
    steps
}

/// What the text should show of what was printed: as many lines as now, where the rest is left out.
fn as_shown(step: &Step, printed: &[String]) -> Vec<String> {
    match step.shown.iter().position(|l| l == "…") {
        Some(k) => printed.iter().take(k).cloned().chain(["…".to_owned()]).collect(),
        None => printed.to_vec(),
    }
}

#[test]
fn the_tour_is_as_it_is_told() {
    let text = fs::read_to_string(readme()).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let (mut changes, mut count) = (Vec::new(), 0);
    for block in blocks(&text) {
        match block.tag.as_str() {
            "python" | "halide" | "perceus" => {
                let name = block.before.rsplit("Save this as `").next().and_then(|t| t.split('`').next());
                let lines = block.lines.iter().map(|(_, l)| format!("{l}\n"));
                fs::write(dir.path().join(name.unwrap()), lines.collect::<String>()).unwrap();
            }
            // Commands of the Python module: `python/tests/test_readme.py`.
            "console" => {}
            "c" => assert!(holds_c(dir.path(), &block), "no C as in {:?}", block.lines.first()),
            _ => {
                for step in steps(&block) {
                    let expected = as_shown(&step, &output_of(&step.command, dir.path()));
                    if expected != step.shown {
                        changes.push((step, expected));
                    }
                    count += 1;
                }
            }
        }
    }
    assert!(count >= 8, "only {count} commands");
    report(&text, changes);
}

fn holds_c(dir: &Path, block: &Block) -> bool {
    let shown: Vec<&str> = block.lines.iter().map(|(_, l)| l.as_str()).collect();
    let files = fs::read_dir(dir.join("out")).unwrap().map(|e| e.unwrap().path());
    files.filter(|p| p.extension().is_some_and(|e| e == "c")).any(|p| {
        let c = fs::read_to_string(p).unwrap();
        let lines: Vec<&str> = c.lines().collect();
        lines.windows(shown.len()).any(|w| w == shown)
    })
}

/// Fails with what differs, or corrects the text where that is asked for.
fn report(text: &str, changes: Vec<(Step, Vec<String>)>) {
    if changes.is_empty() {
        return;
    }
    let told: Vec<String> = changes
        .iter()
        .map(|(step, new)| {
            format!(
                "$ {}\nREADME.md shows:\n{}\nprinted:\n{}\n",
                step.command,
                step.shown.join("\n"),
                new.join("\n")
            )
        })
        .collect();
    if std::env::var("INSTA_UPDATE").is_ok_and(|v| v == "always") {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for (step, new) in changes.into_iter().rev() {
            lines.splice(step.at, new);
        }
        fs::write(readme(), lines.join("\n") + "\n").unwrap();
        println!("README.md is corrected:\n{}", told.join("\n"));
        return;
    }
    panic!("{}update it: INSTA_UPDATE=always cargo test -p rewright-cli --test readme", told.join("\n"));
}
