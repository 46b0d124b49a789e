//! Typed expressions: the values and types that Halide gave, recorded by `halide_model/python/expressions.py`; the evaluator
//! and compiled C on random ones; and what bad input is told.

use rewright_campaign::halide::compiled::{self, Ran};
use rewright_campaign::rng::Rng;
use rewright_halide_model::c;
use rewright_halide_model::confluence::{Engine, reference};
use rewright_halide_model::schedule::{Directive, Rules, Sequence, schedule};
use rewright_halide_model::text::{Parsed, parse};
use rewright_halide_model::tgt::Program;
use rewright_halide_model::valid;
use rewright_halide_model::value::Value;
use rewright_semantics::span::SourceMap;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::sync::Arc;

mod drawn;

fn parsed(text: &str) -> Result<Parsed, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("expressions", text);
    let parsed = parse(file, &sources).map_err(|d| format!("{}: {}", d.rule, d.message))?;
    match valid::check(&parsed.algorithm).first() {
        Some(d) => Err(format!("{}: {}", d.rule, d.message)),
        None => Ok(parsed),
    }
}

fn completed(parsed: &Parsed) -> Program {
    let directives: Vec<Directive> = parsed.schedule.iter().map(|(d, _)| d.clone()).collect();
    let p = Arc::new(parsed.algorithm.clone());
    let t = schedule(&p, &directives, Sequence::Sorted, Rules::default()).unwrap_or_else(|r| panic!("{r}"));
    Engine::Tight.complete(&t).0
}

/// A value as compiled programs print it.
fn printed(v: &Value) -> i64 {
    match v {
        Value::Int(v) => v.low_bits().expect("an integer of 64 bits"),
        Value::Float(v) => v.value().to_bits().cast_signed(),
        Value::Tuple(_) | Value::Error(_) => panic!("no number"),
    }
}

const TABLE: &str = include_str!("../../corpus/halide_expressions/table.jsonl");

/// A number of the table, as the language writes it.
fn number(j: &Json) -> String {
    match j {
        Json::String(s) => s.clone(),
        Json::Number(n) if n.is_f64() => format!("{:?}", n.as_f64().expect("a number")),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_) => j.to_string(),
    }
}

/// A pipeline of one expression, with those inputs of the table that it reads.
fn program(e: &str, inputs: &BTreeMap<String, Vec<String>>) -> String {
    let used: Vec<(&String, &Vec<String>)> = inputs.iter().filter(|(name, _)| e.contains(*name)).collect();
    let declared: Vec<String> =
        used.iter().map(|(n, _)| format!("{n}(_0): {}", n.split_once('_').expect("a type").1)).collect();
    let given: Vec<String> =
        used.iter().map(|(n, v)| format!("{n} = (0, {}) {{{}}}", v.len(), v.join(", "))).collect();
    format!(
        "typed pipeline f({}): fun f(x) = {e}; realize((0, 16); {})",
        declared.join(", "),
        given.join(", ")
    )
}

/// One line of the table; what differs.
fn line(record: &Json, inputs: &BTreeMap<String, Vec<String>>) -> Result<(), String> {
    let e = record.get("expr").and_then(Json::as_str).expect("an expression");
    let found = parsed(&program(e, inputs));
    if record.get("refused").is_some() {
        return match found {
            Err(why) if why.starts_with("halide.type") || why.starts_with("halide.literal") => Ok(()),
            other => Err(format!("{e}: Halide refuses it, here {}", other.err().unwrap_or_default())),
        };
    }
    let found = found.map_err(|why| format!("{e}: {why}"))?;
    let ty = record.get("type").and_then(Json::as_str).expect("a type");
    let scalar = found.algorithm.scalar(found.algorithm.output);
    if scalar.name() != ty {
        return Err(format!("{e}: of type {scalar}, in Halide {ty}"));
    }
    let z = found.input.as_ref().expect("an input");
    let values = reference(&found.algorithm, z).map_err(|why| format!("{e}: {why}"))?;
    let shown = |v: &Value| match v {
        Value::Float(f) if f.value().is_nan() => "nan".to_owned(),
        Value::Float(f) if f.value().is_infinite() => f.value().to_string(),
        Value::Float(_) | Value::Int(_) | Value::Tuple(_) | Value::Error(_) => v.to_string(),
    };
    let wanted = record.get("values").and_then(Json::as_array).expect("values");
    for (at, (v, w)) in values.iter().zip(wanted).enumerate() {
        if shown(v) != number(w) {
            return Err(format!("{e}: at {at} {}, in Halide {}", shown(v), number(w)));
        }
    }
    Ok(())
}

/// What is meant to differ: the expression, and why. [rule: halide.promotion]
const OTHERWISE: &[(&str, &str)] = &[
    ("abs(a_float64[x])", "of -0.0 it is 0.0 here, as in single precision there"),
    ("lerp(a_float32[x], b_float32[x], b_uint16[x])", "one value is another one by a unit in the last place"),
];

