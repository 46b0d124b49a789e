//! What of the control integers that C computes is held to the range, checked at run time, or refused.

mod common;

use common::{check, compile, refused};
use rewright_semantics::diag::Diagnostic;

/// The findings of a text, all of which are about the range.
#[track_caller]
fn beyond(text: &str) -> Vec<Diagnostic> {
    let found = refused(text);
    assert!(found.iter().all(|d| d.rule == "backend.range"), "{found:?}");
    found
}

/// The message, the label and the notes of the only finding, and the advice.
#[track_caller]
fn told(text: &str) -> (String, Vec<String>, String) {
    let found = beyond(text);
    let [d] = found.as_slice() else { panic!("{found:?}") };
    (d.message.clone(), d.notes.clone(), d.help.clone().unwrap_or_default())
}

const CFG: &str = "
@config
class Cfg:
    n: size
    k: index
    f: f32
";

/// Spec: [rule: c.entry].
#[test]
fn arguments_are_below_what_is_promised() {
    let text = |k: u32| format!("@proc\ndef p(n: size, x: f32):\n    if {k} * n < 5:\n        x = 0.0\n");
    compile(&text(8_388_608));
    beyond(&text(8_388_609));
}

/// A function that nothing outside calls is analysed with what the calls in the unit pass, and no more.
/// Spec: [rule: c.entry].
#[test]
fn a_static_function_is_given_what_is_passed() {
    let text = format!(
        "{CFG}\n@proc\ndef made(n: index):\n    Cfg.n = n + 2\n\n@proc\ndef f(n: size):\n    made(n - 2)\n"
    );
    assert!(told(&text).0.starts_with("`n + 2` may be too large"));
    let mut options = rewright_backends::c::Options::new("ranges");
    options.private.insert("made".to_owned());
    let unit = rewright_backends::c::compile_module(&common::module(&text), &options).expect("C");
    assert!(unit.source.contains("static void made(ranges_ctxt *ctxt, int_fast32_t n) {"), "{}", unit.source);
}

/// What calls pass, what templates are filled with, and how many cells are asked for is computed, too.
/// Spec: [rule: c.range], [rule: backend.range].
#[test]
fn what_is_passed_is_held_to_the_range() {
    let large = "16777216 * n";
    beyond(&format!("@proc\ndef f(k: index):\n    pass\n\n@proc\ndef p(n: size):\n    f({large})\n"));
    beyond(&format!(
        "@instr(\"f({{k}});\")\ndef f(k: index):\n    pass\n\n@proc\ndef p(n: size):\n    f({large})\n"
    ));
    beyond(&format!("@proc\ndef f(b: bool):\n    pass\n\n@proc\ndef p(n: size):\n    f({large} < 5)\n"));
    beyond(&format!("@proc\ndef p(n: size, x: f32):\n    assert {large} < 5\n    x = 0.0\n"));
}

/// A product of some extents is computed on the way to the number of cells, of which nothing is known where another
/// may be 0.
/// Spec: [rule: c.require].
#[test]
fn numbers_of_cells_are_held_to_the_range() {
    let text = |then: &str| {
        format!(
            "@proc\ndef p(n: size, m: size, k: size, j: size, x: f32):\n    assert k - j >= 1\n    \
             t: f32[n, m, k - j]\n    {then}\n"
        )
    };
    let checks = [
        "REQUIRE((double)n * m * (k - j) < INT_FAST32_MAX / 16 + 1);",
        "REQUIRE((double)n * m < INT_FAST32_MAX / 16 + 1);",
    ];
    // The outer extents are sizes, and so the whole bounds the inner ones.
    check(&text("pass"), &checks, &["(double)m"]);
    check(&text("x = t[n - 1, m - 1, 0]"), &checks, &[]);
    let field =
        format!("{CFG}\n@proc\ndef p(n: size, m: size):\n    t: f32[Cfg.n, n, m]\n    t[0, 0, 0] = 0.0\n");
    let product = "REQUIRE((double)ctxt->Cfg.n * n < INT_FAST32_MAX / 2 + 1);";
    check(&field, &[product, "REQUIRE((double)ctxt->Cfg.n * n * m < INT_FAST32_MAX / 16 + 1);"], &[]);
    check(&field.replace("t[0, 0, 0] = 0.0", "t[0, 0, 0] += 0.0"), &[product], &[]);
}

/// The offset is within the buffer, and what is added on the way to it is 2^63.
/// Spec: [rule: c.range].
#[test]
fn what_is_added_before_something_is_subtracted_is_held_to_the_range() {
    let text = "
@proc
def p(i: size, j: size, x: i8[576460752303423487]):
    assert (i + j) / 1024 == 1073741824
    x[8388608 * i + 8388608 * j - 8935141660703064063] = 0.0
";
    let found = beyond(text);
    assert!(found.iter().all(|d| d.message.starts_with("`8388608 * i + 8388608 * j` may be")), "{found:?}");
}

