//! Generated C, compiled and run.

mod common;

use common::harness::{assert_agrees, assert_in_corpus, compiler, input};
use common::{compile, module};
use rewright_backends::harness::agree::{Difference, Mode, Verdict, agree};
use rewright_backends::harness::{Built, HarnessError};
use rewright_backends::toolchain::{Compiler, STRICT, run};
use rewright_semantics::ast::Decimal;
use rewright_semantics::inputs::{Input, InputBuffer, InputValue};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// One program for each fault of C that is known, with every compiler there is. Each also runs with
/// OpenMP, where its parallel loops are.
#[test]
fn the_corpus_about_c_agrees_with_the_interpreter() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testsuite/corpus/ok");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !name.starts_with("c-") {
            continue;
        }
        let m = module(&std::fs::read_to_string(&path).unwrap());
        let flags: &[&str] = if name == "c-parallel.py" { &["-fopenmp"] } else { &[] };
        for compiler in Compiler::available() {
            // Clang comes without OpenMP's library.
            let flags = if compiler.version.contains("clang") { &[] } else { flags };
            let built = Built::with_flags(&m, &compiler, flags).unwrap();
            built.check().unwrap();
            built.check_with(&["-O2"]).unwrap();
            for f in &built.unit().functions {
                let proc = f.proc.name.as_str();
                (1..4).for_each(|seed| assert_in_corpus(&built, proc, seed, Mode::Fast));
            }
            if compiler.version.contains("clang") {
                continue;
            }
            for f in &built.unit().functions {
                assert_in_corpus(&built, f.proc.name.as_str(), 4, Mode::Sanitized);
            }
        }
        count += 1;
    }
    assert!(count >= 12, "only {count} programs");
}

/// They wait in OpenMP's library for more work: the process would end with it, on the first or second time.
#[test]
fn threads_outlive_the_object_that_started_them() {
    let text = "
@proc
def set(n: size, x: f32[n]):
    for i in par(0, n):
        x[i] = 1.0
";
    let (module, compiler) = (module(text), compiler());
    if compiler.version.contains("clang") {
        return;
    }
    for seed in 0..5 {
        let built = Built::with_flags(&module, &compiler, &["-fopenmp"]).unwrap();
        assert_agrees(&built, "set", seed, Mode::Fast);
    }
}

const SCRATCH: &str = "
class SCRATCH(Memory):
    @classmethod
    def global_(cls):
        return \"#include <stdlib.h>\\nstatic inline void *hw_malloc(size_t n) { return malloc(n); }\"

    @classmethod
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f\"{prim_type} *{new_name} = hw_malloc({shape[0]} * {shape[1]} * sizeof({prim_type}));\"

    @classmethod
    def free(cls, new_name, prim_type, shape, srcinfo):
        return f\"free({new_name});\"

    @classmethod
    def window(cls, basetype, baseptr, indices, strides, srcinfo):
        return f\"{baseptr}[{indices[0]} * {strides[0]} + {indices[1]}]\"


