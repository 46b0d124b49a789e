//! What a script binds is used like a definition, by every command. Spec: [rule: scripts.versions].

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use std::fs;
use std::path::Path;
use std::process::Command;

/// `gemv` and its script: `p` twice, then `q`.
const GEMV: &str = "\
@proc
def gemv(m: size, n: size, A: f32[m, n], x: f32[n], y: f32[m]):
    assert n % 8 == 0
    for i in seq(0, m):
        for j in seq(0, n):
            y[i] += A[i, j] * x[j]

@proc
def zero(m: size, y: f32[m]):
    for i in seq(0, m):
        y[i] = 0.0

p = divide_loop(gemv, \"j\", 8, [\"jo\", \"ji\"], tail=\"perfect\")
p = lift_scope(p, \"jo\")
q = stage_mem(p, \"for i in _: _\", \"x[8 * jo:8 * jo + 8]\", \"x_reg\")
zero = unroll_loop(divide_loop(zero, \"i\", 4, [\"io\", \"ii\"]), \"ii\")
last = rename(q, \"staged\")
";

/// Exit code, standard output and standard error of a command in a folder with the script.
fn ran(dir: &Path, args: &[&str]) -> (i32, String, String) {
    fs::write(dir.join("k.py"), GEMV).unwrap();
    let done = Command::new(env!("CARGO_BIN_EXE_rewright")).args(args).current_dir(dir).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (done.status.code().unwrap(), text(done.stdout), text(done.stderr))
}

fn fine(args: &[&str]) -> String {
    let dir = tempfile::tempdir().unwrap();
    let (code, out, err) = ran(dir.path(), args);
    assert_eq!(code, 0, "{args:?}\n{out}\n{err}");
    out
}

fn wrong(args: &[&str], why: &str) {
    let dir = tempfile::tempdir().unwrap();
    let (code, out, err) = ran(dir.path(), args);
    assert_eq!(code, 1, "{args:?}\n{out}\n{err}");
    assert!(err.contains(why), "{args:?}\n{err}");
}

/// The refusal names a command, and the command shows what it says. Spec: [rule: refusals.confirmed].
#[test]
fn what_a_refused_line_would_have_changed_is_shown() {
    let dir = tempfile::tempdir().unwrap();
    let text = "\
@proc
def shifted(n: size, x: f32[n + 1]):
    for i in seq(0, n):
        x[i + 1] = x[i]

p = rename(shifted, \"p\")
p = parallelize_loop(p, \"i\")
";
    fs::write(dir.path().join("my file.py"), text).unwrap();
    let (code, out, err) = ran(dir.path(), &["script", "my file.py", "--json"]);
    assert_eq!(code, 2, "{out}{err}");
    let told: serde_json::Value = serde_json::from_str(&out).unwrap();
    let confirmed = &told["refusal"]["confirmed"];
    let difference = confirmed["difference"].as_str().unwrap();
    assert!(difference.contains("of a par loop both touch `x[1]`"), "{difference}");
    let note = told["diagnostics"][0]["notes"].to_string();
    assert!(note.contains(difference) && note.contains("--refused"), "{note}");

    let command = confirmed["command"].as_str().unwrap();
    let shown = command.replace("rewright", env!("CARGO_BIN_EXE_rewright"));
    let done = Command::new("sh").args(["-c", &shown]).current_dir(dir.path()).output().unwrap();
    let (out, err) = (String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap());
    assert_eq!(done.status.code(), Some(3), "{command}\n{out}{err}");
    assert!(
        out.contains("# Without `parallelize_loop.races`") && out.contains("for i in par(0, n)"),
        "{out}"
    );
    assert!(err.contains(difference), "{err}");
}

#[test]
fn versions_are_run() {
    let args = ["m=1", "n=8", "x=[1,2,3,4,5,6,7,8]", "A=[[1,1,1,1,1,1,1,1]]", "y=[0]"];
    let with = |before: &[&str]| fine(&[&["run", "k.py"], before, &args].concat());
    // The staged version copies, and so takes more statements.
    let plain = with(&["gemv"]);
    assert!(plain.contains("y = [36]"), "{plain}");
    let staged = with(&["q"]);
    assert!(staged.contains("y = [36]") && staged != plain, "{staged}");
    assert_eq!(with(&["--proc", "q"]), staged);
    assert_eq!(with(&["last"]), staged);
    assert_eq!(with(&[]), staged);
    assert_eq!(with(&["gemv@0"]), plain);
    assert_eq!(with(&["p@2"]), with(&["p"]));
    assert!(fine(&["run", "k.py", "zero@0", "m=3"]).contains("y = [0, 0, 0]"));
}

#[test]
fn versions_are_compared() {
    assert!(fine(&["equiv", "k.py", "gemv", "q"]).starts_with("gemv and q agree on 100 inputs"));
    assert!(fine(&["equiv", "k.py"]).starts_with("gemv and last agree on 100 inputs"));
    assert!(fine(&["equiv", "k.py", "p@1", "p@2"]).starts_with("p@1 and p@2 agree"));
    // The name of the definition is bound anew.
    assert!(fine(&["equiv", "k.py", "zero"]).starts_with("zero@0 and zero agree"));
    wrong(&["equiv", "k.py", "gemv"], "gemv is a definition");
    wrong(&["equiv", "k.py", "gemv", "r"], "no procedure is called r: there is gemv, zero");
    wrong(&["equiv", "k.py", "gemv", "p@3"], "no procedure is called p@3: there is gemv, zero, p, q, last");
    wrong(&["equiv", "k.py", "gemv", "p@0"], "no procedure is called p@0");
    wrong(&["equiv", "k.py", "gemv", "p@x"], "`x` in p@x is no number");
    wrong(&["run", "k.py", "q", "--proc", "p"], "not both q and p");
}

#[test]
fn the_version_is_what_is_compiled() {
    let dir = tempfile::tempdir().unwrap();
    let read = |name: &str| fs::read_to_string(dir.path().join("out").join(name)).unwrap();
    let (code, out, err) = ran(dir.path(), &["compile", "k.py", "-o", "out", "--cc-check"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.starts_with("wrote out/k.{c,h,d}: last\n"), "{out}");
    assert!(out.contains("staged agrees with the interpreter") && !out.contains("gemv agrees"), "{out}");
    assert!(read("k.c").contains("x_reg") && read("k.d").contains("k.py"), "{}", read("k.c"));
    ran(dir.path(), &["compile", "k.py", "-o", "out", "--proc", "zero@0", "--proc", "p"]);
    assert!(read("k.h").contains("void gemv(") && read("k.h").contains("void zero("));
    assert!(!read("k.c").contains("x_reg"));
    wrong(
        &["compile", "k.py", "-o", "out", "--proc", "q", "--proc", "p"],
        "q and p are both called `gemv` in C",
    );
}

#[test]
fn a_script_writes_c_as_compile_does() {
    let dir = tempfile::tempdir().unwrap();
    let (code, out, err) = ran(dir.path(), &["script", "k.py", "--emit", "c", "-o", "out", "--cc-check"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.starts_with("wrote out/k.{c,h,d}: q, zero, last\n"), "{out}");
    assert!(err.contains("p is left out: q is called `gemv` in C, too"), "{err}");
    assert!(
        out.contains("gemv agrees") && out.contains("staged agrees") && out.contains("zero agrees"),
        "{out}"
    );
    let depends = fs::read_to_string(dir.path().join("out/k.d")).unwrap();
    assert!(depends.contains("k.py"), "{depends}");
    // Without a folder it is printed.
    let printed = fine(&["script", "k.py", "--emit", "c", "--proc", "p"]);
    assert!(printed.contains("void gemv(") && !printed.contains("void staged("), "{printed}");
}

#[test]
fn the_last_version_of_each_name_is_printed() {
    let heads = |out: &str| -> Vec<String> {
        out.lines().filter_map(|l| l.strip_prefix("# ")).map(str::to_owned).collect()
    };
    assert_eq!(heads(&fine(&["script", "k.py"])), ["p", "q", "zero", "last"]);
    assert_eq!(heads(&fine(&["script", "k.py", "--all"])), ["p", "p", "q", "zero", "last"]);
    assert_eq!(heads(&fine(&["script", "k.py", "--proc", "p@1", "--proc", "q"])), ["p@1", "q"]);
    wrong(&["script", "k.py", "--proc", "q", "--emit", "derivation"], "one of the whole script");
}

#[test]
fn a_refused_script_ends_every_command_that_needs_it() {
    let dir = tempfile::tempdir().unwrap();
    let text = "\
@proc
def f(x: f32[6]):
    for i in seq(0, 6):
        x[i] = 0.0

p = divide_loop(f, \"i\", 4, [\"io\", \"ii\"], tail=\"perfect\")
";
    fs::write(dir.path().join("refused.py"), text).unwrap();
    for args in [
        &["run", "refused.py"][..],
        &["run", "refused.py", "p"],
        &["equiv", "refused.py"],
        &["compile", "refused.py", "-o", "out"],
        &["script", "refused.py", "--cc-check"],
    ] {
        let (code, _, err) = ran(dir.path(), args);
        assert_eq!(code, 2, "{args:?}\n{err}");
        assert!(err.contains("divide_loop"), "{err}");
    }
    // The definition needs no script.
    assert_eq!(ran(dir.path(), &["run", "refused.py", "f"]).0, 0);
}
