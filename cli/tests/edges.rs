//! The command at its edges: names of files and memories, flags, colours, standard input, completions, manual pages,
//! counts that are asked for. Spec: [rule: cli.stdin], [rule: cli.color], [rule: cli.pages], [rule: c.flags],
//! [rule: c.unit-names], [rule: scripts.memories].

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn rewright(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rewright"));
    command.current_dir(dir).args(args);
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[track_caller]
fn fine(mut command: Command) -> String {
    let done = command.output().unwrap();
    assert!(done.status.success(), "{}{}", text(&done.stdout), text(&done.stderr));
    text(&done.stdout)
}

const SET: &str = "@config
class Cfg:
    on: f32

@proc
def f(x: f32):
    Cfg.on = x
";

#[test]
fn headers_of_names_that_look_alike_go_together() {
    let dir = tempfile::tempdir().unwrap();
    let names = ["a-b", "a_b", "A_B", "a b", "a.b", "_a_b", "ä_b", "a_2db"];
    let mut all = String::new();
    for (k, name) in names.iter().enumerate() {
        fs::write(dir.path().join(format!("{name}.py")), SET.replace("def f", &format!("def f{k}"))).unwrap();
        fine(rewright(dir.path(), &["compile", &format!("{name}.py"), "-o", "."]));
        all.push_str(&format!("#include \"{name}.h\"\n"));
    }
    for k in 0..names.len() {
        all.push_str(&format!("void (*use{k})() = (void (*)())f{k};\n"));
    }
    fs::write(dir.path().join("all.c"), all).unwrap();
    let mut cc = Command::new("cc");
    cc.args(["-std=c11", "-Wall", "-Werror", "-fsyntax-only", "all.c"]).current_dir(dir.path());
    fine(cc);
}

/// A memory and an instruction whose C needs to be told something.
const FLAGS: &str = "class Lanes(Memory):
    @classmethod
    def cflags(cls):
        return \"-DLANES=4 -DWIDE\"

    @classmethod
    def global_(cls):
        return \"#if LANES != 4 || !defined(WIDE)\\n#error lanes\\n#endif\"

    @classmethod
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f\"{prim_type} {new_name}[{shape[0]}];\"

    @classmethod
    def can_read(cls):
        return True

    @classmethod
    def write(cls, s, lhs, rhs):
        return f\"{lhs} = {rhs};\"

@instr('{y_data} = {x_data} * UNIT;', cflags='-DUNIT=1')
def put(x: [f32][1], y: [f32][1]):
    y[0] = x[0]

@proc
def f(x: f32[4], y: f32[4]):
    t: f32[4] @ Lanes
    for i in seq(0, 4):
        t[i] = x[i]
        y[i] = t[i]
    put(x[0:1], y[2:3])
";

#[test]
fn flags_are_declared_named_and_passed() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("flags.py"), FLAGS).unwrap();
    let told = fine(rewright(dir.path(), &["compile", "flags.py", "-o", "out", "--cc-check"]));
    assert!(told.contains("compile it with -DLANES=4 -DUNIT=1 -DWIDE"), "{told}");
    assert!(told.contains("f agrees with the interpreter"), "{told}");
    // The printed definitions declare it, too.
    let printed = fine(rewright(dir.path(), &["check", "flags.py", "--print"]));
    assert!(printed.contains("cflags=\"-DUNIT=1\""), "{printed}");
    // Without the declaration the C says what it misses, unless the flag is given.
    fs::write(dir.path().join("bare.py"), FLAGS.replace(", cflags='-DUNIT=1'", "")).unwrap();
    let without = rewright(dir.path(), &["compile", "bare.py", "-o", "out", "--cc-check"]).output().unwrap();
    assert_eq!(without.status.code(), Some(3));
    assert!(text(&without.stderr).contains("UNIT"), "{}", text(&without.stderr));
    fine(rewright(dir.path(), &["compile", "bare.py", "-o", "out", "--cc-check", "--cflags", "-DUNIT=1"]));
    fine(rewright(dir.path(), &["compile", "bare.py", "-o", "out", "--cc-check", "--cflags=-DX -DUNIT=1"]));
    // Instructions that no machine has are not run.
    fs::write(dir.path().join("odd.py"), FLAGS.replace("-DUNIT=1", "-mfrobnicate")).unwrap();
    let odd = rewright(dir.path(), &["compile", "odd.py", "-o", "out", "--cc-check"]).output().unwrap();
    assert_eq!(odd.status.code(), Some(4), "{}", text(&odd.stderr));
    let help = fine(rewright(dir.path(), &["compile", "--help"]));
    assert!(help.contains("runs code from the file"), "{help}");
}

