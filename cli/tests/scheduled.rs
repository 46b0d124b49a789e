//! The checks just before C point into the program that a schedule has made. ASPLOS'25 App. A.7; spec:
//! [rule: annotations].

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use std::fs;
use std::process::Command;

/// What `rewright script --emit c` says of a file.
fn complaint(text: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("k.py");
    fs::write(&file, text).unwrap();
    let done = Command::new(env!("CARGO_BIN_EXE_rewright"))
        .args(["script", &file.display().to_string(), "--emit", "c"])
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(1), "{}", String::from_utf8_lossy(&done.stdout));
    String::from_utf8(done.stderr).unwrap()
}

const COPY: &str = "
@proc
def copy(x: f32[16], y: f32[16]):
    t: f32[16]
    for i in seq(0, 16):
        t[i] = x[i]
    for i in seq(0, 16):
        y[i] = t[i]

";

#[test]
fn a_memory_that_does_not_fit_is_shown_at_the_call_that_was_made() {
    let told = complaint(&format!("{COPY}p = replace(copy, \"for i in _: _\", mm512_loadu_ps)\n"));
    assert!(told.contains("<scheduled>"), "{told}");
    assert!(told.contains("mm512_loadu_ps(t[0:16], x[0:16])"), "{told}");
    assert!(told.contains("expected AVX512, found DRAM"), "{told}");
}

#[test]
fn so_is_a_direct_access_to_a_register() {
    let told = complaint(&format!("{COPY}p = set_memory(copy, \"t\", AVX512)\n"));
    assert!(told.contains("<scheduled>"), "{told}");
    assert!(told.contains("t[i] = x[i]"), "{told}");
}

#[test]
fn so_are_precisions_that_do_not_agree() {
    let text = "
@proc
def add(x: f32[16], y: f32[16]):
    for i in seq(0, 16):
        y[i] = x[i] + y[i]

p = set_precision(add, \"x\", \"f64\")
";
    let told = complaint(text);
    assert!(told.contains("<scheduled>"), "{told}");
    assert!(told.contains("x[i] + y[i]"), "{told}");
}