/// An extent may be 0, and then the number of cells tells nothing of the strides.
/// Spec: [rule: c.require].
#[test]
fn strides_are_checked_where_a_buffer_may_be_empty() {
    let text = "
@proc
def p(n: size, m: size, k: size):
    t: f32[n - 1, m, k]
    for i in seq(0, n - 1):
        t[i, 0, 0] = 0.0
";
    let present = [
        "REQUIRE((double)(n - 1) * m * k < INT_FAST32_MAX / 16 + 1);",
        "REQUIRE((double)m * k < INT_FAST32_MAX / 16 + 1);",
    ];
    check(text, &present, &[]);
    check(
        &text.replace("n - 1", "n"),
        &["REQUIRE((double)n * m * k < INT_FAST32_MAX / 16 + 1);"],
        &["(double)m"],
    );
}

/// Spec: [rule: c.entry].
#[test]
fn a_buffer_may_have_a_sixteenth_of_the_range() {
    let text = |cells: &str| format!("@proc\ndef p():\n    t: i8[{cells}]\n");
    compile(&text("576460752303423487"));
    beyond(&text("576460752303423488"));
}

/// Spec: [rule: c.statements].
#[test]
fn a_bound_that_is_kept_is_held_to_the_range() {
    let text = |bound: &str, body: &str| {
        format!(
            "{CFG}\n@proc\ndef p(x: f32):\n    for i in seq(0, {bound}):\n        Cfg.n = 1\n        if {body} < 5:\n            x = 0.0\n"
        )
    };
    check(
        &text("Cfg.n", "2 * i"),
        &["const int_fast32_t i_end = ctxt->Cfg.n;", "if (2 * i < 5) {"],
        &["REQUIRE"],
    );
    let checked = "REQUIRE((double)16777216 * ctxt->Cfg.n < INT_FAST32_MAX / 2 + 1);";
    check(
        &text("16777216 * Cfg.n", "0 * i"),
        &[checked, "const int_fast32_t i_end = 16777216 * ctxt->Cfg.n;"],
        &[],
    );
}

/// Of a statement, what may pass either end for either width is checked, and no more.
/// Spec: [rule: c.require].
#[test]
fn a_check_is_of_the_ends_that_may_be_passed() {
    let text = |body: &str| {
        format!("{CFG}\n@proc\ndef p(m: size):\n    Cfg.n = Cfg.n + 1\n    Cfg.k = Cfg.k + 1\n    {body}\n")
    };
    let last_check = |body: &str| {
        let source = compile(&text(body)).source;
        let words: Vec<&str> = source.split_whitespace().collect();
        let line = words.join(" ");
        let check = line.rsplit("REQUIRE(").next().and_then(|rest| rest.split(");").next());
        check.expect("a check").trim().to_owned()
    };
    let (above, below) = ("< INT_FAST32_MAX / 2 + 1", "> -(INT_FAST32_MAX / 2 + 1)");
    // For 64 bits above alone, for 32 bits below alone.
    let value = "(double)2 * ctxt->Cfg.n - 2000000000";
    assert_eq!(last_check("Cfg.k = 2 * Cfg.n - 2000000000"), format!("{value} {above} && {value} {below}"));
    // The greatest of these is half of the range, which is not beyond it.
    let value = "(double)ctxt->Cfg.n - 8388608 * i";
    let down = "for i in seq(0, m):\n        Cfg.k = Cfg.n - 8388608 * i";
    assert_eq!(last_check(down), format!("{value} {below}"));
    // The least of these is the least that the field is held to.
    let up = "for i in seq(0, m):\n        Cfg.k = Cfg.k + i";
    assert_eq!(last_check(up), format!("(double)i + ctxt->Cfg.k {above}"));
}

/// Spec: [rule: c.require].
#[test]
fn a_field_that_is_written_with_few_values_needs_no_check() {
    let text = format!(
        "{CFG}\n@proc\ndef p(x: f32):\n    Cfg.n = 8\n    Cfg.k = Cfg.n + 1\n    if 4 * Cfg.k < 5:\n        x = 0.0\n"
    );
    check(&text, &["if (4 * ctxt->Cfg.k < 5) {"], &["REQUIRE"]);
}

/// Spec: [rule: backend.range].
#[test]
fn a_refusal_says_what_the_variables_come_to() {
    let text = |condition: &str| {
        format!("@proc\ndef p(n: size, m: size, x: f32):\n    if {condition}:\n        x = 0.0\n")
    };
    let (message, notes, help) = told(&text("4194304 * n + 4194304 * m + 4194304 * (n / 2) < 5"));
    assert!(message.ends_with("may be too large for C to compute with"), "{message}");
    let ends = "is between 1 and 1099511627775";
    assert_eq!(notes, [format!("`n` {ends}"), format!("`m` {ends}")]);
    assert!(help.starts_with("let an assertion say"), "{help}");
    // Always, and but for one number.
    let (message, ..) = told(&text("0 - 2 * n - 9223372036854775807 < 5"));
    assert_eq!(message, "`-2 * n - 9223372036854775807LL` is too large for C to compute with");
    let (message, ..) = told(&text("0 - n - 9223372036854775807 < 5"));
    assert_eq!(message, "`-n - 9223372036854775807LL` may be too large for C to compute with");
    let (message, notes, help) = told(&format!("{CFG}\n@proc\ndef p():\n    Cfg.k = 9223372036854775807\n"));
    assert_eq!(message, "`9223372036854775807LL` may be too large for C to compute with");
    assert_eq!((notes.len(), help.as_str()), (0, "use smaller constants"));
}
