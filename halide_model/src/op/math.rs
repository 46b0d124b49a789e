//! Functions on numbers of floating point, and the ways from them to integers. Spec: [rule: halide.math].
//!
//! What has a number of floating point as its argument and an integer as its value is here and not among the operations
//! on integers: bounds are inferred and verified over ℤ, and take all of these for values of which nothing is known.

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
