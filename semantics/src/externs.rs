//! Extern functions: pure functions on data whose bodies are outside the language.
//!
//! This table gives names, arities and typing; the interpreter gives each a meaning per data domain,
//! the back end gives each its C. Spec: [rule: data.externs].

use crate::sym::Name;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

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
    /// `fma_ftz(a, b, c)`: the same in `f32`, where denormal numbers, as arguments and as the result, are zeros.
    FmaFtz,
    /// A function that a program around this one defines, which alone knows its C. Nothing is known of its values but
    /// that equal arguments give equal ones.
    Foreign(Foreign),
}

/// The name and the arity of a function that is defined elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Foreign {
    name: Name,
    arity: usize,
    /// Which of those that were declared: two of one name are two functions.
    id: u64,
}

/// The foreign functions of the process: texts name them as they name the others.
static FOREIGN: RwLock<BTreeMap<Name, Foreign>> = RwLock::new(BTreeMap::new());

/// How many have been declared.
static DECLARED: AtomicU64 = AtomicU64::new(0);

impl Foreign {
    /// A foreign function, another one at each call, which the name stands for from now on. The name of one of [`Extern::ALL`]
    /// stands for that in texts all the same, unless they are read with an environment that says otherwise.
    pub fn declare(name: &str, arity: usize) -> Foreign {
        let name = Name::new(name);
        let declared = Foreign { name, arity, id: DECLARED.fetch_add(1, Ordering::Relaxed) };
        FOREIGN.write().unwrap_or_else(PoisonError::into_inner).insert(name, declared);
        declared
    }

    /// Its number among those of the process.
    pub fn id(self) -> u64 {
        self.id
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.name.as_str()
    }

    fn known(name: &str) -> Option<Extern> {
        let known = FOREIGN.read().unwrap_or_else(PoisonError::into_inner);
        known.values().find(|f| f.name() == name).map(|f| Extern::Foreign(*f))
    }
}

impl Extern {
    /// Every extern that is not foreign, in the order of the specification.
    pub const ALL: [Extern; 14] = [
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
        Extern::FmaFtz,
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
            Extern::FmaFtz => "fma_ftz",
            Extern::Foreign(f) => f.name(),
        }
    }

    /// The extern with this name.
    pub fn from_name(name: &str) -> Option<Extern> {
        Extern::ALL.into_iter().find(|f| f.name() == name).or_else(|| Foreign::known(name))
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
            Extern::Fma | Extern::FmaFtz => 3,
            Extern::Select => 4,
            Extern::Foreign(f) => f.arity,
        }
    }
}

impl fmt::Display for Extern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
