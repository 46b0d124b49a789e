//! Why a program cannot go on. The same in both semantics. Spec: [rule: perceus.stuck].

use crate::syntax::Prim;
use std::fmt;

/// Why there is no next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stuck {
    /// What is applied is no lambda.
    ApplyNonFunction,
    /// What is matched is no constructor.
    MatchNonConstructor,
    /// No branch is for this constructor.
    NoBranch,
    /// An operand is no integer.
    PrimNonInteger,
    /// What is looked into or assigned is no reference.
    NotAReference,
    /// A result needs more than 64 bits.
    IntegerOverflow,
    /// A division by 0.
    DivisionByZero,
    /// Heap semantics alone: a cell that was freed is applied, matched or duplicated. No derivable translation gets
    /// here (Theorem 4.1).
    UseAfterFree,
    /// Heap semantics alone: a cell that was freed is dropped.
    NegativeCount,
    /// A variable without a value: the program is not closed.
    Unbound,
}

impl Stuck {
    /// Its name in cases and messages.
    pub fn name(self) -> &'static str {
        match self {
            Stuck::ApplyNonFunction => "apply-non-function",
            Stuck::MatchNonConstructor => "match-non-constructor",
            Stuck::NoBranch => "no-branch",
            Stuck::PrimNonInteger => "prim-non-integer",
            Stuck::NotAReference => "not-a-reference",
            Stuck::IntegerOverflow => "integer-overflow",
            Stuck::DivisionByZero => "division-by-zero",
            Stuck::UseAfterFree => "use-after-free",
            Stuck::NegativeCount => "negative-count",
            Stuck::Unbound => "unbound-variable",
        }
    }
}

impl fmt::Display for Stuck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a run ended, or that it did not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome<V> {
    /// With a value.
    Value(V),
    /// It cannot go on.
    Stuck(Stuck),
    /// Not within the steps it was given.
    Unfinished,
}

/// What a primitive gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// An integer.
    Int(i64),
    /// `True` or `False`.
    Truth(bool),
}

impl Given {
    /// The constructor of a truth value.
    pub fn constructor(truth: bool) -> &'static str {
        if truth { "True" } else { "False" }
    }
}

/// ⊕(a, b) in 64 bits; the operations on references are none on integers.
///
/// # Errors
/// [`Stuck::IntegerOverflow`], [`Stuck::DivisionByZero`], [`Stuck::NotAReference`].
pub fn apply(op: Prim, a: i64, b: i64) -> Result<Given, Stuck> {
    let fits = |n: Option<i64>| n.map(Given::Int).ok_or(Stuck::IntegerOverflow);
    if b == 0 && matches!(op, Prim::Div | Prim::Mod) {
        return Err(Stuck::DivisionByZero);
    }
    match op {
        Prim::Add => fits(a.checked_add(b)),
        Prim::Sub => fits(a.checked_sub(b)),
        Prim::Mul => fits(a.checked_mul(b)),
        // Rust rounds towards 0; one less where that is up.
        Prim::Div => fits(a.checked_div(b).map(|q| if a % b != 0 && (a < 0) != (b < 0) { q - 1 } else { q })),
        Prim::Mod => fits(a.checked_rem(b).map(|r| if r != 0 && (r < 0) != (b < 0) { r + b } else { r })),
        Prim::Eq => Ok(Given::Truth(a == b)),
        Prim::Lt => Ok(Given::Truth(a < b)),
        Prim::Le => Ok(Given::Truth(a <= b)),
        Prim::Ref | Prim::Get | Prim::Set => Err(Stuck::NotAReference),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_rounds_down_and_overflow_is_stuck() {
        for (a, b, q, r) in [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -4, -1), (-7, -2, 3, -1), (6, 3, 2, 0)] {
            assert_eq!(apply(Prim::Div, a, b), Ok(Given::Int(q)), "{a} / {b}");
            assert_eq!(apply(Prim::Mod, a, b), Ok(Given::Int(r)), "{a} % {b}");
        }
        assert_eq!(apply(Prim::Div, i64::MIN, -1), Err(Stuck::IntegerOverflow));
        assert_eq!(apply(Prim::Mod, 1, 0), Err(Stuck::DivisionByZero));
        assert_eq!(apply(Prim::Mul, i64::MAX, 2), Err(Stuck::IntegerOverflow));
    }
}
