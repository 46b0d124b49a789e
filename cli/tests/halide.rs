//! `rewright halide …`: what each command prints, how it ends, and what it says of wrong input.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use std::fs;
use std::path::Path;
use std::process::Command;

const BLUR: &str = "pipeline blur(k):
  fun input(x, y) = x * x + k * y;
  fun blurx(x, y) = input[x - 1, y] + input[x, y] + input[x + 1, y];
  fun blur(x, y) = (blurx[x, y - 1] + blurx[x, y] + blurx[x, y + 1]) div 9;
schedule:
  split(<blur, y>, yo, yi, 2, round);
  compute-at(blurx, <blur, yo>);
  store-at(blurx, <blur, yo>);
realize((0, 3), (0, 2); k = 9)
";

/// Exit code, standard output, standard error.
fn rewright(dir: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rewright"));
    let done = command.arg("halide").args(args).current_dir(dir).output().unwrap();
    let text = |b| String::from_utf8(b).unwrap();
    (done.status.code().unwrap(), text(done.stdout), text(done.stderr))
}

fn with(text: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("blur.halide"), text).unwrap();
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testsuite/corpus/halide/valid");
    let case = case.join("blur_w3_tiled.json");
    fs::copy(case, dir.path().join("blur.json")).unwrap();
    dir
}

