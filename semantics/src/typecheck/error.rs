//! Why a program is ill-typed: one variant per reason, data only; the words are in [`super::messages`].

use super::types::Type;
use crate::ast::BinOp;
use crate::span::Span;
use crate::sym::{Name, Sym};
use crate::types::linear::Linear;
use crate::types::{ControlType, DataType, FieldType};
use std::fmt;

/// An ill-typed place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllTyped {
    /// What is wrong.
    pub kind: Fault,
    /// Where.
    pub span: Span,
    /// Where what it disagrees with is declared, or [`Span::NONE`].
    pub declared: Span,
}

/// What an expression is used as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// An index of a read, a write, or a point of a window.
    Index,
    /// A bound of a loop.
    Bound,
    /// A bound of a slice.
    SliceBound,
    /// The condition of an `if`.
    Condition,
    /// An assertion.
    Assertion,
    /// An operand of integer arithmetic, comparison or logic.
    Operand(BinOp),
    /// The operand of `not`.
    Negated,
    /// The right-hand side of `=` or `+=`.
    Value,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Role::Index => f.write_str("an index"),
            Role::Bound => f.write_str("a loop bound"),
            Role::SliceBound => f.write_str("a slice bound"),
            Role::Condition => f.write_str("the condition of an `if`"),
            Role::Assertion => f.write_str("an assertion"),
            Role::Operand(op) => write!(f, "an operand of `{}`", op.symbol()),
            Role::Negated => f.write_str("the operand of `not`"),
            Role::Value => f.write_str("a value to store"),
        }
    }
}

/// A formal argument, as errors about calls speak of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formal {
    /// The callee.
    pub proc: Name,
    /// The argument.
    pub arg: Name,
}

/// The reasons. Each has one rule of the specification, see [`Fault::rule`].
#[expect(missing_docs, reason = "the fields are what the sentence of their variant speaks of")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A symbol that nothing in scope binds: only in programs that were not parsed. [rule: name.unbound]
    Unbound { name: Sym },
    /// A symbol bound again within its own scope: only in programs that were not parsed. [rule: name.rebound]
    Rebound { name: Sym },
    /// Data, or a buffer, where control is needed. [rule: type.control-expected]
    ControlExpected { role: Role, found: Type },
    /// Control where data is needed. [rule: type.data-expected]
    DataExpected { role: Role, found: ControlType },
    /// A boolean or a stride where an integer is needed. [rule: type.index]
    NotInteger { role: Role, found: ControlType },
    /// As many indices as dimensions are needed. [rule: type.rank]
    Rank { name: Sym, rank: usize, found: usize },
    /// A control variable is indexed, windowed, or asked for its stride. [rule: type.not-a-buffer]
    NotABuffer { name: Sym, found: ControlType, used: BufferUse },
    /// A control variable is written. [rule: type.assign-control]
    AssignControl { name: Sym, found: ControlType },
    /// A buffer of rank ≥ 1 is used as a value. [rule: type.tensor-value]
    TensorValue { name: Sym, found: Type },
    /// A window is used as a value. [rule: type.not-operand]
    WindowValue { name: Sym },
    /// A truth value is needed. [rule: type.bool-expected]
    BoolExpected { role: Role, found: Type },
    /// Arithmetic on a boolean; `None`: unary minus. [rule: type.bool-arithmetic]
    BoolArithmetic { op: Option<BinOp> },
    /// Arithmetic on a stride; `None`: unary minus. [rule: type.stride-arithmetic]
    StrideArithmetic { op: Option<BinOp> },
    /// A comparison of values that cannot be compared this way. [rule: type.comparison]
    Comparison { op: BinOp, lhs: ControlType, rhs: ControlType },
    /// A product of two integers neither of which is constant. [rule: type.nonaffine]
    Nonaffine,
    /// Division or remainder by anything but a positive constant; the constant, if it is one. [rule: type.divisor]
    Divisor { op: BinOp, found: Option<i64> },
    /// `%` on data. [rule: type.data-modulo]
    DataModulo,
    /// A comparison of data. [rule: type.data-comparison]
    DataComparison { op: BinOp },
    /// The wrong number of arguments. [rule: type.arity]
    Arity { proc: Name, expected: usize, found: usize },
    /// An argument of another kind than the formal. [rule: type.argument]
    Argument { formal: Formal, expected: Type, found: Type },
    /// A buffer with another number of dimensions than the formal. [rule: type.argument-rank]
    ArgumentRank { formal: Formal, expected: Type, found: Type, ranks: (usize, usize) },
    /// A buffer with another extent than the formal; expected, found. [rule: type.argument-shape]
    ArgumentShape { formal: Formal, dim: usize, expected: Box<Linear>, found: Box<Linear> },
    /// A buffer with another element type than the formal. [rule: type.argument-precision]
    ArgumentPrecision { formal: Formal, expected: DataType, found: DataType },
    /// A value without a place for a scalar passed by reference. [rule: type.scalar-argument]
    ScalarArgument { formal: Formal, expected: DataType },
    /// The wrong number of arguments of an extern. [rule: type.extern-arity]
    ExternArity { func: &'static str, expected: usize, found: usize },
    /// Control for an argument of an extern. [rule: type.extern-argument]
    ExternArgument { func: &'static str, found: ControlType },
    /// A value of another type than the field's. [rule: type.config-field]
    ConfigField { config: Name, field: Name, expected: FieldType, found: Type },
    /// A field that the class does not have: only in programs that were not parsed. [rule: name.unknown-field]
    UnknownField { config: Name, field: Name },
    /// A dimension that the buffer does not have. [rule: type.stride-dim]
    StrideDim { name: Sym, rank: usize, dim: usize },
    /// An extent that is not an integer. [rule: type.extent]
    ExtentType { found: Type },
    /// An extent that is always negative. [rule: type.extent]
    ExtentValue { found: i64 },
    /// A slice that always ends before it begins: its extent. [rule: type.extent]
    ExtentOfSlice { found: i64 },
    /// An extent of an argument that depends on configuration state. [rule: type.extent]
    ExtentOfState { config: Name, field: Name },
    /// A constant below 1 where a `size` is needed. [rule: type.size-literal]
    SizeLiteral { found: i64 },
    /// An allocation of a window type. [rule: type.alloc-window]
    AllocWindow { name: Sym },
}

/// How a control variable was taken for a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferUse {
    /// `n[i]`.
    Indexed,
    /// `n[0:4]`.
    Windowed,
    /// `stride(n, 0)`.
    Stride,
}

