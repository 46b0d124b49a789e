//! Functions on numbers of floating point, and the ways from them to integers. Spec: [rule: halide.math].
//!
//! What has a number of floating point as its argument and an integer as its value is here and not among the operations
//! on integers: bounds are inferred and verified over ℤ, and take all of these for values of which nothing is known.

use crate::float::{Float, Precision, to_single};
use crate::int::Int;
use crate::value::Value;

/// Operations on numbers of floating point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Math {
    /// A function of one number: in C that of libm, in evaluation the same.
    Unary(Unary),
    /// `pow(a, b)`
    Pow,
    /// `atan2(a, b)`
    Atan2,
    /// What is before the point, as an integer.
    Truncate,
    /// A judgement on one number.
    Class(Class),
    /// `a < b`
    Less,
    /// `a = b`
    Equal,
}

/// Functions of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unary {
    /// The square root.
    Sqrt,
    /// e to the power of the number.
    Exp,
    /// The natural logarithm.
    Log,
    /// The sine.
    Sin,
    /// The cosine.
    Cos,
    /// The tangent.
    Tan,
    /// The arc tangent.
    Atan,
    /// The hyperbolic tangent.
    Tanh,
    /// Rounded down.
    Floor,
    /// Rounded up.
    Ceil,
    /// To the nearest integer, ties to even.
    Round,
    /// Rounded towards 0.
    Trunc,
}

/// What a number may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Not a number.
    Nan,
    /// Infinite.
    Infinite,
    /// Neither.
    Finite,
}

impl Unary {
    /// All of them.
    pub const ALL: [Unary; 12] = [
        Unary::Sqrt,
        Unary::Exp,
        Unary::Log,
        Unary::Sin,
        Unary::Cos,
        Unary::Tan,
        Unary::Atan,
        Unary::Tanh,
        Unary::Floor,
        Unary::Ceil,
        Unary::Round,
        Unary::Trunc,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Unary::Sqrt => "sqrt",
            Unary::Exp => "exp",
            Unary::Log => "log",
            Unary::Sin => "sin",
            Unary::Cos => "cos",
            Unary::Tan => "tan",
            Unary::Atan => "atan",
            Unary::Tanh => "tanh",
            Unary::Floor => "floor",
            Unary::Ceil => "ceil",
            Unary::Round => "round",
            Unary::Trunc => "trunc",
        }
    }

    fn single(self, x: f32) -> f32 {
        match self {
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

    fn double(self, x: f64) -> f64 {
        match self {
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
}

impl Math {
    /// All of them.
    pub fn all() -> Vec<Math> {
        let mut out = vec![Math::Pow, Math::Atan2, Math::Truncate, Math::Less, Math::Equal];
        out.extend([Class::Nan, Class::Infinite, Class::Finite].map(Math::Class));
        out.extend(Unary::ALL.map(Math::Unary));
        out
    }

    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        match self {
            Math::Unary(_) | Math::Truncate | Math::Class(_) => 1,
            Math::Pow | Math::Atan2 | Math::Less | Math::Equal => 2,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Math::Unary(f) => f.name(),
            Math::Pow => "pow",
            Math::Atan2 => "atan2",
            Math::Truncate => "truncate",
            Math::Class(Class::Nan) => "is_nan",
            Math::Class(Class::Infinite) => "is_inf",
            Math::Class(Class::Finite) => "is_finite",
            Math::Less => "<",
            Math::Equal => "=",
        }
    }

    /// Whether it gives a truth value.
    pub fn is_truth(self) -> bool {
        match self {
            Math::Class(_) | Math::Less | Math::Equal => true,
            Math::Unary(_) | Math::Pow | Math::Atan2 | Math::Truncate => false,
        }
    }

    /// Whether it gives a number of floating point.
    pub fn is_float(self) -> bool {
        match self {
            Math::Unary(_) | Math::Pow | Math::Atan2 => true,
            Math::Truncate | Math::Class(_) | Math::Less | Math::Equal => false,
        }
    }
}

/// The operation on values without errors; integers among them are rounded to single precision first, or to the
/// precision of the other. `None` with the wrong number of arguments.
pub fn apply(m: Math, args: &[Value]) -> Option<Value> {
    let of = |v: &Value| if let Value::Float(f) = v { Some(f.precision) } else { None };
    let precision = args.iter().filter_map(of).max().unwrap_or(Precision::Single);
    let number = |v: &Value| match v {
        Value::Int(v) => Some(Float::of_int(precision, v)),
        Value::Float(v) => Some(v.to(precision)),
        Value::Error(_) => None,
    };
    let numbers: Vec<Float> = args.iter().map(number).collect::<Option<_>>()?;
    let float = |v: f64| Some(Value::Float(Float::new(precision, v)));
    let truth = |v: bool| Some(Value::Int(Int::truth(v)));
    match (m, numbers.as_slice()) {
        (Math::Unary(f), [x]) => float(match precision {
            Precision::Single => f64::from(f.single(to_single(x.value()))),
            Precision::Double => f.double(x.value()),
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