/// [rule: halide.promotion] [rule: halide.cast] [rule: halide.math]
#[test]
fn recorded_expressions_have_the_types_and_values_of_halide() {
    let mut lines = TABLE.lines().map(|l| serde_json::from_str::<Json>(l).expect("a line of JSON"));
    let first = lines.next().expect("the inputs");
    let inputs = first.get("inputs").and_then(Json::as_object).expect("the inputs");
    let inputs: BTreeMap<String, Vec<String>> = inputs
        .iter()
        .map(|(n, v)| (n.clone(), v.as_array().expect("values").iter().map(number).collect()))
        .collect();
    let records: Vec<Json> = lines.collect();
    let is_otherwise = |told: &String| OTHERWISE.iter().any(|(e, _)| told.starts_with(&format!("{e}: ")));
    let told: Vec<String> =
        records.iter().filter_map(|r| line(r, &inputs).err()).filter(|t| !is_otherwise(t)).collect();
    for (e, why) in OTHERWISE {
        let found = records
            .iter()
            .find(|r| r.get("expr").and_then(Json::as_str) == Some(*e))
            .map(|r| line(r, &inputs));
        assert!(matches!(found, Some(Err(_))), "{e} does not differ: {why}");
    }
    assert!(records.len() > 900, "only {} expressions", records.len());
    assert!(told.is_empty(), "{} of {} differ:\n{}", told.len(), records.len(), told.join("\n"));
}

