//! A `main` for one input. Spec: [rule: halide.c-typed].

use super::{c_type, out_type, out_values};
use crate::alg::Input;
use crate::float::{Precision, to_single};
use crate::tgt::Program;
use crate::typed::Scalar;
use crate::value::Value;
use std::fmt::Write as _;

/// A `main` that computes one input and prints the values, one to a line, output by output and of several values one after the other: integers as signed ones of 64 bits, numbers of
/// floating point as the bits of the same number in double precision; there is one NaN.
pub fn main_for(t: &Program, z: &Input) -> String {
    let words = |values: &[i64]| listed(values.iter().map(|v| literal(*v)).collect());
    let window: Vec<i64> = z.window.iter().flat_map(|(m, n)| [*m, *n]).collect();
    let mut out = "\nint main(void) {\n".to_owned();
    let mut given = String::new();
    let _ = writeln!(out, "    static const int64_t params[] = {{{}}};", words(&z.params));
    let _ = writeln!(out, "    static const int64_t window[] = {{{}}};", words(&window));
    for (k, (i, b)) in t.algorithm.inputs.iter().zip(&z.buffers).enumerate() {
        let values = listed(b.values.iter().map(|v| constant(i.scalar, v)).collect());
        let ends: Vec<i64> = b.bounds.iter().flat_map(|(m, n)| [*m, *n]).collect();
        let _ = writeln!(out, "    static const {} data{k}[] = {{{values}}};", c_type(i.scalar));
        let _ = writeln!(out, "    static const int64_t box{k}[] = {{{}}};", words(&ends));
        let _ = write!(given, ", data{k}, box{k}");
    }
    let outs: Vec<(String, usize, Scalar)> = out_values(t)
        .into_iter()
        .enumerate()
        .map(|(i, (f, _, scalar))| {
            let points = t.algorithm.points(z).into_iter().find(|(g, _)| *g == f).map_or(0, |(_, p)| p.len());
            (format!("out{i}"), points, scalar)
        })
        .collect();
    for (name, points, scalar) in &outs {
        let _ = writeln!(out, "    {} *{name} = array({points}, sizeof *{name});", out_type(t, *scalar));
        let _ = write!(given, ", {name}");
    }
    let _ = writeln!(out, "    run_{}(params, window{given});", t.algorithm.output);
    for (name, points, scalar) in &outs {
        printed(name, *points, *scalar, &mut out);
        let _ = writeln!(out, "    free({name});");
    }
    out + "    return 0;\n}\n"
}

/// Prints the values of a window.
fn printed(name: &str, points: usize, scalar: Scalar, out: &mut String) {
    if scalar.is_float() {
        let _ = writeln!(
            out,
            "    for (int64_t i = 0; i < {points}; i++) {{\n        union {{ double v; int64_t bits; }} cell = {{{name}[i]}};\n        \
             if (cell.v != cell.v) cell.bits = 0x7ff8000000000000;\n        printf(\"%lld\\n\", (long long)cell.bits);\n    }}"
        );
    } else {
        let _ = writeln!(
            out,
            "    for (int64_t i = 0; i < {points}; i++) printf(\"%lld\\n\", (long long){name}[i]);"
        );
    }
}

/// C has no arrays without elements.
fn listed(mut items: Vec<String>) -> String {
    if items.is_empty() {
        items.push("0".to_owned());
    }
    items.join(", ")
}

/// A value as an element of an array of this type.
fn constant(scalar: Scalar, v: &Value) -> String {
    match (v, scalar) {
        (Value::Float(f), _) if f.value().is_nan() => "NAN".to_owned(),
        (Value::Float(f), _) if f.value().is_infinite() => {
            if f.value() > 0.0 { "INFINITY" } else { "-INFINITY" }.to_owned()
        }
        (Value::Float(f), Scalar::Float(Precision::Single)) => format!("{:?}f", to_single(f.value())),
        (Value::Float(f), _) => f.to_string(),
        (Value::Int(v), Scalar::Unsigned(_)) => format!("{v}u"),
        (Value::Int(v), _) => v.to_i64().map_or_else(|| v.to_string(), literal),
        (Value::Tuple(_) | Value::Error(_), _) => "0".to_owned(),
    }
}

fn literal(v: i64) -> String {
    if v == i64::MIN { "INT64_MIN".to_owned() } else { v.to_string() }
}
