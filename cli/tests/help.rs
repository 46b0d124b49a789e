//! The examples of `--help` work, on the kernels of the corpus that they are named after.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use std::fs;
use std::path::Path;
use std::process::Command;

fn rewright() -> Command {
    Command::new(env!("CARGO_BIN_EXE_rewright"))
}

/// The examples in the help of a command, without what is said about them.
fn examples(command: &str) -> Vec<String> {
    let done = rewright().args([command, "--help"]).output().unwrap();
    assert!(done.status.success());
    let help = String::from_utf8(done.stdout).unwrap();
    let lines = help.lines().filter_map(|l| l.strip_prefix("  rewright "));
    lines.filter_map(|l| l.split("    ").next()).map(|l| format!("rewright {}", l.trim())).collect()
}

#[test]
fn examples_of_the_help_work() {
    let dir = tempfile::tempdir().unwrap();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testsuite/corpus");
    for entry in ["ok", "schedules"].iter().flat_map(|folder| fs::read_dir(corpus.join(folder)).unwrap()) {
        let path = entry.unwrap().path();
        if path.is_file() {
            fs::copy(&path, dir.path().join(path.file_name().unwrap())).unwrap();
        }
    }
    let bin = Path::new(env!("CARGO_BIN_EXE_rewright")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let mut count = 0;
    for command in
        ["check", "run", "equiv", "compile", "primitives", "machines", "fuzz", "completions", "man"]
    {
        for example in examples(command) {
            let mut shell = Command::new("sh");
            let done =
                shell.arg("-c").arg(&example).current_dir(dir.path()).env("PATH", &path).output().unwrap();
            assert!(done.status.success(), "`{example}`: {}", String::from_utf8_lossy(&done.stderr));
            count += 1;
        }
    }
    assert!(count >= 14, "only {count} examples");
}
