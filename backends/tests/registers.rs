//! Buffers in registers: loops that choose one, and parts that are one.

mod common;

use common::{check, compile, refused};

const LOAD: &str = "
@instr(\"{dst_data} = _mm256_loadu_ps(&{src_data});\", cflags=\"-mavx2  -mfma -DLOADS\")
def load(dst: [f32][8] @ AVX2, src: [f32][8] @ DRAM):
    for i in seq(0, 8):
        dst[i] = src[i]


@instr(\"_mm256_storeu_ps(&{dst_data}, {src_data});\")
def store(dst: [f32][8] @ DRAM, src: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] = src[i]

";

fn program(body: &str) -> String {
    format!("{LOAD}\n@proc\ndef p(k: index, A: f32[4, 8], B: f32[4, 8]):\n    v: f32[8, 8] @ AVX2\n{body}")
}

/// Spec: [rule: c.unrolled].
#[test]
fn loops_that_choose_registers_are_written_out() {
    let unrolled = |body: &str, says: bool| {
        let source = compile(&program(body)).source;
        assert_eq!(source.contains("#pragma GCC unroll"), says, "{source}");
    };
    unrolled("    for i in seq(0, 4):\n        load(v[i, 0:8], A[i, 0:8])\n", true);
    // Through a window alone.
    unrolled("    for i in seq(0, 4):\n        w = v[i, 0:8]\n        load(w, A[0, 0:8])\n", true);
    unrolled(
        "    for i in seq(0, 4):\n        w = v[i, 0:8]\n        u = w[0:8]\n        load(u, A[0, 0:8])\n",
        true,
    );
    unrolled("    for i in seq(0, 4):\n        load(v[2, 0:8], A[i, 0:8])\n", false);
    unrolled("    for i in seq(0, 4):\n        w = v[2, 0:8]\n        load(w, A[i, 0:8])\n", false);
    // Compilers take minutes for thousands of iterations, and refuse more than 65,534.
    unrolled("    for i in seq(0, 256):\n        load(v[i % 8, 0:8], A[0, 0:8])\n", true);
    unrolled("    for i in seq(0, 65536):\n        load(v[i % 8, 0:8], A[0, 0:8])\n", false);
    unrolled("    for i in seq(0, 1):\n        load(v[i, 0:8], A[i, 0:8])\n", false);
}

/// Spec: [rule: c.flags].
#[test]
fn instructions_ask_for_flags() {
    let flags = compile(&program("    load(v[0, 0:8], A[0, 0:8])\n")).flags;
    assert_eq!(flags, ["-DLOADS", "-mavx2", "-mfma"]);
}

/// Spec: [rule: backend.parallel].
#[test]
fn parallel_iterations_use_registers_of_their_own() {
    let apart = program(
        "    for i in par(0, 4):\n        load(v[i, 0:8], A[i, 0:8])\n        store(B[i, 0:8], v[4 + i, 0:8])\n",
    );
    check(&apart, &["#pragma omp parallel for"], &[]);
    let shifted = program(
        "    if k >= 0 and k < 5:\n        for i in par(0, 4):\n            load(v[i + k, 0:8], A[i, 0:8])\n",
    );
    check(&shifted, &["v[k + i] = _mm256_loadu_ps(&A[8 * i]);"], &[]);
    let neighbours = "    for i in par(0, 4):\n        load(v[i, 0:8], A[i, 0:8])\n        store(B[i, 0:8], v[1 + i, 0:8])\n";
    let rules: Vec<&str> = refused(&program(neighbours)).iter().map(|d| d.rule).collect();
    assert_eq!(rules, ["backend.parallel"]);
}

/// A window that begins elsewhere, and a window of it that begins at the register again, is all of it.
/// Spec: [rule: c.memory].
#[test]
fn a_part_is_a_whole_register_however_it_is_seen() {
    let body = |lo: &str, hi: &str| {
        program(&format!(
            "    if k == 0:\n        w = v[2, k:k + 8]\n        load(w[{lo}:{hi}], A[0, 0:8])\n"
        ))
    };
    check(&body("0 - k", "8 - k"), &["v[2] = _mm256_loadu_ps(&A[0]);"], &[]);
    let rules: Vec<&str> = refused(&body("0", "8")).iter().map(|d| d.rule).collect();
    assert_eq!(rules, ["backend.memory-window"]);
}

/// An argument that no function can have is refused once, and what is done with it is no reason for more.
/// Spec: [rule: backend.memory-window].
#[test]
fn an_argument_in_registers_is_refused_once() {
    let text = format!(
        "{LOAD}\n@proc\ndef p(v: f32[8] @ AVX2, A: f32[8]):\n    load(v[0:8], A[0:8])\n    load(v, A)\n"
    );
    let found = refused(&text);
    assert_eq!(found.iter().map(|d| d.rule).collect::<Vec<_>>(), ["backend.memory-window"], "{found:?}");
}

/// Each place is reported, and each with its advice.
/// Spec: [rule: backend.memory-alloc].
#[test]
fn every_refusal_has_its_place_and_its_advice() {
    let found = refused(
        "@proc\ndef p():\n    a: f32 @ AVX2\n    b: f32 @ AVX2\n    c: f32[4] @ AVX2\n    d: f32[4] @ AVX2\n",
    );
    let starts: Vec<u32> = found.iter().map(|d| d.primary.span.start).collect();
    assert!(starts.is_sorted_by(|a, b| a < b), "{found:?}");
    let help: Vec<&str> = found.iter().filter_map(|d| d.help.as_deref()).collect();
    let lanes = "it is the lanes of one register: declare `";
    assert_eq!(found.len(), 4);
    assert!(help[0].starts_with("declare `a: f32[8]`") && help[2].starts_with(lanes), "{help:?}");
}