#[test]
fn memories_that_there_are_not_are_refused_with_those_there_are() {
    let dir = tempfile::tempdir().unwrap();
    let programs = [
        ("check", "@proc\ndef f(x: f32[16] @ AVX513):\n    pass\n".to_owned()),
        ("check", "@proc\ndef f():\n    x: f32[16] @ AVX513\n".to_owned()),
        ("script", format!("{SET}p = set_memory(f, 'x', AVX513)\n")),
        ("script", format!("{SET}p = set_memory(f, 'x', 'AVX513')\n")),
        ("script", format!("{SET}p = f.set_memory('x', memory_type='AVX513')\n")),
    ];
    for (command, program) in programs {
        fs::write(dir.path().join("p.py"), &program).unwrap();
        let done = rewright(dir.path(), &[command, "p.py"]).output().unwrap();
        let told = text(&done.stderr);
        assert_eq!(done.status.code(), Some(1), "{program}{told}");
        assert!(told.contains("AVX513") && told.contains("AVX2, AVX512, DRAM"), "{program}{told}");
    }
    let own = "class Mine(Memory):\n    pass\n\n";
    fs::write(dir.path().join("p.py"), format!("{own}{SET}p = set_memory(f, 'x', Mine)\n")).unwrap();
    fine(rewright(dir.path(), &["script", "p.py"]));
}

fn coloured(dir: &Path, env: &[(&str, &str)]) -> bool {
    let mut command = rewright(dir, &["check", "wrong.py"]);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM", "CI"] {
        command.env_remove(name);
    }
    let done = command.envs(env.iter().copied()).output().unwrap();
    assert!(!text(&done.stdout).contains('\u{1b}'));
    text(&done.stderr).contains('\u{1b}')
}

#[test]
fn colours_are_as_the_environment_asks() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("wrong.py"), "@proc\ndef f(x: f32):\n    x = y\n").unwrap();
    // Standard error is no terminal here.
    for (env, expected) in [
        (&[][..], false),
        (&[("TERM", "xterm")], false),
        (&[("CLICOLOR_FORCE", "1")], true),
        (&[("CLICOLOR_FORCE", "0")], false),
        (&[("CLICOLOR_FORCE", "0"), ("TERM", "xterm")], false),
        (&[("CLICOLOR_FORCE", "1"), ("TERM", "dumb")], true),
        (&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
        (&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "")], true),
    ] {
        assert_eq!(coloured(dir.path(), env), expected, "{env:?}");
    }
    // A terminal, made by `script`, where there is one.
    let terminal = |env: &str| -> Option<bool> {
        let line = format!("{env} {} check wrong.py", env!("CARGO_BIN_EXE_rewright"));
        let mut script = Command::new("script");
        let done = script.args(["-qec", &line, "/dev/null"]).current_dir(dir.path()).stdin(Stdio::null());
        let shown = text(&done.env_remove("NO_COLOR").env_remove("CI").output().ok()?.stdout);
        assert!(shown.contains("name"), "{shown}");
        Some(shown.contains('\u{1b}'))
    };
    if let Some(colour) = terminal("TERM=xterm") {
        assert!(colour, "a terminal has colours");
        assert_eq!(terminal("TERM=dumb"), Some(false));
        assert_eq!(terminal("TERM=xterm NO_COLOR=1"), Some(false));
        println!("on a terminal, too");
    }
}