impl Fault {
    /// The rule of the specification that is broken.
    pub fn rule(&self) -> &'static str {
        match self {
            Fault::Unbound { .. } => "name.unbound",
            Fault::Rebound { .. } => "name.rebound",
            Fault::ControlExpected { .. } => "type.control-expected",
            Fault::DataExpected { .. } => "type.data-expected",
            Fault::NotInteger { .. } => "type.index",
            Fault::Rank { .. } => "type.rank",
            Fault::NotABuffer { .. } => "type.not-a-buffer",
            Fault::AssignControl { .. } => "type.assign-control",
            Fault::TensorValue { .. } => "type.tensor-value",
            Fault::WindowValue { .. } => "type.not-operand",
            Fault::BoolExpected { .. } => "type.bool-expected",
            Fault::BoolArithmetic { .. } => "type.bool-arithmetic",
            Fault::StrideArithmetic { .. } => "type.stride-arithmetic",
            Fault::Comparison { .. } => "type.comparison",
            Fault::Nonaffine => "type.nonaffine",
            Fault::Divisor { .. } => "type.divisor",
            Fault::DataModulo => "type.data-modulo",
            Fault::DataComparison { .. } => "type.data-comparison",
            Fault::Arity { .. } => "type.arity",
            Fault::Argument { .. } => "type.argument",
            Fault::ArgumentRank { .. } => "type.argument-rank",
            Fault::ArgumentShape { .. } => "type.argument-shape",
            Fault::ArgumentPrecision { .. } => "type.argument-precision",
            Fault::ScalarArgument { .. } => "type.scalar-argument",
            Fault::ExternArity { .. } => "type.extern-arity",
            Fault::ExternArgument { .. } => "type.extern-argument",
            Fault::ConfigField { .. } => "type.config-field",
            Fault::UnknownField { .. } => "name.unknown-field",
            Fault::StrideDim { .. } => "type.stride-dim",
            Fault::ExtentType { .. }
            | Fault::ExtentValue { .. }
            | Fault::ExtentOfSlice { .. }
            | Fault::ExtentOfState { .. } => "type.extent",
            Fault::SizeLiteral { .. } => "type.size-literal",
            Fault::AllocWindow { .. } => "type.alloc-window",
        }
    }
}
