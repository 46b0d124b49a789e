//! Why a program is ill-typed: one variant per reason, data only; the words are in [`super::words`].

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
    /// A symbol that nothing in scope binds: only in programs that were not parsed.
    Unbound { name: Sym },
    /// A symbol bound again within its own scope: only in programs that were not parsed.
    Rebound { name: Sym },
    /// Data, or a buffer, where control is needed.
    ControlExpected { role: Role, found: Type },
    /// Control where data is needed.
    DataExpected { role: Role, found: ControlType },
    /// A boolean or a stride where an integer is needed.
    NotInteger { role: Role, found: ControlType },
    /// As many indices as dimensions are needed.
    Rank { name: Sym, rank: usize, found: usize },
    /// A control variable is indexed, windowed, or asked for its stride.
    NotABuffer { name: Sym, found: ControlType, used: BufferUse },
    /// A control variable is written.
    AssignControl { name: Sym, found: ControlType },
    /// A buffer of rank ≥ 1 is used as a value.
    TensorValue { name: Sym, found: Type },
    /// A window is used as a value.
    WindowValue { name: Sym },
    /// A truth value is needed.
    BoolExpected { role: Role, found: Type },
    /// Arithmetic on a boolean; `None`: unary minus.
    BoolArithmetic { op: Option<BinOp> },
    /// Arithmetic on a stride; `None`: unary minus.
    StrideArithmetic { op: Option<BinOp> },
    /// A comparison of values that cannot be compared this way.
    Comparison { op: BinOp, lhs: ControlType, rhs: ControlType },
    /// A product of two integers neither of which is constant.
    Nonaffine,
    /// Division or remainder by anything but a positive constant; the constant, if it is one.
    Divisor { op: BinOp, found: Option<i64> },
    /// `%` on data.
    DataModulo,
    /// A comparison of data.
    DataComparison { op: BinOp },
    /// The wrong number of arguments.
    Arity { proc: Name, expected: usize, found: usize },
    /// An argument of another kind than the formal.
    Argument { formal: Formal, expected: Type, found: Type },
    /// A buffer with another number of dimensions than the formal.
    ArgumentRank { formal: Formal, expected: Type, found: Type, ranks: (usize, usize) },
    /// A buffer with another extent than the formal; expected, found.
    ArgumentShape { formal: Formal, dim: usize, expected: Linear, found: Linear },
    /// A buffer with another element type than the formal.
    ArgumentPrecision { formal: Formal, expected: DataType, found: DataType },
    /// A window for a formal that is a dense tensor.
    WindowToTensor { formal: Formal, expected: Type, found: Type },
    /// A value without a place for a scalar passed by reference.
    ScalarArgument { formal: Formal, expected: DataType },
    /// The wrong number of arguments of an extern.
    ExternArity { func: &'static str, expected: usize, found: usize },
    /// Control for an argument of an extern.
    ExternArgument { func: &'static str, found: ControlType },
    /// A value of another type than the field's.
    ConfigField { config: Name, field: Name, expected: FieldType, found: Type },
    /// A field that the class does not have: only in programs that were not parsed.
    UnknownField { config: Name, field: Name },
    /// A dimension that the buffer does not have.
    StrideDim { name: Sym, rank: usize, dim: usize },
    /// An extent that is not an integer.
    ExtentType { found: Type },
    /// An extent that is always below 1.
    ExtentValue { found: i64 },
    /// A slice that always ends before it begins: its extent.
    ExtentOfSlice { found: i64 },
    /// An extent of an argument that depends on configuration state.
    ExtentOfState { config: Name, field: Name },
    /// A constant below 1 where a `size` is needed.
    SizeLiteral { found: i64 },
    /// An allocation of a window type.
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
            Fault::WindowToTensor { .. } => "type.window-to-tensor",
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
