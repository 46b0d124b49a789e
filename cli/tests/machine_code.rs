//! `--cc-check` on machines: state that a caller is to have set, models that stop, other processors.
//! Spec: [rule: c.entry-state], [rule: c.harness], [rule: machines.emulated].

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use serde_json::Value;
use std::fs;
use std::process::Command;

/// The exit code, and the answer with what was said on the way.
fn compile(text: &str) -> (Option<i32>, Value, String) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("k.py"), text).unwrap();
    let done = Command::new(env!("CARGO_BIN_EXE_rewright"))
        .args(["compile", "k.py", "-o", "out", "--cc-check", "--json"])
        .current_dir(dir.path())
        .output()
        .unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    let answer = serde_json::from_slice(&done.stdout).unwrap_or_else(|why| panic!("{why}: {said}"));
    (done.status.code(), answer, said)
}

/// The exit code of a script, and what it said.
fn script(text: &str) -> (Option<i32>, String) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("k.py"), text).unwrap();
    let done = Command::new(env!("CARGO_BIN_EXE_rewright"))
        .args(["script", "k.py"])
        .current_dir(dir.path())
        .output()
        .unwrap();
    (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned())
}

/// The verdict on a procedure with the first compiler.
fn verdict<'a>(answer: &'a Value, proc: &str) -> &'a str {
    let procedures = answer.pointer("/result/compilers/0/procedures").and_then(Value::as_array).unwrap();
    let row = procedures.iter().find(|row| row.get("procedure").unwrap() == proc).unwrap();
    row.get("verdict").and_then(Value::as_str).unwrap()
}

/// Stores a tile that is zero; what shape tiles have is for the caller to say.
const STORE: &str = "
@proc
def store(D: i32[16, 16]):
    assert AmxTiles.palette == 1
    assert AmxTiles.rows == 16
    assert AmxTiles.cols == 16
    c: i32[16, 16] @ AMX_C
    amx_tilezero_i32(16, 16, c)
    amx_tilestore_i32(16, 16, D, c)
";

const CALLER: &str = "
@proc
def caller(D: i32[16, 16]):
    amx_tile_config(16, 16, 16)
    store(D)
    amx_tile_release()
";

#[test]
fn state_of_the_hardware_is_set_by_callers_of_the_unit() {
    let (code, answer, said) = compile(STORE);
    assert_eq!(code, Some(4), "{said}");
    assert_eq!(verdict(&answer, "store"), "not compared", "{said}");
    assert!(said.contains("AmxTiles.palette == 1"), "{said}");
    let (code, answer, said) = compile(&format!("{STORE}{CALLER}"));
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(verdict(&answer, "store"), "not compared", "{said}");
    assert_eq!(verdict(&answer, "caller"), "agrees", "{said}");
}

#[test]
fn a_model_that_stops_does_not_stop_the_command() {
    // Gemmini's accumulator has 1024 rows.
    let (code, answer, said) = compile(
        "
@proc
def large(n: size):
    c: i32[1025, 16] @ GEMM_ACCUM
    gemmini_zero_acc(16, 16, c[0:16, 0:16])

@proc
def small(n: size, D: i32[16, 16]):
    c: i32[1024, 16] @ GEMM_ACCUM
    gemmini_zero_acc(16, 16, c[0:16, 0:16])
    gemmini_config_st_wide(stride(D, 0))
    gemmini_mvout_wide(16, 16, c[0:16, 0:16], D)
",
    );
    assert_eq!(code, Some(3), "{said}");
    assert_eq!(verdict(&answer, "large"), "differs", "{said}");
    assert_eq!(verdict(&answer, "small"), "agrees", "{said}");
    assert!(said.contains("the C stopped: gemmini: the accumulator is full"), "{said}");
}

#[test]
fn code_for_another_processor_is_run_by_an_emulator() {
    let (code, answer, said) = compile(
        "
@proc
def twice(x: f32[4]):
    v: f32[4] @ RVV
    rvv_vle32(4, v, x)
    w: f32[4] @ RVV
    rvv_vfadd_f32(4, w, v, v)
    rvv_vse32(4, x, w)
",
    );
    if code == Some(4) {
        assert!(said.contains("nothing here makes and runs code of rvv"), "{said}");
        return eprintln!("skipped: {said}");
    }
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(verdict(&answer, "twice"), "agrees", "{said}");
    assert!(said.contains("qemu-riscv64"), "{said}");
}

