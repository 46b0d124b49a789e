//! Control expressions of which some variables have no value yet.

use super::solve::Key;
use crate::ast::{BinOp, Expr, ExprKind, Literal};
use crate::denote::deeper;
use crate::store::{ConfigKey, dense};
use crate::sym::Sym;
use crate::types::ControlType;
use crate::value::Control;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The conjuncts of an assertion.
pub(super) fn conjuncts<'e>(e: &'e Expr, each: &mut dyn FnMut(&'e Expr)) {
    match &e.kind {
        ExprKind::Bin { op: BinOp::And, lhs, rhs } => {
            deeper(|| conjuncts(lhs, each));
            deeper(|| conjuncts(rhs, each));
        }
        ExprKind::Bin { .. }
        | ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => each(e),
    }
}

/// The variable an expression is, if it is one and nothing more.
pub(super) fn as_variable(e: &Expr, tensors: &FxHashMap<Sym, Arc<[Expr]>>) -> Option<Key> {
    match &e.kind {
        ExprKind::Read { name, idx } if idx.is_empty() => Some(Key::Arg(*name)),
        ExprKind::ReadConfig { config, field } => {
            Some(Key::Field(ConfigKey { config: config.name, field: *field }))
        }
        ExprKind::Stride { name, dim } if !tensors.contains_key(name) => Some(Key::Stride(*name, *dim)),
        ExprKind::Stride { .. }
        | ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. } => None,
    }
}

pub(super) fn mentions(e: &Expr, tensors: &FxHashMap<Sym, Arc<[Expr]>>, found: &mut dyn FnMut(Key)) {
    if let Some(key) = as_variable(e, tensors) {
        return found(key);
    }
    match &e.kind {
        ExprKind::Neg(e) | ExprKind::Not(e) => deeper(|| mentions(e, tensors, found)),
        ExprKind::Bin { op: _, lhs, rhs } => {
            deeper(|| mentions(lhs, tensors, found));
            deeper(|| mentions(rhs, tensors, found));
        }
        ExprKind::Stride { name, dim: _ } => {
            for e in tensors.get(name).into_iter().flat_map(|shape| shape.iter()) {
                mentions(e, tensors, found);
            }
        }
        ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(_)
        | ExprKind::Extern { .. }
        | ExprKind::ReadConfig { .. } => {}
    }
}

pub(super) fn as_int(value: Control) -> Option<i64> {
    match value {
        Control::Int(n) => Some(n),
        Control::Bool(_) | Control::Unknown => None,
    }
}

pub(super) fn is_of_type(typ: ControlType, value: Control) -> bool {
    match (typ, value) {
        (ControlType::Bool, Control::Bool(_)) => true,
        (ControlType::Size, Control::Int(n)) => n >= 1,
        (ControlType::Int | ControlType::Index | ControlType::Stride, Control::Int(_)) => true,
        (ControlType::Bool, Control::Int(_) | Control::Unknown)
        | (
            ControlType::Size | ControlType::Int | ControlType::Index | ControlType::Stride,
            Control::Bool(_) | Control::Unknown,
        ) => false,
    }
}

/// `E⟦e⟧` where some variables have no value yet: as the interpreter's, but a connective is decided as
/// soon as one side decides it.
pub(super) fn eval(
    e: &Expr,
    value: &dyn Fn(Key) -> Control,
    tensors: &FxHashMap<Sym, Arc<[Expr]>>,
) -> Control {
    let sub = |e: &Expr| deeper(|| eval(e, value, tensors));
    match &e.kind {
        ExprKind::Lit(Literal::Int(n)) => Control::Int(*n),
        ExprKind::Lit(Literal::Bool(b)) => Control::Bool(*b),
        ExprKind::Neg(e) => as_int(sub(e)).and_then(i64::checked_neg).map_or(Control::Unknown, Control::Int),
        ExprKind::Not(e) => match sub(e) {
            Control::Bool(b) => Control::Bool(!b),
            Control::Int(_) | Control::Unknown => Control::Unknown,
        },
        ExprKind::Bin { op, lhs, rhs } => operate(*op, sub(lhs), sub(rhs)),
        ExprKind::Stride { name, dim } => match tensors.get(name) {
            None => value(Key::Stride(*name, *dim)),
            Some(shape) => {
                let extents: Option<Vec<i64>> = shape.iter().map(|e| as_int(sub(e))).collect();
                let stride = extents.and_then(|extents| dense(&extents).get(*dim).map(|d| d.stride));
                stride.map_or(Control::Unknown, Control::Int)
            }
        },
        ExprKind::Read { .. } | ExprKind::ReadConfig { .. } => {
            as_variable(e, tensors).map_or(Control::Unknown, value)
        }
        ExprKind::Lit(Literal::Data(_)) | ExprKind::Window(_) | ExprKind::Extern { .. } => Control::Unknown,
    }
}

fn operate(op: BinOp, lhs: Control, rhs: Control) -> Control {
    let int = |n: Option<i64>| n.map_or(Control::Unknown, Control::Int);
    match (op, lhs, rhs) {
        (BinOp::And, Control::Bool(false), _) | (BinOp::And, _, Control::Bool(false)) => Control::Bool(false),
        (BinOp::Or, Control::Bool(true), _) | (BinOp::Or, _, Control::Bool(true)) => Control::Bool(true),
        (BinOp::And, Control::Bool(true), other) | (BinOp::Or, Control::Bool(false), other) => other,
        (BinOp::Eq, Control::Bool(a), Control::Bool(b)) => Control::Bool(a == b),
        (_, Control::Int(a), Control::Int(b)) => match op {
            BinOp::Add => int(a.checked_add(b)),
            BinOp::Sub => int(a.checked_sub(b)),
            BinOp::Mul => int(a.checked_mul(b)),
            BinOp::Div => int((b > 0).then(|| a.div_euclid(b))),
            BinOp::Mod => int((b > 0).then(|| a.rem_euclid(b))),
            BinOp::Eq => Control::Bool(a == b),
            BinOp::Lt => Control::Bool(a < b),
            BinOp::Le => Control::Bool(a <= b),
            BinOp::Gt => Control::Bool(a > b),
            BinOp::Ge => Control::Bool(a >= b),
            BinOp::And | BinOp::Or => Control::Unknown,
        },
        (_, Control::Int(_) | Control::Bool(_) | Control::Unknown, _) => Control::Unknown,
    }
}
