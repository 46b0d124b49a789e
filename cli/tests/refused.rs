//! What a refusal says is what the refused step would have done. Spec: [rule: refusals.confirmed].

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

/// Exit code, standard output and standard error of `rewright COMMAND file.py …`.
fn ran(text: &str, args: &[&str]) -> (i32, String, String) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("file.py"), text).unwrap();
    let (command, rest) = args.split_first().unwrap();
    let done = Command::new(env!("CARGO_BIN_EXE_rewright"))
        .args([command, "file.py"])
        .args(rest)
        .current_dir(dir.path())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (done.status.code().unwrap(), text(done.stdout), text(done.stderr))
}

fn refused(text: &str) -> Value {
    let (code, out, err) = ran(text, &["script", "--json"]);
    assert_eq!(code, 2, "{out}{err}");
    serde_json::from_str(&out).unwrap()
}

fn difference(told: &Value) -> &str {
    told["refusal"]["confirmed"]["difference"].as_str().unwrap_or_else(|| panic!("{told}"))
}

const TWICE: &str = "\
@proc
def p(x: f32[8]):
    x[5] = 1.0
    x[5] = 2.0

p = reorder_stmts(p, p.body())
";

#[test]
fn the_cell_is_the_one_that_both_write() {
    let told = refused(TWICE);
    assert_eq!(told["refusal"]["cell"]["at"], serde_json::json!([5]), "{told}");
    assert!(difference(&told).contains("x[5] is 2 before the step and 1 after it"), "{told}");
}

#[test]
fn both_programs_are_shown() {
    let (code, out, err) = ran(TWICE, &["equiv", "--refused"]);
    assert_eq!(code, 3, "{out}{err}");
    let (before, after) = out.split_once("# Without `reorder_stmts.commute`").unwrap();
    let last = |text: &str| text.trim_end().lines().last().unwrap().trim().to_owned();
    assert_eq!([last(before), last(after)], ["x[5] = 2.0", "x[5] = 1.0"], "{out}");

    let (_, out, _) = ran(TWICE, &["equiv", "--refused", "--json"]);
    let told: Value = serde_json::from_str(&out).unwrap();
    let last = |key: &str| last(told["result"][key].as_str().unwrap());
    assert_eq!([last("before"), last("after")], ["x[5] = 2.0", "x[5] = 1.0"], "{out}");
}