#[test]
fn eval_prints_values_and_says_that_the_program_agrees() {
    let dir = with(BLUR);
    let (code, out, err) = rewright(dir.path(), &["eval", "blur.halide"]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(
        out,
        "blur[0, 0] = 0\nblur[1, 0] = 1\nblur[2, 0] = 4\nblur[0, 1] = 9\nblur[1, 1] = 10\nblur[2, 1] = 13\n"
    );
    assert_eq!(err, "the scheduled program computes the same\n");
    for engine in ["baseline", "oracle"] {
        assert_eq!(rewright(dir.path(), &["eval", "blur.halide", "--engine", engine]).0, 0, "{engine}");
    }
}

#[test]
fn eval_checks_what_fits() {
    let dir =
        with("pipeline f(): fun g(x): uint8 = 100 * x; fun f(x): float32 = 0.1 * g[x]; realize((2, 2))");
    let (code, out, _) = rewright(dir.path(), &["eval", "blur.halide"]);
    assert_eq!((code, out.as_str()), (0, "f[2] = 20.0\nf[3] = 4.400000095367432\n"));
    let (code, _, err) = rewright(dir.path(), &["eval", "blur.halide", "--checked"]);
    assert_eq!((code, err.as_str()), (1, "error: a value of func `g` does not fit\n"));
}

#[test]
fn lower_leaves_the_schedule_out() {
    let dir = with(BLUR);
    let (code, out, err) = rewright(dir.path(), &["lower", "blur.halide"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("label blurx:") && !out.contains("yo"), "{out}");
}

#[test]
fn schedule_shows_the_program_with_open_bounds() {
    let dir = with(BLUR);
    let (code, out, err) = rewright(dir.path(), &["schedule", "blur.halide", "--strict"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("for blur.yo in (0, (?cpu blur^0.1.len + 1) div 2) do\n"), "{out}");
}

#[test]
fn bounds_are_completed_verified_and_compiled() {
    let dir = with(BLUR);
    let (code, out, err) = rewright(dir.path(), &["bounds", "blur.halide"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("let ?mem blurx.1.len = 4 in"), "{out}");
    assert!(err.starts_with("verified: ") && err.ends_with(" demands are met for all inputs\n"), "{err}");
    let (code, out, _) = rewright(dir.path(), &["bounds", "blur.halide", "--c"]);
    assert_eq!(code, 0);
    assert!(out.contains("int64_t") && out.contains("/* blurx */"), "{out}");
    // The baseline engine knows no bounds of `g[max(…)]` over a func's values.
    let unbounded = "pipeline f(): fun g(x) = x; fun k(x) = {x; (x) <- k[x] * k[x]}; fun f(x) = g[k[x]];";
    fs::write(dir.path().join("u.halide"), unbounded).unwrap();
    let (code, out, err) = rewright(dir.path(), &["bounds", "u.halide", "--engine", "baseline"]);
    assert!(code == 4 && out.contains("assert 0") && err.contains("no bounds for dimension 0"), "{out}{err}");
}

#[test]
fn refusals_name_the_rule_and_the_place() {
    let wrong = BLUR.replace("split(<blur, y>, yo, yi, 2, round)", "split(<blur, y>, x, yi, 2, round)");
    let dir = with(&wrong);
    for command in ["schedule", "bounds", "eval"] {
        let (code, _, err) = rewright(dir.path(), &[command, "blur.halide"]);
        assert_eq!(code, 2, "{command}: {err}");
        assert!(err.contains("rule schedule.fresh: "), "{err}");
        assert!(err.contains("\n --> blur.halide:6:3\n"), "{err}");
        assert!(err.contains("<-- here"), "{err}");
    }
    // Out of phase: refused when taken strictly, sorted otherwise.
    let late = "pipeline f(): fun g(x) = x; fun f(x, y) = g[x + y];
        schedule: compute-at(g, <f, y>); split(<f, x>, xo, xi, 2, guard);";
    fs::write(dir.path().join("late.halide"), late).unwrap();
    let (code, _, err) = rewright(dir.path(), &["schedule", "late.halide", "--strict"]);
    assert!(
        code == 2 && err.contains("rule schedule.phase: ") && err.contains(" --> late.halide:2:42"),
        "{err}"
    );
    assert_eq!(rewright(dir.path(), &["schedule", "late.halide"]).0, 0);
    // What is refused when the bounds are known.
    let both_ways = "pipeline f(): fun g(x) = x; fun f(x) = g[x] + g[9 - x]; schedule: compute-at(g, <f, x>);
        fold-storage(g, x, 4);
        slide(g, x); realize((0, 4))";
    fs::write(dir.path().join("ways.halide"), both_ways).unwrap();
    let (code, _, err) = rewright(dir.path(), &["bounds", "ways.halide"]);
    assert!(code == 2 && err.contains("\n --> ways.halide:2:9\n  rule fold-storage.fits: "), "{err}");
    assert!(err.contains("\n --> ways.halide:3:9\n  rule slide.onward: "), "{err}");
}

#[test]
fn wrong_input_is_code_1_with_its_place() {
    let cases = [
        ("pipeline f(): fun f(x) = x +;", ":1:29"),
        ("pipeline f(): fun f(x) = y;", "[halide.unbound]"),
        ("pipeline f(): fun f(x) = g[x]; fun g(x) = x;", "[halide.o"),
        ("pipeline f(): fun f(x) = {x; (x) <- f[x + 1]};", "[halide.separation]"),
        ("pipeline f(): fun f(x) = x; schedule: spilt(<f, x>, a, b, 2);", "`spilt` is not a directive"),
        ("pipeline f(): fun f(x) = x; realize((0, 3), (0, 3))", "the output has 1 dimensions"),
        ("pipeline f(n): fun f(x) = n; realize((0, 3))", "parameter `n` has no value"),
        ("", "error"),
        ("\u{0}\u{1}", "error"),
    ];
    for (text, words) in cases {
        let dir = with(text);
        for command in ["lower", "schedule", "bounds", "eval"] {
            let (code, _, err) = rewright(dir.path(), &[command, "blur.halide"]);
            assert_eq!(code, 1, "{command} of {text}: {err}");
            assert!(err.contains(words), "{command} of {text}: {err}");
        }
    }
    let dir = with("pipeline f(): fun f(x) = x;");
    let (code, _, err) = rewright(dir.path(), &["eval", "blur.halide"]);
    assert!(code == 1 && err.contains("there is no `realize(…)`"), "{err}");
    for window in ["(0, 9223372036854775807)", "(9223372036854775807, 1)", "(0, 5000000000)"] {
        let dir = with(&format!("pipeline f(): fun f(x) = x; realize({window})"));
        let (code, _, err) = rewright(dir.path(), &["eval", "blur.halide"]);
        assert!(code == 1 && err.contains("its points lie in"), "{err}");
    }
    for window in ["(0, 2147483647)", "(2147483647, 1), (0, 500000000)"] {
        let vars = if window.contains("), (") { "x, y" } else { "x" };
        let dir = with(&format!("pipeline f(): fun f({vars}) = x; realize({window})"));
        let (code, _, err) = rewright(dir.path(), &["eval", "blur.halide"]);
        assert!(code == 4 && err.contains("the window has more than"), "{err}");
    }
    let deep = format!("pipeline f(): fun f(x) = {}x;", "(".repeat(100_000));
    let (code, _, err) = rewright(with(&deep).path(), &["lower", "blur.halide"]);
    assert!(code == 1 && err.contains("less deeply nested"), "{err}");
    for command in ["lower", "schedule", "bounds", "eval", "check"] {
        let (code, _, err) = rewright(dir.path(), &[command, "missing.halide"]);
        assert!(code == 1 && err.contains("cannot read missing.halide: "), "{command}: {err}");
        fs::write(dir.path().join("bytes.halide"), [0xff, 0xfe, 0x00]).unwrap();
        let (code, _, err) = rewright(dir.path(), &[command, "bytes.halide"]);
        assert!(code == 1 && err.contains("bytes.halide is not UTF-8"), "{command}: {err}");
    }
}

#[test]
fn check_tells_which_cases_do_not_come_out() {
    let dir = with(BLUR);
    let (code, out, err) = rewright(dir.path(), &["check", "--no-c", "blur.json"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.starts_with("1 of 1 cases come out as they state; 1 evaluated"), "{out}");
    let (code, out, _) = rewright(dir.path(), &["check", "--explain", "blur.json"]);
    assert!(code == 0 && out.contains("C equal") && out.contains("tight verified"), "{out}");
    // Another value, a case that is none, no JSON at all.
    let text = fs::read_to_string(dir.path().join("blur.json")).unwrap();
    let (head, tail) = text.split_once("\"values\": [").unwrap();
    fs::write(dir.path().join("wrong.json"), format!("{head}\"values\": [77777,{}", after_number(tail)))
        .unwrap();
    let (code, out, err) = rewright(dir.path(), &["check", "--no-c", "blur.json", "wrong.json"]);
    assert!(
        code == 3 && err.contains("wrong.json: ") && out.starts_with("1 of 2 cases"),
        "{code} {out}{err}"
    );
    for (text, words) in [("{}", "bad.json: "), ("[", "bad.json: "), ("{\"schema\": 1}", "bad.json: ")] {
        fs::write(dir.path().join("bad.json"), text).unwrap();
        let (code, _, err) = rewright(dir.path(), &["check", "bad.json"]);
        assert!(code == 1 && err.contains(words), "{text}: {err}");
        let (code, _, err) = rewright(dir.path(), &["lower", "bad.json"]);
        assert!(code == 1 && err.contains(words), "{text}: {err}");
    }
    // The other commands read cases, too.
    assert_eq!(rewright(dir.path(), &["eval", "blur.json"]).0, 0);
}

fn after_number(text: &str) -> &str {
    text.split_once(',').unwrap().1
}

/// The examples in the help of each command work.
#[test]
fn examples_of_the_help_work() {
    let dir = with(BLUR);
    let mut count = 0;
    for command in ["check", "eval", "lower", "schedule", "bounds"] {
        let (code, out, _) = rewright(dir.path(), &[command, "--help"]);
        assert_eq!(code, 0);
        let examples: Vec<&str> = out.lines().filter_map(|l| l.strip_prefix("  rewright halide ")).collect();
        assert!(!examples.is_empty(), "{command} has no example");
        for example in examples {
            let args: Vec<&str> = example.split(' ').collect();
            let (code, _, err) = rewright(dir.path(), &args);
            assert_eq!(code, 0, "{example}: {err}");
            count += 1;
        }
    }
    assert!(count >= 8, "only {count} examples");
    assert_eq!(rewright(dir.path(), &["frobnicate"]).0, 1);
}

/// Spec: [rule: halide.explain]; what it prints of other programs stands in the chapter on bounds.
#[test]
fn explain_tells_regions_and_the_demands_that_force_them() {
    let dir = with(BLUR);
    let (code, out, err) = rewright(dir.path(), &["explain", "blur.halide"]);
    assert_eq!(code, 0, "{err}");
    assert!(err.starts_with("verified: "), "{err}");
    let told = "\
      compute blurx^0 over x (out.0.min, out.0.len), y (2 * blur.yo + out.1.min - 1, max(0, min(4, out.1.len - 2 * blur.yo + 2)))
        - x from out.0.min: `blur` reads blurx[blur.x, blur.y - 1], blurx[blur.x, blur.y], blurx[blur.x, blur.y + 1]
        - x to out.0.min + out.0.len - 1: `blur` reads blurx[blur.x, blur.y - 1], blurx[blur.x, blur.y], blurx[blur.x, blur.y + 1]
        - y from 2 * blur.yo + out.1.min - 1: `blur` reads blurx[blur.x, blur.y - 1]
        - y to min(2 * blur.yo + out.1.min + 2, out.1.min + out.1.len): `blur` reads blurx[blur.x, blur.y + 1]
";
    assert!(out.contains(told), "{out}");
    let again = rewright(dir.path(), &["explain", "blur.halide", "--no-verify"]);
    assert_eq!(again, (0, out, String::new()));
}

/// Spec: [rule: halide.explain].
#[test]
fn explain_names_the_demand_that_has_no_bounds() {
    let dir = with("pipeline f(): fun g(x) = x; fun k(x) = {x; (x) <- k[x] * k[x]}; fun f(x) = g[k[x] + 1];");
    let (code, out, err) = rewright(dir.path(), &["explain", "blur.halide"]);
    assert_eq!((code, out.as_str()), (4, ""));
    let why = "no bounds for dimension 0 of ?cpu g^0: `k[f.x] + 1` is not bounded (`f` reads g[k[f.x] + 1])";
    assert!(err.contains(why), "{err}");
    let (code, _, err) = rewright(with("pipeline f(): fun f(x) = y;").path(), &["explain", "blur.halide"]);
    assert!(code == 1 && err.contains(" --> blur.halide:1:15"), "{err}");
}

/// Inputs and directives are told as such, in JSON too. Spec: [rule: halide.explain].
#[test]
fn explain_tells_inputs_and_directives() {
    let dir = with(
        "typed pipeline f(a(_0): uint8): fun g(x) = a[x] + a[x + 2]; fun f(x) = g[x];
        schedule: bound-extent(f, x, 40);",
    );
    let (code, out, err) = rewright(dir.path(), &["explain", "blur.halide", "--json"]);
    assert_eq!(code, 0, "{out}{err}");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    let regions = json["result"]["regions"].as_array().unwrap();
    let of =
        |func: &str, kind: &str| regions.iter().find(|r| r["func"] == func && r["kind"] == kind).unwrap();
    let input = &of("a", "input")["dims"][0];
    assert_eq!(input["last"][0]["by"], serde_json::json!(["`g` reads a[g.x + 2]"]));
    let output = &of("f", "compute")["dims"][0]["first"];
    assert_eq!(output[0]["by"], serde_json::json!(["the window of `f`"]));
    assert_eq!((&output[1]["directive"], &output[1]["point"]), (&true.into(), &"?cpu f^0.0.len = 40".into()));
}

/// [rule: halide.explain]
#[test]
fn explanations_begin_with_what_the_ends_of_indices_are() {
    let dir = with(
        "typed pipeline f(a(_0): float32, p: float32):
  fun g(x) = x * x;
  fun f(x) = g[int32(clamp(a[x], 0.0f, 1.0f) * p)];",
    );
    let (code, out, err) = rewright(dir.path(), &["explain", "blur.halide"]);
    assert!(code == 0 && out.contains("\n  index.1 = ") && out.contains("x to index.1: "), "{out}{err}");
}
