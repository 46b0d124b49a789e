//! What begins with zeros, because it may be read where nothing was written. Spec: [rule: c.unset].

mod common;

use common::harness::assert_in_corpus;
use common::{check, module};
use rewright_backends::harness::agree::Mode;
use rewright_backends::harness::{Built, HarnessError};
use rewright_backends::toolchain::Compiler;

/// Registers that an instruction changes in part, or reads, before anything is written to them.
/// Spec: [rule: c.unset].
#[test]
fn registers_that_are_read_unset_begin_with_zeros() {
    let text = "
@instr(\"{dst_data} = _mm256_add_ps({dst_data}, {a_data});\")
def add(dst: [f32][8] @ AVX2, a: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] += a[i]


@instr(\"{dst_data} = _mm256_blend_ps({dst_data}, _mm256_set1_ps(1.0f), 15);\")
def low(dst: [f32][8] @ AVX2):
    for i in seq(0, 4):
        dst[i] = 1.0


@instr(\"{dst_data} = _mm256_set1_ps(1.0f);\")
def all(dst: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] = 1.0


@proc
def p(n: size):
    a: f32[8] @ AVX2
    b: f32[2, 8] @ AVX2
    c: f32[8] @ AVX2
    d: f32[8] @ AVX2
    e: f32[8] @ AVX2
    f: f32[8] @ AVX2
    low(a)
    all(c)
    for i in seq(0, 2):
        add(b[i, 0:8], c)
    if n > 3:
        all(d)
    add(c, d)
    for i in seq(1, n):
        all(e)
    add(c, e)
    for i in seq(0, 2):
        all(f)
    add(c, f)
";
    for compiler in Compiler::available() {
        let built = match Built::new(&module(text), &compiler) {
            Ok(built) => built,
            Err(HarnessError::Unsupported(_)) => return,
            Err(why) => panic!("{why}"),
        };
        built.check().unwrap();
        built.check_with(&["-O2"]).unwrap();
        let source = &built.unit().source;
        let zeros = ["__m256 a = { 0 };", "__m256 b[2] = { 0 };", "__m256 d = { 0 };", "__m256 e = { 0 };"];
        for line in zeros.into_iter().chain(["__m256 c;", "__m256 f;"]) {
            assert!(source.contains(line), "no `{line}` in\n{source}");
        }
    }
}

/// Arrays of which only some cells are written before others are read: by numbers, in loops between numbers, through
/// windows of windows, by callees. Those that are written wherever they are read have no zeros.
/// Spec: [rule: c.unset].
#[test]
fn arrays_that_are_read_where_they_are_unset_begin_with_zeros() {
    let text = "
@instr(\"{dst_data} = _mm256_set1_ps(1.0f);\")
def all(dst: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] = 1.0


@instr(\"_mm256_storeu_ps(&{dst_data}, {src_data});\")
def store(dst: [f32][8] @ DRAM, src: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] = src[i]


@proc
def first(x: [f32][4]):
    x[0] = 1.0


@proc
def front(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 1.0


@proc
def last(x: [f32][4], y: f32[1]):
    x[2] = 1.0
    y[0] = x[3]


@proc
def zeros(n: size, y: f32[1], z: f32[8]):
    assert n <= 4
    a: f32[4]
    a[0] = 1.0
    y[0] = a[3]
    b: f32[2, 4]
    for i in seq(0, 4):
        b[0, i] = 1.0
    for i in seq(0, 2):
        y[0] += b[i, 2]
    c: f32[4]
    cw = c[1:4]
    cv = cw[1:3]
    cv[0] = 1.0
    y[0] += cv[1]
    d: f32[4]
    first(d[0:4])
    y[0] += d[1]
    e: f32[4]
    front(2, e[0:2])
    y[0] += e[2]
    f: f32[4]
    f[0] = 1.0
    last(f[0:4], y)
    g: f32[4] @ DRAM_STACK
    g[1] = 1.0
    if n > 2:
        g[2] = 1.0
    y[0] += g[3] + g[1]
    r: f32[2, 8] @ AVX2
    all(r[0, 0:8])
    store(z[0:8], r[1, 0:8])


@proc
def plain(n: size, y: f32[1], z: f32[8]):
    assert n <= 4
    h: f32[4]
    h[0] = 1.0
    h[2] = 2.0
    y[0] = h[2] + h[0]
    k: f32[2, 4]
    for i in seq(0, 2):
        for j in seq(0, 4):
            k[1 - i, j] = 1.0
    for i in seq(0, 8):
        y[0] += k[i / 4, i % 4]
    l: f32[4]
    for i in seq(0, n):
        l[i] = 1.0
    for i in seq(0, n):
        y[0] += l[i]
    m: f32[n]
    m[0] = 1.0
    y[0] += m[0]
    o: f32[4]
    ow = o[1:4]
    first(o[0:4])
    front(3, ow)
    y[0] += o[3]
    p: f32[4]
    if n > 2:
        p[1] = 1.0
    else:
        p[1] = 2.0
    y[0] += p[1]
    s: f32[2, 8] @ AVX2
    for i in seq(0, 2):
        all(s[i, 0:8])
    store(z[0:8], s[1, 0:8])
";
    for compiler in Compiler::available() {
        let built = match Built::new(&module(text), &compiler) {
            Ok(built) => built,
            Err(HarnessError::Unsupported(_)) => return,
            Err(why) => panic!("{why}"),
        };
        built.check().unwrap();
        built.check_with(&["-O2"]).unwrap();
        let source = &built.unit().source;
        let zeros = [
            "float *a = calloc(4, sizeof(*a));",
            "float *b = calloc(8, sizeof(*b));",
            "float *c = calloc(4, sizeof(*c));",
            "float *d = calloc(4, sizeof(*d));",
            "float *e = calloc(4, sizeof(*e));",
            "float *f = calloc(4, sizeof(*f));",
            "float g[4] = { 0 };",
            "__m256 r[2] = { 0 };",
        ];
        for line in zeros {
            assert!(source.contains(line), "no `{line}` in\n{source}");
        }
        let plain = source.split("void plain(").nth(1).expect("its C");
        assert!(!plain.contains("calloc") && !plain.contains("{ 0 }"), "{plain}");
        for seed in 0..8 {
            assert_in_corpus(&built, "plain", seed, Mode::Sanitized);
        }
    }
}

/// What either branch writes of an array is written, and of a scalar what both write.
#[test]
fn what_one_branch_writes_is_written_to_an_array() {
    let text = "
@proc
def p(n: size, y: f32[1]):
    a: f32[4]
    b: f32[4]
    if n > 2:
        a[1] = 1.0
    else:
        b[1] = 2.0
    y[0] = a[1] + b[1]
    s: f32
    t: f32
    if n > 2:
        s = 1.0
        t = 1.0
    else:
        t = 2.0
    y[0] += s + t
";
    let present = [
        "float *a = malloc(4 * sizeof(*a));",
        "float *b = malloc(4 * sizeof(*b));",
        "float s = 0;",
        "float t;",
    ];
    check(text, &present, &[]);
}

/// One row that is written is no other, in two dimensions and in three.
#[test]
fn rows_are_told_apart() {
    let text = "
@proc
def p(y: f32[4]):
    a: f32[2, 4]
    b: f32[2, 4]
    for i in seq(0, 4):
        a[1, i] = 1.0
        b[1, i] = 1.0
    y[0] = a[0, 2] + b[1, 2]
    c: f32[2, 2, 2]
    d: f32[2, 2, 2]
    for i in seq(0, 2):
        c[1, 0, i] = 1.0
        d[1, 0, i] = 1.0
    y[1] = c[0, 0, 1] + d[1, 0, 1]
";
    let present = [
        "float *a = calloc(8, sizeof(*a));",
        "float *b = malloc(8 * sizeof(*b));",
        "float *c = calloc(8, sizeof(*c));",
        "float *d = malloc(8 * sizeof(*d));",
    ];
    check(text, &present, &[]);
}

/// In the last iteration of the outer loop the first inner one does not run, and the second does.
#[test]
fn a_loop_that_may_be_left_out_writes_nothing_for_sure() {
    let text = "
@proc
def p(x: f32[6]):
    for i in seq(0, 5):
        s: f32
        for j in seq(i, 4):
            s = 1.0
        t: f32
        for j in seq(i, 5):
            t = 1.0
        x[i] = s + t
";
    check(text, &["float s = 0;", "float t;"], &[]);
}

/// Only an instruction that surely writes every lane leaves nothing to be read.
#[test]
fn an_instruction_that_may_leave_lanes_alone_is_given_zeros() {
    let text = "
@instr(\"guarded({dst_data});\")
def guarded(dst: [f32][8] @ AVX2):
    for i in seq(0, 8):
        if i < 4:
            dst[i] = 1.0


@instr(\"twice({dst_data});\")
def twice(dst: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i / 2] = 1.0


@instr(\"pair({whole_data}, {part_data});\")
def pair(whole: [f32][8] @ AVX2, part: [f32][8] @ AVX2):
    for i in seq(0, 8):
        whole[i] = 1.0
    for i in seq(0, 4):
        part[i] = 1.0


@instr(\"either({dst_data});\")
def either(dst: [f32][8] @ AVX2):
    for i in seq(0, 8):
        if i < 4:
            dst[i] = 1.0
        else:
            dst[i] = 2.0


@proc
def p():
    a: f32[8] @ AVX2
    guarded(a)
    b: f32[8] @ AVX2
    twice(b)
    c: f32[8] @ AVX2
    d: f32[8] @ AVX2
    pair(c, d)
    e: f32[8] @ AVX2
    either(e)
";
    let present = ["__m256 a = { 0 };", "__m256 b = { 0 };", "__m256 c;", "__m256 d = { 0 };", "__m256 e;"];
    check(text, &present, &[]);
}

/// The C of a loop that never runs is there all the same, and compilers look at it.
#[test]
fn what_never_runs_gives_no_warning() {
    let text = "
@proc
def p(x: f32[4]):
    t: f32[4]
    t[0] = 1.0
    for i in seq(0, 0):
        s: f32
        s = s + 1.0
        s += t[i]
        x[i] = s
        t[3] = 1.0
    x[0] = t[0] + t[3]
";
    check(text, &["float s = 0;", "float *t = calloc(4, sizeof(*t));"], &[]);
    for compiler in Compiler::available() {
        let built = Built::new(&module(text), &compiler).expect("its C compiles");
        built.check().expect("no warning");
        built.check_with(&["-O2"]).expect("no warning");
    }
}
