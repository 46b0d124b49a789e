//! A `main` for one input. Spec: [rule: halide.c-typed].

use super::{c_type, out_type};
use crate::alg::Input;
use crate::float::{Precision, to_single};
use crate::tgt::Program;
use crate::typed::Scalar;
use crate::value::Value;
use std::fmt::Write as _;

/// A `main` that computes one input and prints the values, one to a line: integers as signed ones of 64 bits, numbers of
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
    let (points, name, ty) = (z.points().len(), t.algorithm.output, out_type(t));
    let _ = writeln!(out, "    {ty} *out = array({points}, sizeof *out);");
    let _ = writeln!(out, "    run_{name}(params, window{given}, out);");
    if t.algorithm.scalar(name).is_float() {
        let _ = writeln!(
            out,
            "    for (int64_t i = 0; i < {points}; i++) {{\n        union {{ double v; int64_t bits; }} cell = {{out[i]}};\n        \
             if (cell.v != cell.v) cell.bits = 0x7ff8000000000000;\n        printf(\"%lld\\n\", (long long)cell.bits);\n    }}"
        );
    } else {
        let _ = writeln!(
            out,
            "    for (int64_t i = 0; i < {points}; i++) printf(\"%lld\\n\", (long long)out[i]);"
        );
    }
    out + "    free(out);\n    return 0;\n}\n"
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
        (Value::Error(_), _) => "0".to_owned(),
    }
}

fn literal(v: i64) -> String {
    if v == i64::MIN { "INT64_MIN".to_owned() } else { v.to_string() }
}