/// What comes from standard input no other command can read again.
#[test]
fn no_command_is_named_for_standard_input() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rewright"))
        .args(["script", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(TWICE.as_bytes()).unwrap();
    let out = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let told: Value = serde_json::from_str(&out).unwrap();
    assert!(
        !out.contains("<stdin>' --refused") && told["refusal"]["confirmed"]["command"].is_null(),
        "{out}"
    );
    assert!(difference(&told).contains("x[5]"), "{out}");
}

/// Sizes that would take long to run are not run.
#[test]
fn a_refusal_is_not_confirmed_at_any_price() {
    let text = "\
@proc
def p(n: size, a: f32[n], b: f32[n], c: f32[n], d: f32[n], e: f32[n], f: f32[n], z: f32):
    assert n >= 4000000
    z = a[n - 1] + b[0] * c[0] + d[0] + e[0] + f[0]
    a[n - 1] = 2.0

p = reorder_stmts(p, p.body())
";
    let told = refused(text);
    assert!(told["refusal"]["confirmed"].is_null(), "{}", told["refusal"]["condition"]);
}

#[test]
fn a_large_input_is_not_printed() {
    let text = "\
@proc
def p(n: size, a: f32[n], b: f32[n], z: f32):
    assert n >= 9000
    z = a[n - 1] + b[0]
    a[n - 1] = 2.0

p = reorder_stmts(p, p.body())
";
    let told = refused(text);
    let difference = difference(&told);
    assert!(difference.len() < 200 && difference.contains("a=[…] b=[…]"), "{}", difference.len());
}

/// `fission` goes out of the inner loop, and is refused to go out of the outer one.
#[test]
fn of_several_steps_the_refused_one_is_shown() {
    let text = "\
@proc
def p(n: size, x: f32[n], z: f32, y: f32[n]):
    for i in seq(0, n):
        for j in seq(0, 1):
            z = x[i]
            y[i] += z
        z = 3.0

p = fission(p, \"z = x[_]\", n_lifts=2)
";
    difference(&refused(text));
    let (code, out, err) = ran(text, &["equiv", "--refused"]);
    assert_eq!(code, 3, "{out}{err}");
    let (before, after) = out.split_once("# Without `fission.commute`").unwrap();
    let loops = |text: &str, over: &str| text.matches(over).count();
    assert_eq!([loops(before, "for i"), loops(before, "for j")], [1, 2], "{out}");
    assert_eq!([loops(after, "for i"), loops(after, "for j")], [2, 2], "{out}");
}

/// A primitive that is made of others is refused by one of their conditions.
#[test]
fn a_condition_is_one_of_the_primitive_that_has_it() {
    let text = "\
@proc
def p(n: size, x: f32[n], y: f32[n + 1]):
    for i in seq(0, n):
        x[i] = y[i]
        y[i + 1] = x[i]

p = autofission(p, p.find(\"x[_] = _\").after())
";
    difference(&refused(text));
    let (code, out, err) = ran(text, &["equiv", "--refused"]);
    assert_eq!(code, 3, "{out}{err}");
    assert!(out.contains("# Without `fission.commute`"), "{out}");
}

#[test]
fn arithmetic_that_is_not_exact_is_named() {
    let text = "\
@proc
def p(x: i32):
    y: i8
    y = 200.0
    x = y * 3.0

p = inline_assign(p, \"y = _\")
";
    let told = refused(text);
    assert!(
        difference(&told).starts_with("in machine arithmetic (`--domain machine`), the versions differ"),
        "{told}"
    );
    let (code, _, err) = ran(text, &["equiv", "--refused"]);
    assert!(code == 3 && err.contains(difference(&told)), "{err}");
}

const CFG: &str = "\
@config
class Cfg:
    k: index
    n: size
    on: bool

";

/// A version is compared with its definition as its steps promise. Spec: [rule: scripts.versions].
#[test]
fn a_step_that_is_accepted_makes_no_difference() {
    let fields = "\
@proc
def p(m: size, x: f32[m]):
    Cfg.k = 4
    for i in seq(0, m):
        x[i] += 1.0

p = delete_config(p, \"Cfg.k = _\")
p = bind_config(p, \"m\", Cfg, \"n\")
";
    let (code, out, err) = ran(&format!("{CFG}{fields}"), &["equiv"]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("Cfg.k, Cfg.n: not compared"), "{out}");
    // Two that are named are compared in everything.
    assert_eq!(ran(&format!("{CFG}{fields}"), &["equiv", "p@0", "p"]).0, 3);

    let inputs = "\
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] += 1.0

p = add_assertion(p, \"n % 4 == 0\")
p = divide_loop(p, \"i\", 4, [\"io\", \"ii\"], tail=\"perfect\")
";
    let (code, out, err) = ran(inputs, &["equiv"]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("agree on 100 inputs") && out.contains("only inputs that p admits"), "{out}");

    let guarded = "\
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] += 1.0

p = specialize(p, \"for i in _: _\", [\"Cfg.n == 4\"])
";
    let (code, out, err) = ran(&format!("{CFG}{guarded}"), &["equiv"]);
    assert_eq!(code, 0, "{out}{err}");

    let precision = "\
@proc
def p(n: size, x: R[n], y: f32[n]):
    for i in seq(0, n):
        y[i] = x[i] * 0.5 + 0.25

p = set_precision(p, \"x\", \"i8\")
";
    let (code, out, err) = ran(precision, &["equiv"]);
    assert_eq!(code, 0, "{out}{err}");

    let arguments = "\
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] += 1.0

p = partial_eval(p, n=8)
";
    let (code, out, err) = ran(arguments, &["equiv"]);
    assert_eq!(code, 4, "{out}{err}");
    assert!(err.contains("`partial_eval` made a procedure that takes other arguments"), "{err}");
}

/// Above 64 as well as below.
#[test]
fn the_numbers_of_a_counterexample_are_run() {
    let text = "\
@proc
def p(n: size, x: f32[n + 128], y: f32[n]):
    for i in seq(0, n):
        x[i] = y[i]
        x[i + 100] = 1.0

p = fission(p, \"x[_] = _\")
";
    let (code, out, err) = ran(text, &["equiv", "--refused"]);
    assert_eq!(code, 3, "{out}{err}");
}

/// Where two procedures part at a number that one of them mentions. Spec: [rule: inputs.edges].
#[test]
fn what_differs_at_a_literal_is_found() {
    let tiled = "\
@proc
def a(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0

@proc
def b(n: size, x: f32[n]):
    for io in seq(0, n / 128):
        for ii in seq(0, 127):
            x[128 * io + ii] = 1.0
    for i in seq(n / 128 * 128, n):
        x[i] = 1.0
";
    let two = |x: &str| {
        format!(
            "@proc\ndef a(n: size, k: index, x: f32):\n    x = 1.0\n\n\
             @proc\ndef b(n: size, k: index, x: f32):\n    x = 1.0\n    if n == 57 and k == 1000:\n        x = {x}\n"
        )
    };
    for (text, wanted) in [(tiled.to_owned(), 3), (two("2.0"), 3), (two("1.0"), 0)] {
        for seed in ["0", "1", "2"] {
            let (code, out, err) = ran(&text, &["equiv", "a", "b", "--seed", seed]);
            assert_eq!(code, wanted, "{text}{out}{err}");
            assert!(err.lines().all(|line| line.len() < 500), "{err}");
        }
    }
}

/// Integers wrap in C, and not where procedures are compared.
#[test]
fn it_is_said_that_arithmetic_is_exact() {
    let text = "@proc\ndef a(x: i8):\n    x = 300\n\n@proc\ndef b(x: i8):\n    x = 44\n";
    let (code, _, err) = ran(text, &["equiv", "a", "b"]);
    assert!(code == 3 && err.contains("a and b differ in exact arithmetic: x is 300"), "{err}");
    let (code, out, _) = ran(&text.replace("i8", "f32").replace("44", "300"), &["equiv", "a", "b"]);
    assert!(code == 0 && out.contains("a and b agree on 100 inputs"), "{out}");
}

#[test]
fn runs_that_take_too_long_are_not_repeated_at_will() {
    let text = "@proc\ndef a(x: f32):\n    for i in seq(0, 100000000):\n        x = 1.0\n\n@proc\ndef b(x: f32):\n    x = 1.0\n";
    let (code, out, err) =
        ran(text, &["equiv", "a", "b", "--steps", "1000000", "--trials", "100000", "--json"]);
    let told: Value = serde_json::from_str(&out).unwrap();
    assert!(code == 4 && told["result"]["skipped"] == 100, "{out}{err}");
}

#[test]
fn what_else_stops_a_script_is_told() {
    let text = "@proc\ndef p(x: f32):\n    x = 1.0\n\np = reorder_stmts(p, \"nothing = _\")\n";
    let (code, _, err) = ran(text, &["equiv", "--refused"]);
    assert!(
        code == 1 && err.contains("nothing = _") && err.contains("no condition refuses the line"),
        "{err}"
    );
}