/// A class of the file's own is no register of the machine's: with it, a load would go by a distance that was never set.
/// [rule: name.hidden-state]
#[test]
fn a_class_of_the_files_own_hides_the_machines_and_its_instructions() {
    let text = "
@config
class ConfigLoad:
    src_stride: stride


@proc
def p(A: f32[2, 3], y: f32[2, 1]):
    a: f32[2, 16] @ ACCEL_ACCUM
    for i in seq(0, 2):
        for j in seq(0, 1):
            a[i, j] = A[i, j]
    accel_st(2, 1, a, y)


p = write_config(p, p.find(\"for i in _: _\").before(), ConfigLoad, \"src_stride\", \"stride(A, 0)\")
p = replace(p, \"for i in _: _\", accel_mvin_acc)
";
    let (code, said) = script(text);
    assert!(code != Some(0) && said.contains("nothing is called `accel_mvin_acc`"), "{said}");
    // The machine's own register is set by its instruction.
    let own = text.split_once("@proc").unwrap().1.replace("write_config(p, p", "insert_pass(p, p");
    let own = own.replace(", ConfigLoad, \"src_stride\", \"stride(A, 0)\")", ")");
    let (code, said) = script(&format!("@proc{own}"));
    assert!(code != Some(0) && !said.contains("nothing is called"), "{said}");
}

/// What takes a buffer of the scratchpad is compared where others of the unit call it. [rule: c.entry-state]
#[test]
fn places_of_a_model_are_no_places_of_c() {
    let text = "
@proc
def clear(x: [i8][16, 16] @ GEMM_SCRATCH):
    assert stride(x, 0) == 16
    assert stride(x, 1) == 1
    gemmini_zero(16, 16, x)


@proc
def caller(y: i32[16, 16]):
    a: i8[16, 16] @ GEMM_SCRATCH
    c: i32[16, 16] @ GEMM_ACCUM
    clear(a)
    gemmini_config_ex_ws()
    gemmini_matmul(16, 16, 16, a, a, c)
    gemmini_config_st_wide(16)
    gemmini_mvout_wide(16, 16, c, y)
";
    let (code, answer, said) = compile(text);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(verdict(&answer, "clear"), "not compared", "{said}");
    assert_eq!(verdict(&answer, "caller"), "agrees", "{said}");
}

/// Fields and classes keep away from the macros of a model. [rule: c.names]
#[test]
fn fields_avoid_the_macros_of_a_model() {
    let text = "
@config
class WEIGHT_STATIONARY:
    GEMMINI_ACCUMULATE: index
    WEIGHT_STATIONARY: index


@proc
def p(x: i8[16, 16]):
    WEIGHT_STATIONARY.WEIGHT_STATIONARY = 3
    a: i8[16, 16] @ GEMM_SCRATCH
    gemmini_config_ld0(16)
    gemmini_config_ex_ws()
    gemmini_mvin(16, 16, x, a)
";
    let (code, answer, said) = compile(text);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(verdict(&answer, "p"), "agrees", "{said}");
}

/// A memory of the file's own is none of the machine's, whatever it is called. [rule: name.hidden-state]
#[test]
fn a_memory_of_the_files_own_hides_the_machines_and_its_instructions() {
    let text = "
class Neon(Memory):
    pass


@proc
def p(x: f32[4], y: f32[4]):
    a: f32[4] @ Neon
    for i in seq(0, 4):
        a[i] = x[i]
    for i in seq(0, 4):
        y[i] = a[i]


p = replace(p, \"for i in _: _\", neon_vld1q_f32)
";
    let (code, said) = script(text);
    assert!(code != Some(0) && said.contains("nothing is called `neon_vld1q_f32`"), "{said}");
    // The machine's own memory is reached by its instruction.
    let (code, said) = script(&text.replace("class Neon(Memory):\n    pass\n", ""));
    assert!(code == Some(0), "{said}");
}

/// [rule: c.names], [rule: backend.processor]
#[test]
fn names_of_headers_and_registers_of_two_processors() {
    let load = "
@proc
def vaddq_f32(x: f32[4], y: f32[4]):
    float32x4_t: f32[4] @ Neon
    neon_vld1q_f32(float32x4_t, x)
    neon_vst1q_f32(y, float32x4_t)
";
    let (code, answer, said) = compile(load);
    if code == Some(4) {
        assert!(said.contains("nothing here makes and runs code of neon"), "{said}");
        eprintln!("skipped: {said}");
    } else {
        assert_eq!(code, Some(0), "{said}");
        assert_eq!(verdict(&answer, "vaddq_f32"), "agrees", "{said}");
    }
    let (code, _, said) = compile(&format!(
        "{load}
@proc
def other(x: f32[8], y: f32[8]):
    v: f32[8] @ AVX2
    mm256_loadu_ps(v, x)
    mm256_storeu_ps(y, v)
"
    ));
    assert!(code != Some(0) && said.contains("one unit for two processors, AArch64 and x86-64"), "{said}");
}
