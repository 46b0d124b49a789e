//! What the C looks like: for each program, lines that must be there and words that must not.

mod common;

use common::{check, compile};

#[test]
fn indices_are_linear_sorted_and_have_few_parentheses() {
    let text = "
@proc
def f(n: size, m: size, A: f32[n, m], B: f32[n, 8, m], C: f32[16, 16]):
    for jo in seq(0, n / 4):
        for ji in seq(0, 4):
            for k in seq(0, m):
                A[ji + 4 * jo, k] = B[4 * jo + ji, 2 + 1, k]
                C[1 + ji, ji + 2] = A[0, k] + A[1, 0]
";
    check(
        text,
        &[
            "A[m * (4 * jo + ji) + k] = B[8 * m * (4 * jo + ji) + 3 * m + k];",
            "C[17 * ji + 18] = A[k] + A[m];",
        ],
        &["(("],
    );
}

#[test]
fn operators_of_c_are_used_where_dividends_are_not_negative() {
    let text = "
@proc
def f(n: size, k: index, x: f32[n]):
    assert k >= 3
    for i in seq(0, n):
        x[(n - i - 1) / 2] = 1.0
        x[(k - 3) % 4 * 0] = 2.0
        if i >= k:
            x[(i - k) / 2] = 3.0
        x[i - i % 4] = 4.0
        for j in seq(0, i):
            x[(i - j) / 3] = 5.0
";
    let present = [
        "x[(n - i - 1) / 2] = 1.0f;",
        "x[(i - k) / 2] = 3.0f;",
        "x[i - i % 4] = 4.0f;",
        "x[(i - j) / 3] = 5.0f;",
    ];
    check(text, &present, &["floor_"]);
}

#[test]
fn helpers_are_there_when_used_and_only_then() {
    let text = "
@proc
def f(n: size, k: index, x: f32[n]):
    x[k % 4] = relu(x[k / 4])
";
    check(text, &["x[floor_mod(k, 4)] = relu_f32(x[floor_div(k, 4)]);"], &["divide_i32("]);
}

