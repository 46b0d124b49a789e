//! Loops whose iterations do nothing from some point on, by a guard on their own variable, end there: what is left has no
//! branch and can be computed in vectors. Spec: [rule: halide.c-cut].

use crate::bounds::normal::{Normal, Normalizer, simplify};
use crate::expr::{Expr, Interval, Var};
use crate::op::Op;
use crate::tgt::{Block, For, Order, Stmt};
use crate::value::Value;

/// A block with its loops cut.
pub(super) fn cut(b: &Block) -> Block {
    b.iter().map(stmt).collect()
}

fn stmt(s: &Stmt) -> Stmt {
    match s {
        Stmt::Let { var, value, body } => Stmt::Let { var: *var, value: value.clone(), body: cut(body) },
        Stmt::If { cond, then, other } => Stmt::If { cond: cond.clone(), then: cut(then), other: cut(other) },
        Stmt::Label { label, body } => Stmt::Label { label: *label, body: cut(body) },
        Stmt::For(l) => Stmt::For(shortened(For { body: cut(&l.body), ..l.clone() })),
        Stmt::Assert { .. } | Stmt::Allocate { .. } | Stmt::Store { .. } => s.clone(),
    }
}

/// A loop without the guards that cut it. Loops that are written out have a constant number of iterations.
fn shortened(mut l: For) -> For {
    if l.order == Order::Unrolled {
        return l;
    }
    while let Some((end, body)) = unguarded(&l.body, l.variable(), &mut Vec::new()) {
        let left = Expr::binary(Op::Sub, end, l.domain.min.clone());
        let len = simplify(&Expr::binary(Op::Min, l.domain.len.clone(), left));
        l = For { domain: Interval { min: l.domain.min.clone(), len }, body, ..l };
    }
    l
}

/// Where a guard of the whole body ends the iterations, and the body without it. Nothing runs before the guard but lets
/// and other guards, so that an iteration in which it fails does nothing.
fn unguarded(body: &Block, v: Var, lets: &mut Vec<(Var, Expr)>) -> Option<(Expr, Block)> {
    let [only] = body.as_slice() else { return None };
    let outside = |e: &Expr, lets: &[(Var, Expr)]| {
        e.substitute(&|w| lets.iter().rev().find(|(bound, _)| *bound == w).map(|(_, value)| value.clone()))
    };
    match only {
        Stmt::Let { var, value, body } => {
            lets.push((*var, outside(value, lets)));
            let (end, body) = unguarded(body, v, lets)?;
            Some((end, vec![Stmt::Let { var: *var, value: value.clone(), body }]))
        }
        Stmt::If { cond, then, other } if other.is_empty() => {
            if let Some(end) = end(&outside(cond, lets), v) {
                return Some((end, then.clone()));
            }
            let (end, then) = unguarded(then, v, lets)?;
            Some((end, vec![Stmt::If { cond: cond.clone(), then, other: Block::new() }]))
        }
        Stmt::If { .. } | Stmt::Label { .. } | Stmt::For(_) => None,
        Stmt::Assert { .. } | Stmt::Allocate { .. } | Stmt::Store { .. } => None,
    }
}

/// The `e` without `v` for which a condition is `v < e`, in ℤ.
fn end(cond: &Expr, v: Var) -> Option<Expr> {
    let Expr::Op(Op::Lt, sides) = cond else { return None };
    let [a, b] = sides.as_ref() else { return None };
    if !is_plain(a) || !is_plain(b) {
        return None;
    }
    let Normal::Sum(left) = Normalizer::default().normalize(&Expr::binary(Op::Sub, b.clone(), a.clone()))
    else {
        return None;
    };
    let atom = Expr::Var(v);
    let rest = left.without(&atom);
    (left.factor(&atom) == Some(-1) && rest.atoms().all(|e| !e.mentions(v))).then(|| rest.to_expr())
}

/// Whether an expression is arithmetic of integers on variables. What is read from memory may change from one iteration to
/// the next; what is cast, and numbers of floating point, have other orders.
pub(super) fn is_plain(e: &Expr) -> bool {
    match e {
        Expr::Var(_) => true,
        Expr::Const(v) => matches!(v, Value::Int(_)),
        Expr::Op(Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Min | Op::Max, args) => {
            args.iter().all(is_plain)
        }
        Expr::Op(..) | Expr::Access(_) => false,
    }
}
