//! Data domains: what the interpreter computes with. PLDI'22 Def. A.1 takes the reals for data and says
//! that any other numbers would do; Rewright has three. Spec: [rule: data.domains].
//!
//! - [`rational`]: exact numbers. What a program means.
//! - [`machine`]: what the generated C computes, precision by precision.
//! - [`symbolic`]: polynomials in the inputs. Equality there is equality for all data.
//!
//! [`number`] (exact rationals) and [`poly`] (polynomials) are what the first and the last are made of.

pub mod machine;
pub mod poly;
pub mod rational;
pub mod symbolic;

pub use rewright_base::number;

use crate::ast::{BinOp, Decimal};
use crate::externs::Extern;
use crate::sym::Name;
use crate::types::DataType;
use std::fmt;

/// A data value or ⊥: what a cell holds. Spec: [rule: values.datum].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Datum<V> {
    /// ⊥: never written, or computed from what was never written.
    Unknown,
    /// A value.
    Known(V),
}

impl<V> Datum<V> {
    /// The value, where there is one.
    pub fn known(&self) -> Option<&V> {
        match self {
            Datum::Known(v) => Some(v),
            Datum::Unknown => None,
        }
    }

    /// The strict extension of a function of one value. PLDI'22 Def. A.6.
    pub fn lift1<W>(self, f: impl FnOnce(V) -> Datum<W>) -> Datum<W> {
        match self {
            Datum::Known(v) => f(v),
            Datum::Unknown => Datum::Unknown,
        }
    }

    /// The strict extension of a function of two values. PLDI'22 Def. A.6.
    pub fn lift2<W>(self, other: Datum<V>, f: impl FnOnce(V, V) -> Datum<W>) -> Datum<W> {
        match (self, other) {
            (Datum::Known(v), Datum::Known(w)) => f(v, w),
            (Datum::Unknown, Datum::Known(_) | Datum::Unknown) | (Datum::Known(_), Datum::Unknown) => {
                Datum::Unknown
            }
        }
    }
}

impl<V: fmt::Display> fmt::Display for Datum<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Datum::Known(v) => v.fmt(f),
            Datum::Unknown => f.write_str("⊥"),
        }
    }
}

/// The arithmetic operators of data: those of [`BinOp`] but `%`, comparisons and connectives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arith {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
}

impl Arith {
    /// The data operator written like this one, if there is one.
    pub fn of(op: BinOp) -> Option<Arith> {
        match op {
            BinOp::Add => Some(Arith::Add),
            BinOp::Sub => Some(Arith::Sub),
            BinOp::Mul => Some(Arith::Mul),
            BinOp::Div => Some(Arith::Div),
            BinOp::Mod
            | BinOp::Eq
            | BinOp::Lt
            | BinOp::Le
            | BinOp::Gt
            | BinOp::Ge
            | BinOp::And
            | BinOp::Or => None,
        }
    }
}

/// The outcome of comparing two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Equal, whatever the inputs and the uninterpreted functions are.
    Same,
    /// Not equal, at least for some inputs and some meaning of the uninterpreted functions.
    Different,
    /// The domain cannot tell.
    Undecided,
}

/// A domain of data values. All operations are total; those that return a [`Datum`] have inputs to
/// which C gives no meaning, and are ⊥ there.
pub trait DataDomain {
    /// A value.
    type Value: Clone + PartialEq + fmt::Debug + fmt::Display + Send + Sync + 'static;

    /// Whether operations round, so that it shows what an instruction rounds otherwise than its body.
    /// Spec: [rule: instructions.rounding].
    const ROUNDS: bool = false;

    /// A literal in an expression of precision `typ`. Spec: [rule: data.literal].
    fn literal(decimal: &Decimal, typ: DataType) -> Self::Value;

    /// The initial value of an argument's cell, or of a data field: what `given` says, or the variable
    /// `name[index]`.
    fn input(name: Name, index: &[i64], given: &Decimal, typ: DataType) -> Self::Value;

    /// The value as a cell of this type holds it. Spec: [rule: data.cast].
    fn cast(value: Self::Value, typ: DataType) -> Datum<Self::Value>;

    /// `-v`.
    fn neg(value: Self::Value) -> Self::Value;

    /// `a op b`.
    fn arith(op: Arith, a: Self::Value, b: Self::Value) -> Datum<Self::Value>;

    /// `f(args)`; as many as the arity. Spec: [rule: data.externs].
    fn call(func: Extern, args: &[Self::Value]) -> Self::Value;

    /// Whether two values are the same.
    fn compare(a: &Self::Value, b: &Self::Value) -> Comparison;
}
