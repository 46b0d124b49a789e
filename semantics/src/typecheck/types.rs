//! What an expression can be.

use crate::types::linear::Linear;
use crate::types::{ArrayKind, BufferType, ControlType, DataType};
use std::fmt;

/// The type of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A control value.
    Control(ControlType),
    /// A data value.
    Data(Precision),
    /// A whole buffer or a window: an argument of a call, never a value.
    Buffer(BufferType),
    /// Of an ill-typed expression, which has been reported; compatible with everything.
    Error,
}

/// The precision of a data value. What a mixture means is decided by the back end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    /// Of literals only: that of whatever it meets.
    Literal,
    /// This one.
    Of(DataType),
    /// Operands of several precisions meet inside the expression.
    Mixed,
}

impl Precision {
    /// The precision of an operation on two values.
    #[must_use]
    pub fn join(self, other: Precision) -> Precision {
        match (self, other) {
            (Precision::Literal, p) | (p, Precision::Literal) => p,
            (Precision::Of(a), Precision::Of(b)) if a == b => self,
            (Precision::Of(_) | Precision::Mixed, Precision::Of(_) | Precision::Mixed) => Precision::Mixed,
        }
    }
}

/// With its article: ``a `size` ``, ``data of type `f32` ``, ``a tensor `f32[n, m]` ``.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Control(t) => write!(f, "{} `{t}`", article(*t)),
            Type::Data(Precision::Of(t)) => write!(f, "data of type `{t}`"),
            Type::Data(Precision::Literal) => f.write_str("a data literal"),
            Type::Data(Precision::Mixed) => f.write_str("data"),
            Type::Buffer(t) => match (t.kind, t.rank()) {
                (ArrayKind::Tensor, 0) => write!(f, "a scalar `{}`", Shown(t)),
                (ArrayKind::Tensor, _) => write!(f, "a tensor `{}`", Shown(t)),
                (ArrayKind::Window, _) => write!(f, "a window `{}`", Shown(t)),
            },
            Type::Error => f.write_str("an ill-typed expression"),
        }
    }
}

/// `an` for `int` and `index`.
pub(super) fn article(t: ControlType) -> &'static str {
    match t {
        ControlType::Int | ControlType::Index => "an",
        ControlType::Size | ControlType::Bool | ControlType::Stride => "a",
    }
}

/// A buffer type as in the source, extents in linear normal form: `f32[n, 2 * m]`, `[f32][8]`.
pub(super) struct Shown<'a>(pub(super) &'a BufferType);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BufferType { elem, shape, kind } = self.0;
        match kind {
            ArrayKind::Tensor => write!(f, "{elem}")?,
            ArrayKind::Window => write!(f, "[{elem}]")?,
        }
        if shape.is_empty() {
            return Ok(());
        }
        let extents = shape.iter().map(|e| Linear::of(e).map_or_else(|_| "?".into(), |l| l.to_string()));
        write!(f, "[{}]", extents.collect::<Vec<_>>().join(", "))
    }
}