/// Spec: [rule: c.const], [rule: c.calls].
#[test]
fn const_goes_through_windows_calls_and_instructions() {
    let text = "
@instr(\"set({x_data});\")
def set(x: [f32][4], y: [f32][4]):
    for i in seq(0, 4):
        x[i] = y[i]

@proc
def inner(n: size, a: [f32][n], b: f32[n]):
    w = a[0:n]
    w[0] = b[0]

@proc
def outer(n: size, a: f32[n], b: f32[n], c: f32[n], d: f32[n], e: f32):
    assert n > 8
    inner(n, a, b)
    v = c[0:n]
    u = v[1:5]
    set(u, d[0:4])
";
    let unit = compile(text);
    let outer =
        "void outer(int_fast32_t n, float *a, const float *b, float *c, const float *d, const float *e);";
    assert!(unit.header.contains(outer), "{}", unit.header);
    assert!(unit.header.contains("void inner(int_fast32_t n, struct win_1f32 a, const float *b);"));
}

#[test]
fn restrict_is_left_out_where_a_call_of_the_unit_overlaps() {
    let text = "
@proc
def add(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        y[i] += x[i]

@proc
def through(n: size, a: f32[n], b: f32[n]):
    add(n, a, b)

@proc
def overlapping(n: size, a: f32[n]):
    through(n, a, a)

@proc
def reading(n: size, x: f32[n], y: f32[n], z: f32):
    z = x[0] + y[0]

@proc
def shared(n: size, a: f32[n], z: f32):
    reading(n, a, a, z)
";
    let present = [
        "void add(int_fast32_t n, const float *x, float *y) {",
        "void through(int_fast32_t n, const float *a, float *b) {",
        "void overlapping(int_fast32_t n, float *restrict a) {",
        "void reading(int_fast32_t n, const float *restrict x, const float *restrict y, float *restrict z) {",
    ];
    check(text, &present, &[]);
}

#[test]
fn what_is_not_used_is_said_to_be_meant() {
    let text = "
@proc
def f(n: size, x: f32[n], b: bool):
    t: f32
    t = 1.0
    u: f32[4] @ DRAM_STACK
    w = x[0:n]
    for i in seq(0, n):
        pass
";
    check(text, &["(void)b;", "(void)t;", "(void)u;", "(void)w;"], &["(void)n;", "(void)x;"]);
}

#[test]
fn the_context_goes_where_it_is_needed_and_is_const_where_it_is_read() {
    let text = "
@config
class Cfg:
    scale: f32
    on: bool

@config(readwrite=False)
class Hidden:
    s: stride

@instr(\"hw({s});\")
def hidden(s: stride):
    Hidden.s = s

@proc
def reads(x: f32):
    x = x * Cfg.scale

@proc
def plain(x: f32):
    hidden(4)
    x = 1.0

@proc
def writes(x: f32):
    Cfg.on = True
    plain(x)
    reads(x)
";
    let unit = compile(text);
    for line in [
        "void reads(const unit_ctxt *ctxt, float *x);",
        "void plain(float *x);",
        "void writes(unit_ctxt *ctxt, float *x);",
        "        float scale;\n        bool on;\n    } Cfg;",
    ] {
        assert!(unit.header.contains(line), "{}", unit.header);
    }
    assert!(!unit.header.contains("Hidden"));
    assert!(unit.source.contains("    hw(4);\n"));
}

#[test]
fn private_procedures_are_static_and_absent_when_nobody_calls_them() {
    let text = "
@proc
def helper(x: f32):
    x = 1.0

@proc
def inner(x: f32):
    x = 3.0

@proc
def lonely(x: f32):
    inner(x)

@proc
def main_one(x: f32):
    helper(x)
";
    let mut options = rewright_backends::c::Options::new("unit");
    options.private.extend(["helper", "inner", "lonely"].map(str::to_owned));
    let unit = rewright_backends::c::compile_module(&common::module(text), &options).unwrap();
    assert!(unit.source.contains("static void helper(float *restrict x) {"));
    assert!(!unit.source.contains("lonely") && !unit.source.contains("inner"));
    assert!(!unit.header.contains("helper"));
    assert!(unit.header.contains("void main_one(float *x);"));
}

/// A quotient of integers traps in C for a divisor that is zero, which a literal may be.
#[test]
fn a_quotient_is_plain_where_its_divisor_is_safe() {
    let text = "
@proc
def f(x: i32[4]):
    x[0] = x[0] / 3.0
    x[1] = x[1] / 0.0
    x[2] = x[2] / x[3]
";
    let source = compile(text).source;
    let line = |k: usize| {
        let of = format!("x[{k}] = ");
        let found = source.lines().find_map(|l| l.trim().strip_prefix(&of));
        found.unwrap_or_else(|| panic!("no x[{k}] in\n{source}")).to_owned()
    };
    let plain = |k: usize| line(k).contains(&format!("x[{k}] / "));
    assert_eq!([plain(0), plain(1), plain(2)], [true, false, false], "{source}");
}

/// Spec: [rule: backend.real].
#[test]
fn reals_become_what_the_caller_says() {
    let m = common::module("\n@proc\ndef f(x: R, y: [R][4]):\n    t: R\n    t = 0.1\n    x = t + y[0]\n");
    let mut options = rewright_backends::c::Options::new("unit");
    options.real = Some(rewright_semantics::types::DataType::F64);
    let unit = rewright_backends::c::compile_module(&m, &options).unwrap();
    assert!(unit.header.contains("void f(double *x, struct win_1f64c y);"), "{}", unit.header);
    assert!(unit.source.contains("    double t = 0.1;\n"), "{}", unit.source);
    options.real = None;
    let found = rewright_backends::c::compile_module(&m, &options).unwrap_err();
    assert_eq!(found.iter().map(|d| d.rule).collect::<Vec<_>>(), ["backend.real"; 3]);
}

#[test]
fn the_dependency_file_names_the_sources() {
    let mut options = rewright_backends::c::Options::new("unit");
    options.sources = vec!["kernels/my gemm.py".to_owned(), "b.py".to_owned()];
    let unit = rewright_backends::c::compile_module(&Default::default(), &options).unwrap();
    assert_eq!(unit.depends, "unit.c unit.h: \\\n    kernels/my\\ gemm.py \\\n    b.py\n");
}

#[test]
fn compiling_twice_gives_the_same_text() {
    let text = include_str!("../../testsuite/corpus/ok/c-keywords.py");
    let (a, b) = (compile(text), compile(text));
    assert_eq!((a.header, a.source), (b.header, b.source));
}

#[test]
fn templates_are_filled_with_text_that_stands_anywhere() {
    let text = "
@instr(\"f({n}, {b}, {s}, {s_data}, {x}, &{x_data}, {x}.data, {x.strides[0]}, {y}.strides[1]); {{ }}\", \"// head\")
def f(n: index, b: bool, s: f32, x: [f32][4], y: [f32][4, 4]):
    pass

@instr(\"g();\", \"// head\")
def g():
    pass

@instr(\"h({x}, {x.strides[0]});\")
def h(x: f32[4]):
    pass

@proc
def p(n: size, A: f32[8, n], B: f32[2, 4], t: f32):
    assert n >= 8
    f(n - 1, n > 9 and n < 20, t, A[0:4, 2], A[0:4, 4:8])
    f(-3, False, A[0, 1], A[1, n - 4 : n], A[1:5, 0:4])
    g()
    h(B[1, 0:4])
";
    let unit = compile(text);
    assert!(unit.source.contains("    f((n - 1), (n > 9 && n < 20), t, (*t), "), "{}", unit.source);
    assert!(unit.source.contains("((struct win_1f32c){ &A[2], { n } }), &A[2], (&A[2]), n, 1); { }"));
    assert!(unit.source.contains("f((-3), false, (&A[1]), A[1], "));
    assert_eq!(unit.source.matches("// head").count(), 1);
    // A tensor is a pointer, whatever it is a part of.
    assert!(unit.source.contains("    h((&B[4]), 1);\n"), "{}", unit.source);
}

/// Spec: [rule: c.names].
#[test]
fn names_keep_clear_of_what_global_text_defines() {
    let text = "
class HW(Memory):
    @classmethod
    def global_(cls):
        return \"static int slot(void);\"

    @classmethod
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f\"{prim_type} {new_name}[{shape[0]}];\"

@instr(\"count();\", \"static void count(void) { }\")
def bump():
    pass

@proc
def count(slot: size, x: f32[slot]):
    bump()
    for count in seq(0, slot):
        x[count] = 1.0

@proc
def slot(x: f32):
    y: f32[2] @ HW
    x = 1.0
";
    let present = [
        "void count_1(int_fast32_t slot_2, float *restrict x) {",
        "for (int_fast32_t count_2 = 0; count_2 < slot_2; count_2++) {",
        "void slot_1(float *restrict x) {",
    ];
    check(text, &present, &[]);
}

/// Spec: [rule: c.restrict].
#[test]
fn the_header_speaks_of_overlap_where_pointers_may_not() {
    let says = |args: &str| {
        let unit = compile(&format!("@proc\ndef p({args}):\n    pass\n"));
        unit.header.contains("must not overlap")
    };
    assert!(says("n: size, x: f32[n]") && says("x: f32"));
    assert!(!says("n: size, b: bool, x: [f32][n]"));
}

/// What may leave `int` is computed where it wraps, whatever it comes from; what cannot is computed as it is.
/// Spec: [rule: c.data].
#[test]
fn integers_wrap_where_they_may_leave_int() {
    let text = "
@proc
def p(x: i32[4], a: i8[4]):
    x[0] = x[1] * x[2] / 1.0 + 1.0
    x[1] = select(x[0], x[0], 1.0, x[2]) + 1.0
    x[2] = select(x[0], x[1], x[2], x[3]) + 1.0
    a[0] = a[1]
    a[1] = 300.0
    a[2] = 100.0
    a[3] = a[0] / 3.0 * a[1]
";
    let present = [
        "x[0] = (int32_t)((uint32_t)((int32_t)((uint32_t)x[1] * (uint32_t)x[2]) / 1) + 1u);",
        "x[1] = (int32_t)((uint32_t)x[2] + 1u);",
        "x[2] = (int32_t)((uint32_t)(x[0] < x[1] ? x[2] : x[3]) + 1u);",
        "a[0] = a[1];",
        "a[1] = (int8_t)300;",
        "a[2] = 100;",
        "a[3] = (int8_t)(a[0] / 3 * a[1]);",
    ];
    check(text, &present, &[]);
}

/// A buffer in a memory that nothing is known of can be passed on, but no part of it has a place.
/// Spec: [rule: c.memory].
#[test]
fn what_is_in_an_unknown_memory_is_passed_on_whole() {
    let with = |part: &str| {
        let mut module = common::module(&format!(
            "class AWAY(Memory):\n    pass\n\n@proc\ndef f(x: f32[4] @ AWAY):\n    pass\n\n@proc\n\
             def p(x: f32[4] @ AWAY, y: f32[8] @ AWAY):\n    f({part})\n"
        ));
        module.memories.clear();
        rewright_backends::c::compile_module(&module, &rewright_backends::c::Options::new("unit"))
    };
    let source = |part: &str| with(part).unwrap().source;
    assert!(source("x").contains("    f(x);") && source("y[0:4]").contains("    f(y);"));
    let found = with("y[1:5]").unwrap_err();
    assert_eq!(found.iter().map(|d| d.rule).collect::<Vec<_>>(), ["backend.memory-window"], "{found:?}");
}

#[test]
fn long_lines_are_broken() {
    let text = "
@proc
def f(count: size, first: f32[count, count], second: f32[count, count], third: f32[count, count]):
    for row in seq(0, count):
        for column in seq(0, count):
            third[row, column] = (first[row, column] + second[row, column]) * (first[column, row] + second[column, row])
            third[column, row] = first[row, column] + second[row, column] * first[column, row] - second[column, row]
            if row + column < count and row > 3 and column > 5 and row + 2 * column < 10 and 3 * row + column < 33:
                third[row, row] = 1.0
";
    let source = compile(text).source;
    assert!(source.lines().all(|l| l.len() <= 100), "{source}");
    insta::assert_snapshot!(source);
}

#[test]
fn a_whole_unit() {
    let text = "
@config
class Act:
    scale: f32

@proc
def blur(n: size, x: [f32][n], y: f32[n]):
    assert n % 4 == 0
    assert stride(x, 0) == 1
    t: f32[n]
    for i in par(0, n):
        t[i] = x[i] * Act.scale
    w = t[1 : n - 1]
    for i in seq(0, n - 2):
        y[i + 1] = select(0.0, w[i], w[i], -w[i]) / 3.0
";
    let unit = compile(text);
    insta::assert_snapshot!("blur.h", unit.header);
    insta::assert_snapshot!("blur.c", unit.source);
    assert_eq!(unit.depends, "unit.c unit.h:\n");
}