@instr(\"hw_load({dst}.data, &{src_data}, {n}, {src.strides[0]});\",
       \"static inline void hw_load(float *d, const float *s, int n, int stride) { for (int i = 0; i < n; i++) d[i] = s[stride * i]; }\")
def load(n: size, dst: [f32][n] @ SCRATCH, src: [f32][n] @ DRAM):
    assert stride(dst, 0) == 1
    for i in seq(0, n):
        dst[i] = src[i]


@instr(\"for (int k = 0; k < {n_data}; k++) (&{dst_data})[{dst.strides[0]} * k] = {src}.data[k];\")
def store(n: size, dst: [f32][n] @ DRAM, src: [f32][n] @ SCRATCH):
    assert stride(src, 0) == 1
    for i in seq(0, n):
        dst[i] = src[i]


@proc
def transpose(n: size, m: size, A: [f32][n, m], B: f32[m, n]):
    t: f32[m, n + 1] @ SCRATCH
    for k in seq(0, m):
        load(n, t[k, 0:n], A[0:n, k])
        store(n, B[k, 0:n], t[k, 0:n])
";

/// Spec: [rule: c.memory], [rule: c.instr].
#[test]
fn memories_and_instructions_of_the_user_work_end_to_end() {
    let built = Built::new(&module(SCRATCH), &compiler()).unwrap();
    for seed in 0..3 {
        assert_agrees(&built, "transpose", seed, Mode::Fast);
    }
    assert_agrees(&built, "transpose", 3, Mode::Sanitized);
    let source = &built.unit().source;
    assert!(source.contains("    float *t = hw_malloc(m * (n + 1) * sizeof(float));"), "{source}");
    assert!(
        source.contains("hw_load((&t[k_1 * (n + 1) + 0]), &A.data[A.strides[1] * k_1], n, A.strides[0]);"),
        "{source}"
    );
}

const TAGGED: &str = "
class LOCAL(Memory):
    @classmethod
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f\"{prim_type} {new_name}[{shape[0]}];\"

    @classmethod
    def can_read(cls):
        return True

    @classmethod
    def write(cls, s, lhs, rhs):
        return f\"{lhs} = {rhs};\"

    @classmethod
    def reduce(cls, s, lhs, rhs):
        return f\"{lhs} += {rhs};\"


@proc
def sums(n: size, x: f32[n, 4], y: f32[n]):
    t: f32[4] @ LOCAL
    for i in seq(0, n):
        for j in seq(0, 4):
            t[j] = x[i, j] * 2.0
        w = t[1:4]
        w[1] += t[0]
        y[i] = w[1] + w[2]
";

#[test]
fn memories_of_the_user_may_allow_what_c_does() {
    let built = Built::new(&module(TAGGED), &compiler()).unwrap();
    built.check().unwrap();
    (0..3).for_each(|seed| assert_agrees(&built, "sums", seed, Mode::Fast));
    assert!(built.unit().source.contains("        w.data[1] += t[0];\n"), "{}", built.unit().source);
}

#[test]
fn vector_registers_work_where_the_machine_has_them() {
    let text = "
@instr(\"{dst_data} = _mm256_loadu_ps(&{src_data});\")
def load(dst: [f32][8] @ AVX2, src: [f32][8] @ DRAM):
    for i in seq(0, 8):
        dst[i] = src[i]


@instr(\"_mm256_storeu_ps(&{dst_data}, {src_data});\")
def store(dst: [f32][8] @ DRAM, src: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] = src[i]


@instr(\"{dst_data} = _mm256_fmadd_ps({a_data}, {b_data}, {dst_data});\")
def fma(dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2, b: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] += a[i] * b[i]


@proc
def multiply(n: size, A: f32[n, 32], b: f32[32], c: f32[n, 8]):
    v: f32[4, 8] @ AVX2
    for l in seq(0, 4):
        load(v[l, 0:8], b[8 * l : 8 * l + 8])
    for i in seq(0, n):
        sum: f32[8] @ AVX2
        load(sum, c[i, 0:8])
        for l in seq(0, 4):
            row: f32[8] @ AVX2
            lane = v[l, 0:8]
            load(row[0:8], A[i, 8 * l : 8 * l + 8])
            fma(sum[0:8], row[0:8], lane[0:8])
        store(c[i, 0:8], sum[0:8])
";
    let source = compile(text).source;
    for line in [
        "    __m256 v[4];\n",
        "v[l] = _mm256_loadu_ps(&b[8 * l]);",
        "sum = _mm256_fmadd_ps(row, v[l], sum);",
        "_mm256_storeu_ps(&c[8 * i], sum);",
    ] {
        assert!(source.contains(line), "no `{line}` in\n{source}");
    }
    let built = match Built::new(&module(text), &compiler()) {
        Ok(built) => built,
        Err(HarnessError::Unsupported(_)) => return,
        Err(why) => panic!("{why}"),
    };
    assert_agrees(&built, "multiply", 1, Mode::Fast);
    assert_agrees(&built, "multiply", 2, Mode::Sanitized);
}

const WRONG: &str = "
@instr(\"{x_data} = 2.0f;\")
def set_one(x: [f32][2]):
    x[0] = 1.0


@proc
def wrong(x: f32[8]):
    set_one(x[3:5])


@instr(\"(&{x_data})[6] = 1.0f;\")
def far(x: [f32][2]):
    x[0] = 1.0


@proc
def outside(x: f32[8]):
    far(x[3:5])


@instr(\"{x_data} = 1.0f; (&{x_data})[1] = 7.0f;\")
def between(x: [f32][2]):
    x[0] = 1.0


@proc
def gaps(x: [f32][2]):
    assert stride(x, 0) == 2
    between(x)
";

#[track_caller]
fn difference(built: &Built, proc: &str) -> Difference {
    let verdict = built.agree(proc, &input(built, proc, 1), Mode::Fast);
    let Ok(Verdict::Differs(d)) = verdict else { panic!("{proc}: {verdict:?}") };
    d
}

/// Spec: [rule: c.agrees].
#[test]
fn a_wrong_instruction_is_found_out() {
    let built = Built::new(&module(WRONG), &compiler()).unwrap();
    let wrong = difference(&built, "wrong");
    assert_eq!((wrong.place.as_str(), wrong.expected.as_str(), wrong.found.as_str()), ("x[3]", "1", "2"));
    assert_eq!(difference(&built, "gaps").expected, "a cell between those of the window");
    match built.agree("outside", &input(&built, "outside", 1), Mode::Sanitized) {
        Err(HarnessError::Tool(e)) => assert!(e.to_string().contains("heap-buffer-overflow"), "{e}"),
        other => panic!("{other:?}"),
    }
}

/// Spec: [rule: c.agrees].
#[test]
fn inputs_that_are_rejected_and_programs_that_fail_are_told_apart() {
    let m = module(
        "
@proc
def f(n: size, x: f32[n]):
    assert n >= 3
    x[2] = 1.0

@proc
def g(n: size, x: f32[n]):
    f(n, x)
",
    );
    let cells = vec![Some(Decimal::new(1, 0)); 2];
    let x = InputBuffer { shape: vec![2], cells, layout: None };
    let args = vec![("n".into(), InputValue::Int(2)), ("x".into(), InputValue::Data(x))];
    let input = Input { args, fields: BTreeMap::new() };
    let run = |proc: &str| agree(&m, proc, &input, &compiler()).unwrap();
    assert!(matches!(run("f"), Verdict::InputRejected(_)));
    assert!(matches!(run("g"), Verdict::Faulty(_)));
}

#[test]
fn configurations_are_read_and_written_back() {
    let m = module(
        "
@config
class Cfg:
    n: size
    on: bool
    scale: f64
    bias: i8


@proc
def f(x: f64[4]):
    assert Cfg.n < 100
    if Cfg.on:
        x[0] = Cfg.scale
    Cfg.scale = x[1]
    Cfg.on = Cfg.n > 3
    Cfg.n = Cfg.n + 1
    Cfg.bias = x[2]
",
    );
    let built = Built::new(&m, &compiler()).unwrap();
    (0..4).for_each(|seed| assert_agrees(&built, "f", seed, Mode::Fast));
    assert_agrees(&built, "f", 4, Mode::Sanitized);
}

/// Two units in one C++ file: the guards hold, and the prototypes are C++ too.
#[test]
fn headers_are_read_together_and_by_cpp() {
    let text = "
@config
class Cfg:
    n: size

@proc
def NAME(n: size, private: [f32][n], new: f32[n], this: bool):
    Cfg.n = n
    for i in seq(0, n):
        new[i] = private[i]
";
    let dir = tempfile::tempdir().unwrap();
    for name in ["first", "second"] {
        let m = module(&text.replace("NAME", name));
        let options = rewright_backends::c::Options::new(name);
        let unit = rewright_backends::c::compile_module(&m, &options).unwrap();
        std::fs::write(dir.path().join(format!("{name}.h")), unit.header).unwrap();
    }
    let user =
        "#include \"first.h\"\n#include \"second.h\"\n#include \"first.h\"\nint main(void) { return 0; }\n";
    std::fs::write(dir.path().join("user.c"), user).unwrap();
    std::fs::write(dir.path().join("user.cpp"), user).unwrap();
    let limit = Duration::from_secs(60);
    let mut c = Command::new(&compiler().path);
    run(c.current_dir(&dir).args(STRICT).args(["-fsyntax-only", "user.c"]), limit)
        .unwrap()
        .success()
        .unwrap();
    let mut cpp = Command::new("g++");
    cpp.current_dir(&dir).args([
        "-std=c++11",
        "-Wall",
        "-Wextra",
        "-Wpedantic",
        "-Werror",
        "-fsyntax-only",
        "user.cpp",
    ]);
    if let Ok(done) = run(&mut cpp, limit) {
        done.success().unwrap();
    }
}

/// What the harness itself is made of does not get in the way.
/// Spec: [rule: c.harness].
#[test]
fn procedures_may_be_called_like_parts_of_the_harness() {
    for name in ["args", "ctl", "rewright_args", "shims", "number", "fputs", "ungetc", "read", "stdout"] {
        let m =
            module(&format!("@proc\ndef {name}(n: size, x: f32[n], w: [f32][n]):\n    x[0] = w[n - 1]\n"));
        let built = Built::new(&m, &compiler()).unwrap();
        assert_agrees(&built, name, 0, Mode::Fast);
        assert_agrees(&built, name, 0, Mode::Sanitized);
    }
}

const CONTRACTED: &str = "
@proc
def axpy(n: size, a: f32, x: [f32][n], y: f32[n]):
    for i in seq(0, n):
        y[i] += a * x[i]


@proc
def dots(n: size, x: f64[n], y: f64[n], z: f64[n]):
    for i in seq(0, n):
        z[i] = x[i] * y[i] - z[i] * z[i]
";

/// Neither compiler makes one instruction of a product and a sum, whatever the machine has and the standard's name is.
/// Spec: [rule: c.rounding].
#[test]
fn no_compiler_contracts() {
    #[cfg(target_arch = "x86_64")]
    if !std::arch::is_x86_feature_detected!("fma") {
        return;
    }
    let m = module(CONTRACTED);
    let fused = |text: &str| text.contains("vfm") || text.contains("vfnm") || text.contains("fmadd");
    for compiler in Compiler::available() {
        for standard in ["-std=c11", "-std=gnu11"] {
            let machine = if cfg!(target_arch = "x86_64") { "-mfma" } else { "-O2" };
            let flags = [standard, machine, "-O3"];
            let built = Built::with_flags(&m, &compiler, &flags).unwrap();
            built.check_with(&flags).unwrap();
            for seed in 1..9 {
                for proc in ["axpy", "dots"] {
                    assert_in_corpus(&built, proc, seed, Mode::Fast);
                }
            }
            let assembly = |source: &str| {
                let mut command = Command::new(&compiler.path);
                command.current_dir(built.dir()).args(flags).args(["-S", "-o", "-", source]);
                run(&mut command, Duration::from_secs(60)).unwrap().success().unwrap()
            };
            assert!(!fused(&assembly("unit.c")), "{} {standard}", compiler.family);
            // Without the pragmas one of the two does it.
            let bare: String = built
                .unit()
                .source
                .lines()
                .filter(|l| !l.starts_with("#pragma"))
                .collect::<Vec<_>>()
                .join("\n");
            std::fs::write(built.dir().join("bare.c"), bare).unwrap();
            let is_default = compiler.version.contains("clang") || standard == "-std=gnu11";
            assert_eq!(fused(&assembly("bare.c")), is_default, "{} {standard}", compiler.family);
        }
    }
}

/// A unit that uses one instruction of a model compiles without a warning about the others.
/// Spec: [rule: c.toolchain].
#[test]
fn a_part_of_a_model_gives_no_warning() {
    let text = "
@instr(\"{x_data} = 1.0f;\", \"static int counted;\\nstatic void count(void) { counted++; }\")
def one(x: [f32][1]):
    x[0] = 1.0


@proc
def p(x: f32[1]):
    one(x[0:1])
";
    for compiler in Compiler::available() {
        Built::new(&module(text), &compiler).unwrap().check().unwrap();
    }
}

/// Spec: [rule: c.memory].
#[test]
fn what_stands_in_a_template_is_an_operand() {
    let text = "
class TWICE(Memory):
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f\"{prim_type} {new_name}[{shape[0]} * 2];\"

    def window(cls, basetype, baseptr, indices, strides, srcinfo):
        return f\"*({baseptr} + {indices[0]} * 2)\"

    def read(cls, s, lhs):
        return f\"{lhs} / 2.0f\"

    def write(cls, s, lhs, rhs):
        return f\"{lhs} = {rhs} * 2.0f;\"

    def reduce(cls, s, lhs, rhs):
        return f\"{lhs} = {lhs} + {rhs} * 2.0f;\"


@proc
def p(x: f32[4], y: f32[4]):
    t: f32[4] @ TWICE
    for i in seq(0, 4):
        t[3 - i] = select(x[i], 0.0, -x[i], x[i] + 1.0)
        t[3 - i] += x[i] - 2.0
        t[3 - i] += -(-x[i])
        y[i] = 4.0 / t[3 - i] * select(t[3 - i], 1.0, 2.0, -t[3 - i]) - t[3 - i]
";
    let built = Built::new(&module(text), &compiler()).unwrap();
    built.check().unwrap();
    for seed in 0..8 {
        assert_in_corpus(&built, "p", seed, Mode::Fast);
    }
    assert_in_corpus(&built, "p", 9, Mode::Sanitized);
}