fn with_input(dir: &Path, args: &[&str], input: &str) -> Output {
    let mut command = rewright(dir, args);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn standard_input_is_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let program = "@proc\ndef f(n: size, x: f32[n]):\n    for i in seq(0, n):\n        x[i] = 0.0\n\np = rename(f, 'g')\n";
    let pipeline = "pipeline f(): fun f(x) = x; realize((0, 3))";
    let case =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../testsuite/corpus/halide/valid/blur_w3_tiled.json");
    let case = fs::read_to_string(case).unwrap();
    fs::write(dir.path().join("f.py"), program).unwrap();
    let derivation = fine(rewright(dir.path(), &["script", "f.py", "--emit", "derivation"]));
    let runs: [(&[&str], &str); 11] = [
        (&["check", "-"], program),
        (&["run", "-", "f", "n=2"], program),
        (&["equiv", "-", "f", "f", "--trials", "2"], program),
        (&["compile", "-", "-o", "out"], program),
        (&["script", "-"], program),
        (&["audit", "-"], &derivation),
        (&["halide", "lower", "-"], pipeline),
        (&["halide", "eval", "-"], &case),
        (&["halide", "schedule", "-"], pipeline),
        (&["halide", "bounds", "-"], pipeline),
        (&["halide", "check", "-", "--no-c"], &case),
    ];
    for (args, input) in runs {
        let done = with_input(dir.path(), args, input);
        assert!(done.status.success(), "{args:?}: {}", text(&done.stderr));
    }
    assert!(dir.path().join("out/stdin.c").is_file());
    let wrong = with_input(dir.path(), &["check", "-"], "@proc\ndef f(x: f32):\n    x = y\n");
    assert!(text(&wrong.stderr).contains("--> <stdin>:3:9"), "{}", text(&wrong.stderr));
    let twice = with_input(dir.path(), &["check", "-", "-"], program);
    assert_eq!(twice.status.code(), Some(1));
    assert!(text(&twice.stderr).contains("`-` is given twice"), "{}", text(&twice.stderr));
}

/// Both commands that read derivations say what is wrong with a file that is none.
#[test]
fn what_is_no_derivation_is_told() {
    let dir = tempfile::tempdir().unwrap();
    for (input, why) in [
        ("", "there is nothing in it"),
        ("null", "it is `null`, and a derivation is an object"),
        ("[]", "it is an array, and a derivation is an object"),
        ("\u{feff}{}", "it begins with a byte order mark (U+FEFF), which JSON does not have"),
    ] {
        for command in [&["audit", "-"][..], &["ledger", "-", "-o", "out"]] {
            let done = with_input(dir.path(), command, input);
            assert_eq!(done.status.code(), Some(1), "{command:?} of {input:?}");
            let said = text(&done.stderr);
            assert!(said.contains(&format!("<stdin> is not a derivation: {why}")), "{command:?}: {said}");
        }
    }
}

#[test]
fn shells_and_manuals_know_every_command() {
    let dir = tempfile::tempdir().unwrap();
    let commands = [
        "check",
        "run",
        "equiv",
        "compile",
        "script",
        "audit",
        "ledger",
        "primitives",
        "fuzz",
        "halide",
        "man",
    ];
    for shell in ["bash", "zsh", "fish"] {
        let script = fine(rewright(dir.path(), &["completions", shell]));
        for command in commands {
            assert!(script.contains(command), "{shell} does not complete {command}");
        }
        fs::write(dir.path().join(shell), script).unwrap();
    }
    let mut bash = Command::new("bash");
    bash.args(["-n", "bash"]).current_dir(dir.path());
    fine(bash);
    fine(rewright(dir.path(), &["man", "-o", "man1"]));
    for command in commands {
        let page = fs::read_to_string(dir.path().join(format!("man1/rewright-{command}.1"))).unwrap();
        assert!(page.contains(".SH SYNOPSIS"), "{page}");
    }
    assert!(dir.path().join("man1/rewright-halide-bounds.1").is_file());
    assert!(fine(rewright(dir.path(), &["man"])).contains("Exit codes"));
}

#[test]
fn about_as_many_cases_are_tried_as_are_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    for cases in [1_u64, 50, 300, 1_000] {
        let told = fine(rewright(dir.path(), &["fuzz", "--json", "--cases", &cases.to_string()]));
        let object: Value = serde_json::from_str(&told).unwrap();
        let tried = object["result"]["cases"].as_u64().unwrap();
        // The last program's cases are all tried.
        assert!((cases..cases + 12).contains(&tried), "{tried} of {cases}");
        println!("{cases} asked for, {tried} tried");
    }
}

#[test]
fn equiv_gives_up_on_a_trial_and_not_on_all() {
    let dir = tempfile::tempdir().unwrap();
    let program = "@proc\ndef f(n: size, x: f32):\n    for i in seq(0, n):\n        x += 1.0\n";
    fs::write(dir.path().join("f.py"), program).unwrap();
    let told = fine(rewright(dir.path(), &["equiv", "f.py", "f", "f", "--steps", "4", "--json"]));
    let result = &serde_json::from_str::<Value>(&told).unwrap()["result"];
    let (compared, skipped) = (result["compared"].as_u64().unwrap(), result["skipped"].as_u64().unwrap());
    println!("{compared} compared, {skipped} skipped");
    assert!(compared > 0 && skipped > 0 && compared + skipped == 100, "{result}");
}

