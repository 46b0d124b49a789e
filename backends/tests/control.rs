//! Control integers, conditions and offsets as C text.

mod common;

use common::{check, compile, refused};

/// Comparisons of one form with a number decide each other only where they leave nothing out.
/// Spec: [rule: c.control].
#[test]
fn conditions_are_folded_only_where_they_are_decided() {
    let text = "
@proc
def p(n: index, x: f32[8]):
    if n < 0 or n == 0:
        x[0] = 0.0
    if n < 0 or n == 5:
        x[1] = 0.0
    if n == 5 or n > 5:
        x[2] = 0.0
    if n < 6 or n > 5:
        x[3] = 0.0
    if n + 1 > n:
        x[4] = 0.0
    if n > n:
        x[5] = 0.0
    if n >= n and n + 1 >= n:
        x[6] = 0.0
    if n >= n + 1 or n > n + 1:
        x[7] = 0.0
    if n < n or n + 1 < n or n + 1 <= n:
        x[7] = 1.0
    if n < n + 1 and n <= n and n <= n + 1:
        x[7] = 2.0
";
    let source = compile(text).source;
    let conditions: Vec<&str> = source.lines().filter_map(|l| l.trim().strip_prefix("if (")).collect();
    let expected = [
        "n < 0 || n == 0) {",
        "n < 0 || n == 5) {",
        "n == 5 || n > 5) {",
        "true) {",
        "true) {",
        "false) {",
        "true) {",
        "false) {",
        "false) {",
        "true) {",
    ];
    assert_eq!(conditions, expected, "{source}");
}

/// Truth values are compared as such, and integers by their forms; a field may be either.
/// Spec: [rule: c.control].
#[test]
fn fields_are_compared_as_what_they_are() {
    let text = "
@config
class Cfg:
    on: bool
    k: index

@proc
def p(n: size, x: f32[2]):
    if Cfg.on == (n > 3):
        x[0] = 0.0
    if Cfg.k == 1 + n + 2:
        x[1] = 0.0
";
    check(text, &["if (ctxt->Cfg.on == (n > 3)) {", "if (ctxt->Cfg.k == n + 3) {"], &[]);
}

/// A guard tells how far one side is from the other, and nothing of their sum.
/// Spec: [rule: c.division].
#[test]
fn guards_tell_which_dividends_are_not_negative() {
    let text = "
@proc
def p(k: index, j: index, x: f32[8]):
    if k > j:
        x[(k - j - 1) % 8] = 0.0
        x[(k + j) % 8] = 1.0
        x[(k - j - 2) % 8] = 2.0
";
    let present = [
        "x[(k - j - 1) % 8] = 0.0f;",
        "x[floor_mod(k + j, 8)] = 1.0f;",
        "x[floor_mod(k - j - 2, 8)] = 2.0f;",
    ];
    check(text, &present, &[]);
}

/// Spec: [rule: c.indices].
#[test]
fn a_large_factor_stands_with_its_index() {
    let text = "
@proc
def p(n: size, x: [f32][n, 8], y: [f32][n, n, 8]):
    for i in seq(0, n / 264):
        x[264 * i, 0] = 0.0
    for i in seq(0, n / 8):
        x[8 * i, 0] = 0.0
        for j in seq(0, n / 9):
            y[8 * i, 9 * j, 0] = 0.0
";
    let present = [
        "x.data[x.strides[0] * (264 * i)] = 0.0f;",
        "x.data[8 * x.strides[0] * i] = 0.0f;",
        "y.data[8 * y.strides[0] * i + y.strides[1] * (9 * j)] = 0.0f;",
    ];
    check(text, &present, &[]);
}

/// A loop over an index that hides in a quotient is not spread by what stands before it.
/// Spec: [rule: backend.parallel].
#[test]
fn parallel_iterations_that_meet_are_refused() {
    let text = |index: &str| {
        format!("@proc\ndef p(n: size, x: f32[n + 1]):\n    for i in par(0, n):\n        x[{index}] = 0.0\n")
    };
    compile(&text("i"));
    let rules: Vec<&str> = refused(&text("i - 2 * (i / 2)")).iter().map(|d| d.rule).collect();
    assert_eq!(rules, ["backend.parallel"]);
}
