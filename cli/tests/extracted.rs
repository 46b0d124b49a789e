//! What `extract_subproc` makes is a program for any caller, or no C is written of it alone. Spec: [rule: scripts.extracted].

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use std::fs;
use std::process::Command;

/// Exit code, standard output and standard error of `rewright ARGS` where `file.py` is, and the C that was written.
fn ran(text: &str, args: &[&str]) -> (i32, String, String, String) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("file.py"), text).unwrap();
    let done =
        Command::new(env!("CARGO_BIN_EXE_rewright")).args(args).current_dir(dir.path()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let c = fs::read_to_string(dir.path().join("out/file.c")).unwrap_or_default();
    (done.status.code().unwrap(), text(done.stdout), text(done.stderr), c)
}

/// Without its assertions `q` writes outside of `x` for any `j` but those of the loop.
fn unsafe_alone(asserts: &str) -> String {
    format!(
        "@proc\ndef p(n: size, m: size, x: f32[n]):\n    assert m <= n\n    for j in seq(0, m):\n        x[j] = 1.0\n\n\
         p, q = extract_subproc(p, \"x[_] = _\", \"q\"{asserts})\n"
    )
}

#[test]
fn what_is_safe_only_where_it_is_called_is_not_exported() {
    let text = unsafe_alone(", include_asserts=False");
    for args in
        [&["compile", "file.py", "-o", "out"][..], &["compile", "file.py", "-o", "out", "--proc", "q"]]
    {
        let (code, _, err, c) = ran(&text, args);
        assert_eq!((code, c.as_str()), (1, ""), "{err}");
        assert!(err.contains("bounds.access") && err.contains("safe where `p` calls it"), "{err}");
    }
    // Its caller is, and has it as a function of its own.
    let (code, _, err, c) = ran(&text, &["compile", "file.py", "-o", "out", "--proc", "p"]);
    assert_eq!(code, 0, "{err}");
    assert!(c.contains("static void q("), "{c}");
    // A script leaves it out, and says so.
    let (code, _, err, c) = ran(&text, &["script", "file.py", "--emit", "c", "-o", "out"]);
    assert!(code == 0 && err.contains("q is left out") && c.contains("static void q("), "{err}{c}");
    let (code, _, err, _) = ran(&text, &["script", "file.py"]);
    assert!(code == 0 && err.contains("q is no program by itself"), "{err}");
}

#[test]
fn with_what_it_needs_asserted_it_is_a_program() {
    let text = unsafe_alone("");
    let (code, out, err, _) = ran(&text, &["script", "file.py"]);
    assert!(code == 0 && out.contains("    assert 0 <= j\n    assert j < n\n    x[j] = 1.0"), "{out}{err}");
    let (code, _, err, c) = ran(&text, &["compile", "file.py", "-o", "out"]);
    assert!(code == 0 && c.contains("\nvoid q("), "{err}{c}");
}

#[test]
fn two_procedures_have_two_names() {
    let text = unsafe_alone("").replace("p, q = extract", "p = extract");
    let (code, _, err, _) = ran(&text, &["script", "file.py"]);
    assert!(code == 1 && err.contains("write `p1, p2 = …`"), "{err}");
}
