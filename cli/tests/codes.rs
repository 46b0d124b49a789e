//! How commands end: for each command and each exit code in the table of `spec/command.md`, a run that ends so. Each is
//! run once more with `--json`, and what that prints is held against the schema. Spec: [rule: cli.codes],
//! [rule: cli.json].

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const KERNELS: &str = "@proc
def f(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        y[i] = x[i]

@proc
def g(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        y[i] = x[i] + 1.0

@proc
def h(n: size, x: f32[n]):
    pass
";

/// Out of bounds, which only `check` and the like prove.
const SHIFT: &str = "@proc
def f(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        y[i] = x[i + 1]
";

/// An instruction whose C does something else.
const LIES: &str = "@instr('{y_data} = {x_data} + 1;')
def put(x: [f32][1], y: [f32][1]):
    y[0] = x[0]

@proc
def f(x: f32[4], y: f32[4]):
    put(x[0:1], y[2:3])
";

const SPLIT: &str = "@proc
def f(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 0.0

p = divide_loop(f, 'i', 4, ['io', 'ii'], tail='TAIL')
";

const PIPELINE: &str = "pipeline f():
  fun g(x) = x * x;
  fun f(x) = g[x] + g[x + 1];
schedule:
  compute-at(g, <f, x>);
realize((0, 3))
";

/// The baseline engine knows no bounds of a func's values.
const UNBOUNDED: &str =
    "pipeline f(): fun g(x) = x; fun k(x) = {x; (x) <- k[x] * k[x]}; fun f(x) = g[k[x]]; realize((0, 3))";

/// A command line and the exit code that it must end with. Words are separated by blanks; `=` stands for a blank in a
/// word.
const RUNS: &[(&str, u8)] = &[
    ("check kernels.py", 0),
    ("check kernels.py --explain --print", 0),
    ("check shift.py", 1),
    ("check shift.py --explain", 1),
    ("check none.py kernels.py", 0),
    ("check none.py --strict", 1),
    ("check kernels.py --strict", 0),
    ("check missing.py", 1),
    ("check kernels.py - -", 1),
    ("run kernels.py f n=2", 0),
    ("run kernels.py f n=2 --domain symbolic", 0),
    ("run shift.py f n=1", 1),
    ("run kernels.py f n=0", 1),
    ("run kernels.py f m=2", 1),
    ("run kernels.py none", 1),
    ("run kernels.py f n=5 --steps 3", 4),
    ("run split.py n=3", 0),
    ("run split.py p@1 n=3", 0),
    ("run split.py p@2 n=3", 1),
    ("run perfect.py", 2),
    ("run none.py f", 4),
    ("run big.py f", 4),
    ("equiv kernels.py f f", 0),
    ("equiv kernels.py f none", 1),
    ("equiv kernels.py f h", 1),
    ("equiv kernels.py f f --modulo Cfg.a", 1),
    ("equiv kernels.py f g", 3),
    ("equiv split.py", 0),
    ("equiv split.py f p", 0),
    ("equiv perfect.py", 2),
    ("equiv kernels.py f f --steps 1", 4),
    ("equiv none.py f f", 4),
    ("compile kernels.py -o out", 0),
    ("compile kernels.py -o out --cc-check --cflags -O1", 0),
    ("compile shift.py -o out", 1),
    ("compile kernels.py -o kernels.py", 1),
    ("compile kernels.py -o out --cflags -O1", 1),
    ("compile split.py -o out --cc-check", 0),
    ("compile split.py -o out --proc f --proc p", 1),
    ("compile perfect.py -o out", 2),
    ("compile lies.py -o out --cc-check", 3),
    ("compile kernels.py -o out --cc-check --cflags -Wfrobnicate", 3),
    ("compile none.py -o out --cc-check", 4),
    ("compile unset.py -o out --cc-check", 4),
    ("PATH=/ compile kernels.py -o out --cc-check", 4),
    ("script split.py", 0),
    ("script split.py --emit c", 0),
    ("script split.py --emit derivation -o out", 0),
    ("script split.py --emit c -o out --cc-check", 0),
    ("script lying.py --cc-check", 3),
    ("PATH=/ script split.py --cc-check", 4),
    ("script nonsense.py", 1),
    ("script perfect.py", 2),
    ("equiv perfect.py --refused", 3),
    ("equiv split.py --refused", 1),
    ("equiv nonsense.py --refused", 1),
    ("equiv kernels.py --refused", 1),
    ("equiv formless.py --refused", 4),
    ("audit good.json", 0),
    ("audit good.json --solver /no/such/solver", 1),
    ("audit good.json --solver /bin/false", 1),
    ("audit missing.json", 1),
    ("audit kernels.py", 1),
    ("audit bad.json", 3),
    ("audit empty.json", 3),
    ("ledger good.json -o out", 0),
    ("ledger split.py -o page.html --times", 0),
    ("ledger perfect.py -o out", 2),
    ("ledger bad.json -o out", 1),
    ("ledger empty.json -o out", 1),
    ("ledger missing.json -o out", 1),
    ("ledger nonsense.py -o out", 1),
    ("ledger good.json -o kernels.py", 1),
    ("primitives", 0),
    ("primitives fission", 0),
    ("primitives fishing", 1),
    ("machines", 0),
    ("machines gemmini", 0),
    ("machines amx", 0),
    ("machines accelerator", 0),
    ("machines abacus", 1),
    ("fuzz --cases 20", 0),
    ("fuzz --primitive fishing", 1),
    ("fuzz --cases 0", 4),
    ("PATH=/ fuzz --cases 20 --c 2", 4),
    ("halide check case.json --no-c", 0),
    ("halide check case.json --no-c --explain", 0),
    ("halide check kernels.py", 1),
    ("halide check wrong.json --no-c", 3),
    ("halide eval f.halide", 0),
    ("halide eval case.json", 0),
    ("halide eval wrong.halide", 1),
    ("halide eval refused.halide", 2),
    ("halide eval huge.halide", 4),
    ("halide eval unbounded.halide --engine baseline", 4),
    ("halide lower f.halide", 0),
    ("halide lower wrong.halide", 1),
    ("halide schedule f.halide", 0),
    ("halide schedule wrong.halide", 1),
    ("halide schedule refused.halide", 2),
    ("halide bounds f.halide", 0),
    ("halide bounds f.halide --c", 0),
    ("halide bounds f.halide --no-verify", 0),
    ("halide bounds f.halide --timeout 30", 0),
    ("halide bounds f.halide --timeout 0", 4),
    ("halide bounds wrong.halide", 1),
    ("halide bounds refused.halide", 2),
    ("halide bounds unbounded.halide --engine baseline", 4),
    ("halide explain f.halide", 0),
    ("halide explain f.halide --no-verify", 0),
    ("halide explain f.halide --timeout 0", 4),
    ("halide explain wrong.halide", 1),
    ("halide explain refused.halide", 2),
    ("halide explain unbounded.halide", 4),
    ("halide diff nothing.halide", 1),
    ("halide diff f.halide --python no-such-interpreter", 4),
    ("perceus check map.kk", 0),
    ("perceus check stuck.kk wrong.kk", 1),
    ("perceus run map.kk", 0),
    ("perceus run map.kk --reuse", 0),
    ("perceus run wrong.kk", 1),
    ("perceus run stuck.kk", 1),
    ("perceus run map.kk --steps 5", 4),
    ("perceus translate map.kk", 0),
    ("perceus translate wrong.kk", 1),
    ("perceus optimise map.kk", 0),
    ("perceus optimise map.kk --stages --without fuse,plain", 0),
    ("perceus optimise map.kk --borrow", 0),
    ("perceus optimise map.kk --only reuse --fun nobody", 1),
    ("perceus optimise map.kk --only frobnicate", 1),
    ("perceus optimise wrong.kk", 1),
    ("perceus optimise stuck.kk", 1),
    ("perceus optimise map.kk --steps 5", 4),
    ("perceus compile map.kk -o out", 0),
    ("perceus compile wrong.kk -o out", 1),
    ("perceus compile map.kk -o kernels.py", 1),
    ("perceus explain map.kk --heap", 0),
    ("perceus explain map.kk --declarative", 0),
    ("perceus explain wrong.kk", 1),
    ("perceus fuzz --programs 50", 0),
    ("perceus fuzz --programs 50 --optimise", 0),
    ("perceus case k.json", 0),
    ("perceus case k.json none.py", 1),
    ("perceus case k.json other.json", 3),
    ("completions bash", 0),
    ("completions cmd.exe", 1),
    ("man", 0),
    ("man -o out", 0),
    ("man -o kernels.py", 1),
    ("frobnicate", 1),
    ("run", 1),
];

/// Rows of the table for which no input is known: what would end so is a bug that is not there.
const UNREACHED: &[(&str, u8)] = &[
    ("fuzz", 3),
    ("perceus run", 3),
    ("perceus optimise", 3),
    ("perceus fuzz", 3),
    ("halide eval", 3),
    ("halide bounds", 3),
    ("halide explain", 3),
    // Halide is asked through the Python module: `python/tests/test_halide.py`.
    ("halide diff", 0),
    ("halide diff", 3),
];

fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
    write("kernels.py", KERNELS);
    write("shift.py", SHIFT);
    write("lies.py", LIES);
    write("lying.py", &format!("{LIES}p = rename(f, 'g')\n"));
    write("none.py", "@proc\ndef f(n: size, x: f32):\n    assert n < 1\n    x = 0.0\n");
    write("unset.py", "@proc\ndef f(y: f32):\n    t: f32[4]\n    t[0] = 1.0\n    y = t[3]\n");
    write("big.py", "@proc\ndef f(y: f32):\n    x: f32[4000000000]\n    x[0] = 1.0\n    y = x[0]\n");
    write("split.py", &SPLIT.replace("TAIL", "guard"));
    write("perfect.py", &SPLIT.replace("TAIL", "perfect"));
    write("formless.py", &format!("{KERNELS}p = remove_loop(f, 'i')\n"));
    write("nonsense.py", &format!("{KERNELS}p = frobnicate(f)\n"));
    write("f.halide", PIPELINE);
    write("wrong.halide", "pipeline f(): fun f(x) = y; realize((0, 3))");
    write("refused.halide", &PIPELINE.replace("<f, x>", "<g, x>"));
    write("huge.halide", &PIPELINE.replace("(0, 3)", "(0, 2000000000)"));
    write("unbounded.halide", UNBOUNDED);
    let case =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../testsuite/corpus/halide/valid/blur_w3_tiled.json");
    let case = fs::read_to_string(case).unwrap();
    write("case.json", &case);
    let (head, tail) = case.split_once("\"values\": [").unwrap();
    write("wrong.json", &format!("{head}\"values\": [77777,{}", tail.split_once(',').unwrap().1));
    let k = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testsuite/corpus/perceus/cases/k_applied.json");
    let k = fs::read_to_string(k).unwrap();
    write("k.json", &k);
    let map = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testsuite/corpus/perceus/programs/map.kk");
    write("map.kk", &fs::read_to_string(map).unwrap());
    write("wrong.kk", "fun main() { y }\n");
    write("stuck.kk", "fun main() { 1 / 0 }\n");
    write("other.json", &k.replace("\"allocs\": 6", "\"allocs\": 7"));
    let made = run(dir.path(), "script split.py --emit derivation", &[]);
    let derivation = String::from_utf8(made.stdout).unwrap();
    write("good.json", &derivation);
    write("bad.json", &derivation.replace("guard", "cut"));
    let made = run(dir.path(), "script kernels.py --emit derivation", &[]);
    write("empty.json", &String::from_utf8(made.stdout).unwrap());
    dir
}

fn run(dir: &Path, line: &str, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rewright"));
    command.current_dir(dir);
    for word in line.split(' ') {
        if let Some(path) = word.strip_prefix("PATH=") {
            command.env("PATH", path).env_remove("CC");
        } else {
            command.arg(word);
        }
    }
    command.args(more).output().unwrap()
}

/// The command of a line: one word, or two after `halide` and `perceus`.
fn command_of(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').filter(|w| !w.contains('=')).collect();
    let count = if matches!(words.first(), Some(&"halide" | &"perceus")) { 2 } else { 1 };
    words.iter().take(count).copied().collect::<Vec<_>>().join(" ")
}

fn specification(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec").join(name)
}

/// The rows of the table of commands.
fn promised() -> BTreeSet<(String, u8)> {
    let text = fs::read_to_string(specification("command.md")).unwrap();
    let row = |line: &str| {
        let mut cells = line.strip_prefix("| `")?.split(" | ");
        Some((cells.next()?.trim_end_matches('`').to_owned(), cells.next()?.parse().ok()?))
    };
    text.lines().filter_map(row).collect()
}

fn word(code: u8) -> &'static str {
    match code {
        0 => "fine",
        1 => "wrong-input",
        2 => "refused",
        3 => "difference",
        _ => "no-answer",
    }
}

/// What `--json` prints, as the specification has it.
struct Schema {
    schemas: boon::Schemas,
    index: boon::SchemaIndex,
}

impl Schema {
    fn read() -> Schema {
        let text = fs::read_to_string(specification("rewright.schema.json")).unwrap();
        let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
        compiler.add_resource("rewright.schema.json", serde_json::from_str(&text).unwrap()).unwrap();
        let index = compiler.compile("rewright.schema.json", &mut schemas).unwrap();
        Schema { schemas, index }
    }

    /// Where an object is not of the schema, and why.
    fn errors(&self, object: &Value) -> Option<String> {
        self.schemas.validate(object, self.index).err().map(|e| format!("{e:#}"))
    }
}

#[test]
fn every_command_ends_as_it_says() {
    let dir = folder();
    let schema = Schema::read();
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    for (line, code) in RUNS {
        let plain = run(dir.path(), line, &[]);
        let told = String::from_utf8_lossy(&plain.stderr);
        if plain.status.code() != Some(i32::from(*code)) || told.contains("error") != (*code != 0) {
            wrong.push(format!("{line} ends with {:?}, not {code}: {told}", plain.status.code()));
        }
        let json = run(dir.path(), line, &["--json"]);
        let text = String::from_utf8(json.stdout).unwrap();
        if json.status.code() != Some(i32::from(*code)) || !json.stderr.is_empty() {
            wrong.push(format!("{line} --json: {:?} {}", json.status, String::from_utf8_lossy(&json.stderr)));
        }
        let object: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{line}: {e}\n{text}"));
        wrong.extend(schema.errors(&object).map(|e| format!("{line} --json: {e}\n{text}")));
        if object["outcome"] != word(*code)
            || object["command"].as_str().is_some_and(|n| n != command_of(line))
        {
            wrong.push(format!("{line} --json: {text}"));
        }
        seen.insert((command_of(line), *code));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    let promised = promised();
    let unreached = UNREACHED.iter().map(|(c, n)| ((*c).to_owned(), *n));
    for row in promised.iter().filter(|row| !unreached.clone().any(|u| u == **row)) {
        assert!(seen.contains(row), "no run shows how {row:?} comes about");
    }
    for row in seen.iter().filter(|(c, _)| c != "frobnicate") {
        assert!(promised.contains(row), "spec/command.md does not list {row:?}");
    }
    println!("{} runs, {} of {} rows of the table", RUNS.len(), seen.len(), promised.len());
    assert!(promised.len() > 40);
}

/// Whether a schema says no: a field that is not there must not pass.
#[test]
fn the_schema_is_closed() {
    let dir = folder();
    let schema = Schema::read();
    let text = run(dir.path(), "check shift.py", &["--json"]).stdout;
    let good: Value = serde_json::from_slice(&text).unwrap();
    assert!(schema.errors(&good).is_none());
    let spoilt: [&dyn Fn(&mut Value); 6] = [
        &|v| v["more"] = 1.into(),
        &|v| v["exit_code"] = 0.into(),
        &|v| v["diagnostics"] = Vec::<Value>::new().into(),
        &|v| v["diagnostics"][0]["place"]["line"] = 0.into(),
        &|v| v["result"]["files"][0]["more"] = 1.into(),
        &|v| v["command"] = "run".into(),
    ];
    for (k, spoil) in spoilt.iter().enumerate() {
        let mut bad = good.clone();
        spoil(&mut bad);
        assert!(schema.errors(&bad).is_some(), "change {k} passes");
    }
}

/// The help lists the codes that the specification lists.
#[test]
fn the_help_and_the_readme_tell_the_codes() {
    let help = String::from_utf8(run(Path::new("."), "--help", &[]).stdout).unwrap();
    let readme = fs::read_to_string(specification("../README.md")).unwrap();
    for code in ["0", "1", "2", "3", "4", "101"] {
        assert!(
            help.lines().any(|l| l.trim_start().starts_with(&format!("{code}  "))),
            "--help lacks {code}"
        );
        assert!(readme.contains(&format!("| {code} | ")), "README.md lacks {code}");
    }
}

/// Standard output that takes nothing is told; a reader that goes away is no error.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_told() {
    let dir = folder();
    for line in ["script split.py > /dev/full", "script split.py --json > /dev/full"] {
        let shell = format!("{} {line}", env!("CARGO_BIN_EXE_rewright"));
        let done = Command::new("sh").args(["-c", &shell]).current_dir(dir.path()).output().unwrap();
        assert_eq!(done.status.code(), Some(1), "{line}");
        assert!(
            String::from_utf8_lossy(&done.stderr).contains("standard output cannot be written"),
            "{line}"
        );
    }
    let shell = format!("{} primitives | true", env!("CARGO_BIN_EXE_rewright"));
    let done = Command::new("sh").args(["-c", &shell]).current_dir(dir.path()).output().unwrap();
    assert!(done.stderr.is_empty(), "{}", String::from_utf8_lossy(&done.stderr));
}
