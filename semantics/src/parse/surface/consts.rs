//! Constants of the file: `N = 16`, `T = "a" + "b"`. They stand for their values in everything below.
//! Spec: [rule: syntax.constants].

use super::super::tree::{Constant, ExprKind};
use super::Reader;
use crate::sym::Name;
use num_bigint::BigInt;
use num_integer::Integer;
use ruff_python_ast as py;
use std::fmt::Write;

/// How deep a constant's expression may be.
const MAX_DEPTH: usize = 100;
/// How many bits an integer constant may have.
const MAX_BITS: u64 = 4096;
/// How many bytes a string constant may have.
const MAX_TEXT: usize = 1 << 20;

impl Reader<'_> {
    /// The value of an expression of constants; `None` when it is not one.
    pub(super) fn constant(&mut self, e: &py::Expr) -> Option<Constant> {
        let value = self.value(e, MAX_DEPTH)?;
        let fits = match &value {
            Constant::Int(n) => n.bits() <= MAX_BITS,
            Constant::Text(text) => text.len() <= MAX_TEXT,
            Constant::Float(_) | Constant::Bool(_) => true,
        };
        fits.then_some(value)
    }

    /// The value of an expression of constants, down to a depth.
    fn value(&mut self, e: &py::Expr, depth: usize) -> Option<Constant> {
        let depth = depth.checked_sub(1)?;
        match e {
            py::Expr::NumberLiteral(_) => {
                let before = self.errors.len();
                let read = self.expr(e);
                match read.kind {
                    ExprKind::Int(n) => Some(Constant::Int(n.into())),
                    ExprKind::Long(n) => Some(Constant::Int(n)),
                    ExprKind::Float(x) => Some(Constant::Float(x)),
                    _ => {
                        self.errors.truncate(before);
                        None
                    }
                }
            }
            py::Expr::BooleanLiteral(b) => Some(Constant::Bool(b.value)),
            py::Expr::StringLiteral(text) => Some(Constant::Text(text.value.to_str().into())),
            py::Expr::FString(text) => self.interpolated(text, depth),
            py::Expr::Name(name) => self.consts.get(&Name::new(name.id.as_str())).cloned(),
            py::Expr::UnaryOp(unary) if unary.op == py::UnaryOp::USub => {
                match self.value(&unary.operand, depth)? {
                    Constant::Int(n) => Some(Constant::Int(-n)),
                    Constant::Float(x) => Some(Constant::Float(x.negated())),
                    Constant::Bool(_) | Constant::Text(_) => None,
                }
            }
            py::Expr::BinOp(binary) => {
                let lhs = self.value(&binary.left, depth)?;
                let rhs = self.value(&binary.right, depth)?;
                combine(binary.op, lhs, rhs)
            }
            _ => None,
        }
    }

    /// `f"…{N}…"`, of constants alone.
    fn interpolated(&mut self, text: &py::ExprFString, depth: usize) -> Option<Constant> {
        let mut out = String::new();
        for part in &text.value {
            match part {
                py::FStringPart::Literal(literal) => out.push_str(literal.as_str()),
                py::FStringPart::FString(inner) => {
                    for element in &inner.elements {
                        match element {
                            py::InterpolatedStringElement::Literal(literal) => out.push_str(literal),
                            py::InterpolatedStringElement::Interpolation(hole) => {
                                self.hole(hole, depth, &mut out)?;
                            }
                        }
                    }
                }
            }
        }
        Some(Constant::Text(out.into()))
    }

    /// `{N}`.
    fn hole(&mut self, hole: &py::InterpolatedElement, depth: usize, out: &mut String) -> Option<()> {
        if hole.debug_text.is_some()
            || hole.format_spec.is_some()
            || hole.conversion != py::ConversionFlag::None
        {
            return None;
        }
        match self.value(&hole.expression, depth)? {
            Constant::Int(n) => write!(out, "{n}").ok(),
            Constant::Text(text) => {
                out.push_str(&text);
                Some(())
            }
            Constant::Float(_) | Constant::Bool(_) => None,
        }
    }
}

/// `lhs op rhs`.
fn combine(op: py::Operator, lhs: Constant, rhs: Constant) -> Option<Constant> {
    match (lhs, rhs) {
        (Constant::Int(a), Constant::Int(b)) => {
            let value = match op {
                py::Operator::Add => a + b,
                py::Operator::Sub => a - b,
                py::Operator::Mult if a.bits() + b.bits() <= MAX_BITS => a * b,
                py::Operator::FloorDiv if b != BigInt::ZERO => a.div_floor(&b),
                py::Operator::Mod if b != BigInt::ZERO => a.mod_floor(&b),
                _ => return None,
            };
            Some(Constant::Int(value))
        }
        (Constant::Text(a), Constant::Text(b))
            if op == py::Operator::Add && a.len() + b.len() <= MAX_TEXT =>
        {
            Some(Constant::Text(format!("{a}{b}").into()))
        }
        (Constant::Int(_) | Constant::Text(_) | Constant::Float(_) | Constant::Bool(_), _) => None,
    }
}
