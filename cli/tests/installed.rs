//! Where the command finds the z3 library, and what it says where there is none. Spec: [rule: library.z3].
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// A derivation, whose audit asks z3 whatever can be decided without.
fn derivation(dir: &Path) -> PathBuf {
    let text = "@proc
def f(n: size, x: f32[n]):
    assert n % 4 == 0
    for i in seq(0, n):
        x[i] = 0.0

p = divide_loop(f, 'i', 4, ['io', 'ii'], tail='perfect')
";
    fs::write(dir.join("f.py"), text).unwrap();
    let out = dir.join("out");
    let mut script = Command::new(env!("CARGO_BIN_EXE_rewright"));
    let made = script.args(["script", "--emit", "derivation", "-o"]).arg(&out).arg(dir.join("f.py")).output();
    assert!(made.unwrap().status.success());
    out.join("derivation.json")
}

fn audit(binary: &Path, derivation: &Path, env: &[(&str, &str)]) -> Output {
    let mut command = Command::new(binary);
    command.arg("audit").arg(derivation).env_remove("REWRIGHT_Z3").envs(env.iter().copied()).output().unwrap()
}

/// Which z3 a program loads, by what the dynamic linker says.
fn loaded(binary: &Path, derivation: &Path) -> String {
    let done = audit(binary, derivation, &[("LD_DEBUG", "files")]);
    let told = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{told}");
    let line = told.lines().find(|l| l.contains("calling init: ") && l.contains("libz3.so"));
    line.unwrap_or_default().rsplit("calling init: ").next().unwrap_or_default().to_owned()
}

#[test]
fn an_installed_command_takes_its_own_library() {
    let dir = tempfile::tempdir().unwrap();
    let derivation = derivation(dir.path());
    let prefix = dir.path().join("usr local");
    let mut make = Command::new("make");
    make.arg("--quiet").arg("install-files").current_dir(root());
    make.arg(format!("BIN={}", env!("CARGO_BIN_EXE_rewright")))
        .arg(format!("PREFIX={}", dir.path().join("usr").display()));
    let made = make.output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    // The folder can be moved as a whole.
    fs::rename(dir.path().join("usr"), &prefix).unwrap();
    let binary = prefix.join("bin/rewright");
    let found = PathBuf::from(loaded(&binary, &derivation)).canonicalize().unwrap();
    assert_eq!(found, prefix.join("lib/rewright/libz3.so").canonicalize().unwrap());
    for file in [
        "share/man/man1/rewright.1",
        "share/man/man1/rewright-check.1",
        "share/bash-completion/completions/rewright",
        "share/zsh/site-functions/_rewright",
        "share/fish/vendor_completions.d/rewright.fish",
    ] {
        assert!(fs::metadata(prefix.join(file)).unwrap().len() > 500, "{file}");
    }
}

#[test]
fn a_copy_finds_the_library_beside_it_or_where_it_was_built() {
    let dir = tempfile::tempdir().unwrap();
    let derivation = derivation(dir.path());
    let copy = dir.path().join("copy");
    fs::copy(env!("CARGO_BIN_EXE_rewright"), &copy).unwrap();
    let pinned = root().join(".deps/z3/lib/libz3.so").canonicalize().unwrap();
    assert_eq!(PathBuf::from(loaded(&copy, &derivation)).canonicalize().unwrap(), pinned);
    fs::copy(&pinned, dir.path().join("libz3.so")).unwrap();
    assert_eq!(PathBuf::from(loaded(&copy, &derivation)), dir.path().join("libz3.so"));
    let named = audit(&copy, &derivation, &[("REWRIGHT_Z3", &pinned.display().to_string())]);
    assert!(named.status.success());
}

#[test]
fn what_is_missing_is_said_when_it_is_needed() {
    let dir = tempfile::tempdir().unwrap();
    let derivation = derivation(dir.path());
    let binary = Path::new(env!("CARGO_BIN_EXE_rewright"));
    fs::write(dir.path().join("broken.so"), "no library").unwrap();
    for path in [dir.path().join("missing.so"), dir.path().join("broken.so")] {
        let path = path.display().to_string();
        let env = [("REWRIGHT_Z3", path.as_str())];
        let done = audit(binary, &derivation, &env);
        let told = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(1), "{told}");
        assert!(told.contains("the z3 library cannot be loaded") && told.contains(&path), "{told}");
        assert!(told.contains("REWRIGHT_Z3=/path/to/libz3.so"), "{told}");
        // Nothing else needs it.
        let mut check = Command::new(binary);
        let checked = check.arg("check").arg(dir.path().join("f.py")).envs(env).output().unwrap();
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    }
}
