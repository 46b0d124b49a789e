//! Lifting of expressions. PLDI'22 App. C (Lift); spec: [rule: lift].

use crate::effexpr::{EffExpr, Sort};
use crate::env::{Env, Field, Selected, View, sort_of_field};
use crate::locset::Base;
use rewright_semantics::ast::{BinOp, Expr, ExprKind, Literal, WinCoord, WindowExpr};
use rewright_semantics::sym::Sym;

/// `γ(Lift⟦e⟧)` of a control expression: its value in terms of the values on entry. ⊥ for data.
pub fn lift(env: &Env, e: &Expr) -> EffExpr {
    match &e.kind {
        ExprKind::Read { name, idx } if idx.is_empty() => env.local(*name),
        ExprKind::Read { .. } | ExprKind::Window(_) | ExprKind::Extern { .. } => EffExpr::unknown(Sort::Int),
        ExprKind::Lit(Literal::Int(c)) => EffExpr::int(*c),
        ExprKind::Lit(Literal::Bool(b)) => EffExpr::bool(*b),
        ExprKind::Lit(Literal::Data(_)) => EffExpr::unknown(Sort::Int),
        ExprKind::Neg(a) => EffExpr::neg(lift(env, a)),
        ExprKind::Not(a) => EffExpr::not(lift(env, a)),
        ExprKind::Bin { op, lhs, rhs } => lift_op(*op, lift(env, lhs), lift(env, rhs)),
        ExprKind::Stride { name, dim } => lift_stride(env, *name, *dim),
        ExprKind::ReadConfig { config, field } => match sort_of_field(config, *field) {
            Some(sort) => env.globals.get(Field::of(config, *field), sort),
            None => EffExpr::unknown(Sort::Int),
        },
    }
}

fn lift_op(op: BinOp, a: EffExpr, b: EffExpr) -> EffExpr {
    match op {
        BinOp::Add => EffExpr::add(a, b),
        BinOp::Sub => EffExpr::sub(a, b),
        BinOp::Mul => EffExpr::mul(a, b),
        BinOp::Div => b.as_int().map_or(EffExpr::unknown(Sort::Int), |k| EffExpr::div(a, k)),
        BinOp::Mod => b.as_int().map_or(EffExpr::unknown(Sort::Int), |k| EffExpr::modulo(a, k)),
        BinOp::Eq => EffExpr::eq(a, b),
        BinOp::Lt => EffExpr::lt(a, b),
        BinOp::Le => EffExpr::le(a, b),
        BinOp::Gt => EffExpr::gt(a, b),
        BinOp::Ge => EffExpr::ge(a, b),
        BinOp::And => EffExpr::and([a, b]),
        BinOp::Or => EffExpr::or([a, b]),
    }
}

/// `stride(x, d)`: a value like any other, fixed when the root is made. Spec: [rule: lift.stride].
fn lift_stride(env: &Env, name: Sym, dim: usize) -> EffExpr {
    env.view(name).and_then(|v| v.strides.get(dim)).cloned().unwrap_or(EffExpr::unknown(Sort::Int))
}

/// `γ(Lift⟦win(e_0, w, …)⟧)`: what a window shows.
pub fn lift_window(env: &Env, w: &WindowExpr) -> Option<View> {
    let coords: Vec<Selected> = w.idx.iter().map(|c| lift_coord(env, c)).collect();
    let view = env.view(w.name)?;
    (view.extents.len() == coords.len()).then(|| view.select(&coords))
}

/// One coordinate of a window.
pub fn lift_coord(env: &Env, c: &WinCoord) -> Selected {
    match c {
        WinCoord::Point(e) => Selected::Point(lift(env, e)),
        WinCoord::Interval(lo, hi) => Selected::Interval(lift(env, lo), lift(env, hi)),
    }
}

/// What a data argument of a call passes: a buffer, a window of it, a cell, or a data field. `None` for an
/// expression that is none of these, which no callee can write to.
pub fn lift_argument(env: &Env, e: &Expr) -> Option<View> {
    match &e.kind {
        ExprKind::Read { name, idx } if idx.is_empty() => env.view(*name).cloned(),
        ExprKind::Read { name, idx } => {
            let coords: Vec<Selected> = idx.iter().map(|i| Selected::Point(lift(env, i))).collect();
            let view = env.view(*name)?;
            (view.extents.len() == coords.len()).then(|| view.select(&coords))
        }
        ExprKind::Window(w) => lift_window(env, w),
        ExprKind::ReadConfig { config, field } => Some(View::scalar(Base::Global(Field::of(config, *field)))),
        ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. } => None,
    }
}

/// Strides of a dense buffer with these extents, where they are products with at most one factor that is
/// not a constant; `otherwise` for the rest. Spec: [rule: lift.stride].
pub fn dense_strides(extents: &[EffExpr], otherwise: impl Fn(usize) -> EffExpr) -> Vec<EffExpr> {
    let mut out = vec![EffExpr::int(1); extents.len()];
    let mut below = Some(EffExpr::int(1));
    for (d, extent) in extents.iter().enumerate().rev() {
        if let Some(slot) = out.get_mut(d) {
            *slot = below.clone().unwrap_or_else(|| otherwise(d));
        }
        below = below.map(|b| EffExpr::mul(b, extent.clone())).filter(|b| !b.is_unknown());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_are_products_while_they_are_affine() {
        let (n, m, k) = (Sym::fresh("n"), Sym::fresh("m"), Sym::fresh("k"));
        let var = EffExpr::int_var;
        let odd = |d| EffExpr::stride(n, d);
        assert_eq!(dense_strides(&[var(n), var(m)], odd), [var(m), EffExpr::int(1)]);
        assert_eq!(
            dense_strides(&[var(n), var(m), EffExpr::int(4)], odd),
            [EffExpr::scale(4, var(m)), EffExpr::int(4), EffExpr::int(1)]
        );
        assert_eq!(dense_strides(&[var(n), var(m), var(k)], odd), [odd(0), var(k), EffExpr::int(1)]);
    }
}
