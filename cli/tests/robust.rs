//! Whatever a command is given, it answers: exit code 1 and a message where the input is wrong, never a panic.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The commands that read a file, with what else they need.
fn commands(file: &Path, out: &Path) -> Vec<Vec<String>> {
    let (file, out) = (file.display().to_string(), out.display().to_string());
    let words = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect();
    vec![
        words(&["check", &file]),
        words(&["run", &file, "f"]),
        words(&["equiv", &file, "f", "f", "--trials", "3"]),
        words(&["compile", &file, "-o", &out]),
    ]
}

fn rewright(args: &[String]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rewright")).args(args).output().unwrap()
}

/// Runs all commands on a file.
fn answers(file: &Path) -> Vec<(Vec<String>, Output)> {
    let out = tempfile::tempdir().unwrap();
    commands(file, out.path())
        .into_iter()
        .map(|args| {
            let done = rewright(&args);
            (args, done)
        })
        .collect()
}

#[track_caller]
fn assert_refused(file: &Path) {
    for (args, done) in answers(file) {
        let told = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(1), "{args:?}: {told}");
        assert!(told.contains("error"), "{args:?} says nothing: {told}");
        assert!(told.len() < 1 << 20, "{args:?} says too much");
    }
}

#[track_caller]
fn assert_accepted(file: &Path) {
    for (args, done) in answers(file) {
        assert_eq!(done.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
    }
}

fn written(dir: &Path, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = dir.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// A procedure called `f`.
const GOOD: &str = "@proc\ndef f(n: size, x: f32[n]):\n    for i in seq(0, n):\n        x[i] = 0.0\n";

#[test]
fn files_that_are_none() {
    let dir = tempfile::tempdir().unwrap();
    assert_refused(dir.path());
    assert_refused(&dir.path().join("missing.py"));
    assert_refused(&dir.path().join("missing\u{1f980}/f.py"));
    assert_refused(&written(dir.path(), "latin1.py", b"@proc\ndef f():\n    pass  # caf\xe9\n"));
    assert_refused(&written(dir.path(), "half.py", &GOOD.as_bytes()[..GOOD.len() / 2]));
    assert_refused(&written(dir.path(), "zero.py", vec![0; 1000]));
}

#[test]
fn an_empty_file_defines_nothing() {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [("empty.py", ""), ("blank.py", "\n\n"), ("comment.py", "# nothing\n")] {
        let codes: Vec<_> =
            answers(&written(dir.path(), name, text)).iter().map(|(_, d)| d.status.code().unwrap()).collect();
        assert_eq!(codes, [0, 1, 1, 0], "{name}");
    }
}

#[test]
fn texts_in_other_forms_are_the_same_programs() {
    let dir = tempfile::tempdir().unwrap();
    assert_accepted(&written(dir.path(), "good.py", GOOD));
    assert_accepted(&written(dir.path(), "crlf.py", GOOD.replace('\n', "\r\n")));
    assert_accepted(&written(dir.path(), "tabs.py", GOOD.replace("    ", "\t")));
    assert_accepted(&written(dir.path(), "bom.py", format!("\u{feff}{GOOD}")));
    assert_accepted(&written(dir.path(), "no-end.py", GOOD.trim_end()));
}

#[test]
fn deep_and_random_texts() {
    let dir = tempfile::tempdir().unwrap();
    let assign = |e: String| format!("@proc\ndef f(x: f32):\n    x = {e}\n");
    assert_refused(&written(dir.path(), "brackets.py", assign("(".repeat(100_000))));
    assert_refused(&written(dir.path(), "sum.py", assign(vec!["x"; 100_000].join(" + "))));
    assert_refused(&written(dir.path(), "minus.py", assign("-".repeat(100_000) + "x")));
    let loops: String = (0..2_000).map(|k| format!("{}for i in seq(0, 1):\n", " ".repeat(k + 1))).collect();
    assert_refused(&written(
        dir.path(),
        "loops.py",
        format!("@proc\ndef f():\n{loops}{}pass\n", " ".repeat(2_001)),
    ));
    // xorshift: any bytes will do.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let bytes: Vec<u8> = (0..1 << 17)
        .flat_map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_le_bytes()
        })
        .collect();
    assert_refused(&written(dir.path(), "random.py", &bytes));
    let ascii: Vec<u8> = bytes.iter().map(|b| b % 96 + 32).collect();
    assert_refused(&written(dir.path(), "ascii.py", &ascii));
}

#[test]
fn python_of_other_people() {
    let dir = tempfile::tempdir().unwrap();
    let text = "import os\n\nclass Stack:\n    def __init__(self):\n        self.items = []\n\n    def push(self, x):\n        \
                self.items.append(x)\n\nif __name__ == '__main__':\n    s = Stack()\n    print([s.push(i) for i in range(3)])\n";
    assert_refused(&written(dir.path(), "stack.py", text));
}

/// Each program of `corpus/bad` is refused by `check`, or by `compile` where it is the back end that does.
#[test]
fn bad_programs_end_with_code_1() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testsuite/corpus/bad");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 300);
    let out = tempfile::tempdir().unwrap();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let (path, out) = (file.display().to_string(), out.path().display().to_string());
        let args = match text.starts_with("# command: compile") {
            true => vec!["compile".to_owned(), path, "-o".to_owned(), out],
            false => vec!["check".to_owned(), path],
        };
        let done = rewright(&args);
        let told = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(1), "{args:?}: {told}");
        let rule = text.lines().find_map(|l| l.strip_prefix("# expect: ")?.split(' ').next()).unwrap();
        // What the back end would say of a race, the front end says before it.
        let raced = rule == "backend.parallel" && told.contains("error[par.race]");
        assert!(raced || told.contains(&format!("error[{rule}]")), "{args:?}: {told}");
    }
}
