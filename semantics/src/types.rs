//! Types of the object language: control against data. PLDI'22 §3.1 and Fig. 3; spec: [rule: types].

pub mod env;
pub mod linear;

use crate::ast::Expr;
use crate::sym::Name;
use std::fmt;
use std::sync::Arc;

/// The type of one data value. `R` stands for the reals and becomes a concrete precision before C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DataType {
    /// The abstract numbers.
    R,
    /// IEEE binary16.
    F16,
    /// The first 16 bits of binary32: 8 bits of exponent, 7 of fraction.
    BF16,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// 8 bits, signed.
    I8,
    /// 8 bits, unsigned.
    UI8,
    /// 16 bits, unsigned.
    UI16,
    /// 32 bits, signed.
    I32,
}

impl DataType {
    /// Every data type, in the order of the specification.
    pub const ALL: [DataType; 9] = [
        DataType::R,
        DataType::F16,
        DataType::BF16,
        DataType::F32,
        DataType::F64,
        DataType::I8,
        DataType::UI8,
        DataType::UI16,
        DataType::I32,
    ];

    /// The keyword of the surface language.
    pub fn keyword(self) -> &'static str {
        match self {
            DataType::R => "R",
            DataType::F16 => "f16",
            DataType::BF16 => "bf16",
            DataType::F32 => "f32",
            DataType::F64 => "f64",
            DataType::I8 => "i8",
            DataType::UI8 => "ui8",
            DataType::UI16 => "ui16",
            DataType::I32 => "i32",
        }
    }

    /// The type with this keyword.
    pub fn from_keyword(word: &str) -> Option<DataType> {
        DataType::ALL.into_iter().find(|t| t.keyword() == word)
    }

    /// Whether a buffer of one type may be passed for one of the other: they are equal, or one is `R`, of which is asked what it
    /// has become before C is generated. Spec: [rule: type.argument-precision].
    pub fn meets(self, other: DataType) -> bool {
        self == other || self == DataType::R || other == DataType::R
    }

    /// Whether values are integers of fixed width (not `R`, not floating point).
    pub fn is_integer(self) -> bool {
        match self {
            DataType::I8 | DataType::UI8 | DataType::UI16 | DataType::I32 => true,
            DataType::R | DataType::F16 | DataType::BF16 | DataType::F32 | DataType::F64 => false,
        }
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.keyword())
    }
}

/// The type of a control value: what loop bounds, guards and indices are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ControlType {
    /// Any integer.
    Int,
    /// An integer used to index, possibly negative; loop variables have this type.
    Index,
    /// An integer ≥ 1.
    Size,
    /// A truth value.
    Bool,
    /// The distance in elements between neighbours along one dimension of a buffer.
    Stride,
}

impl ControlType {
    /// Every control type, in the order of the specification.
    pub const ALL: [ControlType; 5] =
        [ControlType::Int, ControlType::Index, ControlType::Size, ControlType::Bool, ControlType::Stride];

    /// The keyword of the surface language.
    pub fn keyword(self) -> &'static str {
        match self {
            ControlType::Int => "int",
            ControlType::Index => "index",
            ControlType::Size => "size",
            ControlType::Bool => "bool",
            ControlType::Stride => "stride",
        }
    }

    /// The type with this keyword.
    pub fn from_keyword(word: &str) -> Option<ControlType> {
        ControlType::ALL.into_iter().find(|t| t.keyword() == word)
    }

    /// Whether values are integers that may index: `int`, `index`, `size`.
    pub fn is_indexable(self) -> bool {
        match self {
            ControlType::Int | ControlType::Index | ControlType::Size => true,
            ControlType::Bool | ControlType::Stride => false,
        }
    }
}

impl fmt::Display for ControlType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.keyword())
    }
}

/// Whether an array owns its cells densely or is a view of someone else's with strides of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrayKind {
    /// `f32[n, m]`: row-major, dense. Scalars are tensors of rank 0.
    Tensor,
    /// `[f32][n, m]`: a window.
    Window,
}

/// The type of a buffer: element type, extents (control expressions), tensor or window.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BufferType {
    /// The type of a cell.
    pub elem: DataType,
    /// Extent of each dimension, outermost first; empty for a scalar.
    pub shape: Arc<[Expr]>,
    /// Dense or strided.
    pub kind: ArrayKind,
}

impl BufferType {
    /// A dense buffer.
    pub fn tensor(elem: DataType, shape: impl Into<Arc<[Expr]>>) -> BufferType {
        BufferType { elem, shape: shape.into(), kind: ArrayKind::Tensor }
    }

    /// A strided view.
    pub fn window(elem: DataType, shape: impl Into<Arc<[Expr]>>) -> BufferType {
        BufferType { elem, shape: shape.into(), kind: ArrayKind::Window }
    }

    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }
}

/// The type of an argument or a configuration field's value: control or data.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ArgType {
    /// Passed by value, immutable.
    Control(ControlType),
    /// Passed by reference: a scalar, a tensor or a window, and the memory it lives in.
    Data {
        /// What it is.
        typ: BufferType,
        /// Where it lives.
        mem: MemName,
    },
}

/// The name of a memory, such as `DRAM`. What it means for C is known to the back end alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemName(pub Name);

impl MemName {
    /// The default memory.
    pub fn dram() -> MemName {
        MemName(Name::new("DRAM"))
    }
}

impl fmt::Display for MemName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The type of a configuration field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FieldType {
    /// A control value.
    Control(ControlType),
    /// A data value: a scalar.
    Data(DataType),
}

impl fmt::Display for FieldType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FieldType::Control(t) => t.fmt(f),
            FieldType::Data(t) => t.fmt(f),
        }
    }
}

/// Runs a step of a recursion over syntax, on a new piece of stack when the old one is nearly used up:
/// programs made by rewrites may nest deeper than any that was parsed.
pub(crate) fn deep<R>(step: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, step)
}
