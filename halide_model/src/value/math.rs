//! What functions on numbers of floating point give. Spec: [rule: halide.math].

use super::Value;
use crate::float::{Float, Precision, to_single};
use crate::int::Int;
use crate::op::math::{Class, Math, Unary};

fn single(f: Unary, x: f32) -> f32 {
    match f {
        Unary::Sqrt => x.sqrt(),
        Unary::Exp => x.exp(),
        Unary::Log => x.ln(),
        Unary::Sin => x.sin(),
        Unary::Cos => x.cos(),
        Unary::Tan => x.tan(),
        Unary::Atan => x.atan(),
        Unary::Tanh => x.tanh(),
        Unary::Floor => x.floor(),
        Unary::Ceil => x.ceil(),
        Unary::Round => x.round_ties_even(),
        Unary::Trunc => x.trunc(),
    }
}

fn double(f: Unary, x: f64) -> f64 {
    match f {
        Unary::Sqrt => x.sqrt(),
        Unary::Exp => x.exp(),
        Unary::Log => x.ln(),
        Unary::Sin => x.sin(),
        Unary::Cos => x.cos(),
        Unary::Tan => x.tan(),
        Unary::Atan => x.atan(),
        Unary::Tanh => x.tanh(),
        Unary::Floor => x.floor(),
        Unary::Ceil => x.ceil(),
        Unary::Round => x.round_ties_even(),
        Unary::Trunc => x.trunc(),
    }
}

/// The operation on values without errors; integers among them are rounded to single precision first, or to the
/// precision of the other. `None` with the wrong number of arguments.
pub(super) fn apply(m: Math, args: &[Value]) -> Option<Value> {
    let of = |v: &Value| if let Value::Float(f) = v { Some(f.precision) } else { None };
    let precision = args.iter().filter_map(of).max().unwrap_or(Precision::Single);
    let number = |v: &Value| match v {
        Value::Int(v) => Some(Float::of_int(precision, v)),
        Value::Float(v) => Some(v.to(precision)),
        Value::Tuple(_) | Value::Error(_) => None,
    };
    let numbers: Vec<Float> = args.iter().map(number).collect::<Option<_>>()?;
    let float = |v: f64| Some(Value::Float(Float::new(precision, v)));
    let truth = |v: bool| Some(Value::Int(Int::truth(v)));
    match (m, numbers.as_slice()) {
        (Math::Unary(f), [x]) => float(match precision {
            Precision::Single => f64::from(single(f, to_single(x.value()))),
            Precision::Double => double(f, x.value()),
        }),
        (Math::Pow, [x, y]) => float(match precision {
            Precision::Single => f64::from(to_single(x.value()).powf(to_single(y.value()))),
            Precision::Double => x.value().powf(y.value()),
        }),
        (Math::Atan2, [x, y]) => float(match precision {
            Precision::Single => f64::from(to_single(x.value()).atan2(to_single(y.value()))),
            Precision::Double => x.value().atan2(y.value()),
        }),
        (Math::Truncate, [x]) => Some(Value::Int(x.truncated())),
        (Math::Class(Class::Nan), [x]) => truth(x.value().is_nan()),
        (Math::Class(Class::Infinite), [x]) => truth(x.value().is_infinite()),
        (Math::Class(Class::Finite), [x]) => truth(x.value().is_finite()),
        (Math::Less, [x, y]) => truth(x.value() < y.value()),
        #[expect(clippy::float_cmp, reason = "the comparison of IEEE 754 is what is meant")]
        (Math::Equal, [x, y]) => truth(x.value() == y.value()),
        (
            Math::Unary(_)
            | Math::Pow
            | Math::Atan2
            | Math::Truncate
            | Math::Class(_)
            | Math::Less
            | Math::Equal,
            _,
        ) => None,
    }
}
