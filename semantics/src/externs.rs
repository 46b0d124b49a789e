//! Extern functions: pure functions on data whose bodies are outside the language.
//!
//! This table gives names, arities and typing; the interpreter gives each a meaning per data domain,
//! the back end gives each its C. Spec: [rule: data.externs].

use std::fmt;

/// An extern function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Extern {
    /// `sin(x)`.
    Sin,
    /// `cos(x)`.
    Cos,
    /// `sqrt(x)`.
    Sqrt,
    /// `expf(x)`: e to the x.
    Expf,
    /// `logf(x)`: natural logarithm.
    Logf,
    /// `fabsf(x)`: absolute value.
    Fabsf,
    /// `fmaxf(x, y)`: the larger.
    Fmaxf,
    /// `fminf(x, y)`: the smaller.
    Fminf,
    /// `relu(x)`: x when positive, else 0.
    Relu,
    /// `sigmoid(x)`: 1 / (1 + e^-x).
    Sigmoid,
    /// `select(a, b, c, d)`: c when a < b, else d.
    Select,
    /// `clamp(x)`: x rounded and held to -128 … 127, the range of `i8`.
    Clamp,
    /// `fma(a, b, c)`: a * b + c, rounded once.
    Fma,
}

impl Extern {
    /// Every extern, in the order of the specification.
    pub const ALL: [Extern; 13] = [
        Extern::Sin,
        Extern::Cos,
        Extern::Sqrt,
        Extern::Expf,
        Extern::Logf,
        Extern::Fabsf,
        Extern::Fmaxf,
        Extern::Fminf,
        Extern::Relu,
        Extern::Sigmoid,
        Extern::Select,
        Extern::Clamp,
        Extern::Fma,
    ];

    /// The name in the surface language.
    pub fn name(self) -> &'static str {
        match self {
            Extern::Sin => "sin",
            Extern::Cos => "cos",
            Extern::Sqrt => "sqrt",
            Extern::Expf => "expf",
            Extern::Logf => "logf",
            Extern::Fabsf => "fabsf",
            Extern::Fmaxf => "fmaxf",
            Extern::Fminf => "fminf",
            Extern::Relu => "relu",
            Extern::Sigmoid => "sigmoid",
            Extern::Select => "select",
            Extern::Clamp => "clamp",
            Extern::Fma => "fma",
        }
    }

    /// The extern with this name.
    pub fn from_name(name: &str) -> Option<Extern> {
        Extern::ALL.into_iter().find(|f| f.name() == name)
    }

    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        match self {
            Extern::Sin
            | Extern::Cos
            | Extern::Sqrt
            | Extern::Expf
            | Extern::Logf
            | Extern::Fabsf
            | Extern::Relu
            | Extern::Sigmoid
            | Extern::Clamp => 1,
            Extern::Fmaxf | Extern::Fminf => 2,
            Extern::Fma => 3,
            Extern::Select => 4,
        }
    }
}

impl fmt::Display for Extern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