/// Many random expressions in one program; every value, bit for bit. [rule: halide.c-exact] [rule: halide.c-typed]
#[test]
fn compiled_expressions_agree_with_the_evaluator() {
    let mut wide = 0;
    for seed in 0..4 {
        let text = drawn::program(&mut Rng::new(seed), 20);
        let parsed = parsed(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        let z = parsed.input.clone().expect("an input");
        let t = completed(&parsed);
        wide += usize::from(c::unit(&t).is_ok_and(|c| c.contains("quotient_128")));
        let values = reference(&parsed.algorithm, &z).expect("values");
        let rows = z.window.first().map_or(1, |(_, n)| usize::try_from(*n).expect("a length"));
        match compiled::execute(&t, &z) {
            Ok(Ran::Values(found)) => {
                for (i, (v, c)) in values.iter().zip(&found).enumerate() {
                    let (x, e) = (i % rows, text.lines().nth(1 + i / rows).unwrap_or_default());
                    assert_eq!(printed(v), *c, "seed {seed}, x = {x}: {e}\n{text}");
                }
                assert_eq!(values.len(), found.len());
            }
            other => panic!("seed {seed}: {other:?}\n{text}"),
        }
    }
    assert!(wide > 2, "only {wide} programs compute in 128 bits");
}

/// The values, which the compiled program computes, too.
fn values(text: &str) -> Vec<String> {
    let parsed = parsed(text).unwrap_or_else(|e| panic!("{e}: {text}"));
    let z = parsed.input.clone().expect("an input");
    let values = reference(&parsed.algorithm, &z).expect("values");
    let in_c = compiled::execute(&completed(&parsed), &z);
    assert_eq!(in_c, Ok(Ran::Values(values.iter().map(printed).collect())), "{text}");
    values.iter().map(Value::to_string).collect()
}

/// [rule: halide.c-exact]
#[test]
fn what_64_bits_do_not_hold_is_computed_in_128() {
    for (declared, e, given, expected) in [
        // Halide types it `int64`, where the product wraps around.
        ("uint64", "div_round_to_zero(a[x] * 4, 7)", "7, 14, 4611686018427387903", ["4", "8", "0"]),
        (
            "uint64",
            "uint64(int(a[x]) div 7)",
            "7, 18446744073709551615, 0",
            ["1", "2635249153387078802", "0"],
        ),
        (
            "uint32",
            "mul_shift_right(a[x], a[x], 8)",
            "1000, 3000000000, 4294967295",
            ["3906", "4294967295", "4294967295"],
        ),
        ("uint64", "1000 >> (a[x] * 4 - 1)", "1, 2, 0", ["125", "7", "0"]),
        ("int8", "rounding_shift_right(a[x], int64(a[x]) + 170)", "-100, -106, -107", ["0", "0", "0"]),
        (
            "int64",
            "halving_add(a[x], a[x])",
            "-9223372036854775808, 9223372036854775807, -1",
            ["-9223372036854775808", "9223372036854775807", "-1"],
        ),
        (
            "uint64",
            "saturating_add(a[x], uint64(1))",
            "18446744073709551615, 0, 7",
            ["18446744073709551615", "1", "8"],
        ),
        ("float32", "select(truncate(a[x]) > 0, 1, 2)", "1e19, -1e19, 1e30", ["1", "2", "2"]),
    ] {
        let text = format!(
            "typed pipeline f(a(_0): {declared}): fun f(x) = {e}; realize((0, 3); a = (0, 3) {{{given}}})"
        );
        assert_eq!(values(&text), expected, "{text}");
    }
    // More than 128 bits: no C, and no wrong one.
    let text = "typed pipeline f(a(_0): int64): fun f(x) = int32(int(a[x]) * int(a[x]) * int(a[x]) div 3); realize((0, 1); a = (0, 1) {3})";
    assert_eq!(c::unit(&completed(&parsed(text).expect("a pipeline"))), Err(c::NoC::Wide));
}

/// Of NaN and zeros the one that Halide takes. [rule: halide.math]
#[test]
fn what_is_not_a_number_is_compared_as_in_halide() {
    let of = |e: &str| {
        let data = "a = (0, 4) {nan, 1.0, -0.0, 0.0}, b = (0, 4) {1.0, nan, 0.0, -0.0}";
        values(&format!(
            "typed pipeline f(a(_0): float32, b(_0): float32): fun f(x) = {e}; realize((0, 4); {data})"
        ))
    };
    assert_eq!(of("max(a[x], b[x])"), ["1.0", "NaN", "0.0", "-0.0"]);
    assert_eq!(of("min(a[x], b[x])"), ["1.0", "NaN", "0.0", "-0.0"]);
    assert_eq!(of("a[x] <= b[x]"), ["1", "1", "1", "1"]);
    assert_eq!(of("a[x] < b[x]"), ["0", "0", "0", "0"]);
    assert_eq!(of("saturating_cast(uint8, a[x])"), ["255", "1", "0", "0"]);
}

/// [rule: halide.range]
#[test]
fn bad_input_is_told_and_not_taken() {
    let told = |text: &str| parsed(text).expect_err(text);
    let f = "typed pipeline f(k: uint8, a(_0): uint8): fun f(x) = a[x] + k;";
    assert_eq!(
        told(&format!("{f} realize((0, 1); k = 300, a = (0, 1) {{7}})")),
        "halide.realize: parameter `k` is 300, which is not a value of type uint8"
    );
    let b = "typed pipeline f(k: bool): fun f(x) = select(k, x, 3);";
    assert!(told(&format!("{b} realize((0, 1); k = 2)")).starts_with("halide.realize"));
    for twice in ["k = 1, k = 2, a = (0, 1) {7}", "k = 1, a = (0, 1) {7}, a = (0, 1) {8}"] {
        assert!(told(&format!("{f} realize((0, 1); {twice})")).contains("is given twice"));
    }
    for n in ["2000000000", "-9223372036854775807", "20000"] {
        let found = told(&format!("typed pipeline f(a(_0): float32): fun f(x) = pow(a[x], {n});"));
        assert!(found.contains("is multiplied out"), "{found}");
    }
    let deep = (0..40).fold("a[x]".to_owned(), |e, _| format!("div_round_to_zero({e}, 3)"));
    let found = told(&format!("typed pipeline f(a(_0): int32): fun f(x) = {deep};"));
    assert!(found.contains("stands for more than"), "{found}");
    for wrong in ["1e300", "1e39"] {
        let f = "typed pipeline f(a(_0): float32): fun f(x) = a[x];";
        assert!(
            told(&format!("{f} realize((0, 1); a = (0, 1) {{{wrong}}})")).contains("not a value of type")
        );
    }
    assert!(told("typed pipeline f(): fun f(x) = 1e39f;").contains("not a number of single precision"));
    assert!(told("typed pipeline f(): fun f(x) = 3000000000;").starts_with("halide.literal"));
}

/// The compiled program looks at what it is given, too. [rule: halide.c-typed]
#[test]
fn a_parameter_outside_of_its_type_ends_the_compiled_program() {
    let text = "typed pipeline f(k: uint8): fun f(x) = x + k; realize((0, 1); k = 200)";
    let parsed = parsed(text).expect("a pipeline");
    let t = completed(&parsed);
    let z = parsed.input.expect("an input");
    assert_eq!(compiled::execute(&t, &z), Ok(Ran::Values(vec![200])));
    let z = rewright_halide_model::alg::Input { params: vec![300], ..z };
    assert!(
        matches!(compiled::execute(&t, &z), Ok(Ran::Failed(Some(16), why)) if why.contains("does not fit its type"))
    );
}

/// Every value of every type can be written, and parameters of 64 bits. [rule: halide.input]
#[test]
fn the_ends_of_64_bits_can_be_written() {
    let text = "typed pipeline f(a(_0): uint64, b(_0): int64, k: uint64, l: int64):
        fun f(x) = select(a[x] = 18446744073709551615 and b[x] = -9223372036854775808 and k > 9223372036854775808, l, 0);
        realize((0, 1); a = (0, 1) {18446744073709551615}, b = (0, 1) {-9223372036854775808}, k = 18446744073709551615, l = -9223372036854775808)";
    assert_eq!(values(text), ["-9223372036854775808"]);
}
