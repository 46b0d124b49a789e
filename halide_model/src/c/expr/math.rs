//! Functions on numbers of floating point in C: those of libm. Spec: [rule: halide.math].

use super::{Level, at};
use crate::c::names::Names;
use crate::expr::Expr;
use crate::float::Precision;
use crate::op::math::{Class, Math, Unary};

/// The call, or the operator, for an operation on numbers of this precision.
pub(super) fn function(
    m: Math,
    args: &[Expr],
    precision: Precision,
    names: &mut Names<'_>,
) -> (String, Level) {
    let numbers: Vec<String> = args.iter().map(|e| number(e, precision, names)).collect();
    let suffix = if precision == Precision::Single { "f" } else { "" };
    let call = |name: &str| (format!("{name}({})", numbers.join(", ")), Level::Unary);
    match (m, numbers.as_slice()) {
        (Math::Unary(f), _) => call(&format!("{}{suffix}", name(f))),
        (Math::Pow | Math::Atan2, _) => call(&format!("{}{suffix}", m.name())),
        (Math::Truncate, _) => call("truncated"),
        (Math::Class(Class::Nan), _) => (format!("{} != 0", call("isnan").0), Level::Equal),
        (Math::Class(Class::Infinite), _) => (format!("{} != 0", call("isinf").0), Level::Equal),
        (Math::Class(Class::Finite), _) => (format!("{} != 0", call("isfinite").0), Level::Equal),
        (Math::Less, [a, b]) => (format!("{a} < {b}"), Level::Compare),
        (Math::Equal, [a, b]) => (format!("{a} == {b}"), Level::Equal),
        (Math::Less | Math::Equal, _) => ("0".to_owned(), Level::Unary),
    }
}

/// An argument in this precision.
fn number(e: &Expr, precision: Precision, names: &mut Names<'_>) -> String {
    if super::precision(e, names) == Some(precision) {
        return at(e, Level::Unary, names);
    }
    let ty = if precision == Precision::Single { "float" } else { "double" };
    format!("({ty}){}", at(e, Level::Unary, names))
}

/// What libm calls it, for double precision.
fn name(f: Unary) -> &'static str {
    match f {
        // To the nearest integer, ties to even, as long as nobody changes the mode.
        Unary::Round => "rint",
        Unary::Sqrt | Unary::Exp | Unary::Log | Unary::Sin | Unary::Cos | Unary::Tan => f.name(),
        Unary::Atan | Unary::Tanh | Unary::Floor | Unary::Ceil | Unary::Trunc => f.name(),
    }
}