/// What a wrong line of a script, or a wrong input of a run, is told.
#[test]
fn messages_say_what_stood_in_the_way() {
    const PROGRAM: &str = "@proc
def callee(n: size, x: [f32][n], y: [f32][n]):
    assert n % 8 == 0
    for i in seq(0, n):
        y[i] = x[i]

@proc
def f(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        y[i] = x[i]
    for j in seq(0, n):
        y[j] = 0.0
    for i in seq(0, n):
        y[i] = 1.0

";
    let dir = tempfile::tempdir().unwrap();
    let scripts = [
        ("replace(f, 'for i in _:_ #0', callee)", "the assertion `n % 8 == 0` of `callee`"),
        (
            "divide_loop(f, 'i #0', 4, ['a', 'b'], tail='perfect')",
            "help: `tail=\"cut\"` puts what is left over",
        ),
        ("divide_loop(f, 'k', 4, ['a', 'b'])", "matches `k`"),
        ("divide_loop(f, 'k', 4, ['a', 'b'])", "the loops there are `i` (2 times), `j`"),
        ("reorder_loops(f, 'k l')", "matches `k l`; the loops there are `i` (2 times), `j`"),
        ("f.find('z = _')", "matches `z = _`"),
        (
            "divide_lop(f, 'i', 4, ['a', 'b'])",
            "there is no primitive `divide_lop`; did you mean `divide_loop`?",
        ),
        ("fission(f, f.find('y[_] = x[_]').after())", "the gap is not between statements"),
        ("f.partial_eval(n=-1)", "`n` is a size, and at least 1"),
        ("callee.partial_eval(n=4)", "`4 % 8 == 0`"),
    ];
    for (line, words) in scripts {
        fs::write(dir.path().join("p.py"), format!("{PROGRAM}p = {line}\n")).unwrap();
        let done = rewright(dir.path(), &["script", "p.py"]).output().unwrap();
        let told = text(&done.stderr);
        assert!(matches!(done.status.code(), Some(1 | 2)) && told.contains(words), "{line}: {told}");
    }
    fs::write(dir.path().join("p.py"), PROGRAM).unwrap();
    let runs: [(&[&str], &str); 5] = [
        (&["callee", "n=4"], "assertion 1, `n % 8 == 0`, stood in the way"),
        (
            &["f", "n=4", "x=[1,2,3]"],
            "found no input for `f`: `x` is given with 3 elements in dimension 0, where its extent is `n`, which is 4",
        ),
        (&["f", "x=[1,2,3]", "y=[1]"], "is given with"),
        (&["f", "n=100000000"], "`x` would have more than 4194304 cells"),
        (&["f", "z=1"], "`f` has no argument `z`; it has `n`, `x`, `y`"),
    ];
    for (args, words) in runs {
        let args: Vec<&str> = ["run", "p.py"].into_iter().chain(args.iter().copied()).collect();
        let done = rewright(dir.path(), &args).output().unwrap();
        let told = text(&done.stderr);
        assert!(done.status.code() == Some(1) && told.contains(words), "{args:?}: {told}");
    }
}

/// A case that is wrong in every value is told about in a page, not in megabytes.
#[test]
fn halide_check_tells_no_more_than_a_reader_reads() {
    let dir = tempfile::tempdir().unwrap();
    let case =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../testsuite/corpus/halide/valid/blur_w3_tiled.json");
    let mut case: Value = serde_json::from_str(&fs::read_to_string(case).unwrap()).unwrap();
    for dim in case["window"].as_array_mut().unwrap() {
        dim["len"] = 150.into();
    }
    case["expected"]["values"] = (0..150 * 150).map(Value::from).collect();
    fs::write(dir.path().join("large.json"), case.to_string()).unwrap();
    for json in [&[][..], &["--json"]] {
        let args: Vec<&str> =
            ["halide", "check", "large.json", "--no-c", "--explain"].iter().chain(json).copied().collect();
        let done = rewright(dir.path(), &args).output().unwrap();
        assert_eq!(done.status.code(), Some(3), "{}", text(&done.stderr));
        let said = done.stdout.len() + done.stderr.len();
        println!("{said} bytes");
        assert!((1_000..100_000).contains(&said), "{said} bytes");
    }
}
