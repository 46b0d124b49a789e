//! Shorter expressions of the same value at one place. Nothing else in this crate relies on it: conditions are
//! stated on expressions as they are.
//!
//! Rules propose, the solver disposes: where a rule needs to know something (`0 <= e % 4`), it asks, and each
//! operand that comes out shorter is proved equal to what it was once more, as a whole. An expression is replaced
//! only by one with fewer nodes, or as many and more literals among them, so that simplifying ends, and what came
//! out of it stays as it is. Where sums are to be in order, what came out is written in the one order that a sum has.

mod affine;
mod control;
mod data;
mod order;
mod sum;

use crate::cursor::path::ExprStep;
use crate::tools::requires::equal::equal_here;
use crate::version::session::Session;
use rewright_effects::context::Context;
use rewright_effects::obligation::Obligation;
use rewright_semantics::ast::{BinOp, Expr, ExprKind, Literal};
use rewright_semantics::syntax::walk::each_child;
use std::cell::RefCell;

/// Simplifies expressions at the hole of a context.
pub struct Simplifier<'a> {
    session: &'a Session,
    ctx: &'a Context,
    decide: &'a dyn Fn(&Obligation) -> bool,
    known: &'a [(Expr, i64)],
    /// Whether sums come out in order: then what is known but for guards, which are read word for word.
    ordered: Option<Context>,
    used: RefCell<Vec<Obligation>>,
}

impl<'a> Simplifier<'a> {
    /// At a place. `decide` says whether an obligation is proved; `known` are expressions that may be constants
    /// there, from assertions and guards: each is proved where it is used.
    pub fn new(
        session: &'a Session,
        ctx: &'a Context,
        decide: &'a dyn Fn(&Obligation) -> bool,
        known: &'a [(Expr, i64)],
    ) -> Simplifier<'a> {
        Simplifier { session, ctx, decide, known, ordered: None, used: RefCell::new(Vec::new()) }
    }

    /// Besides, each sum of variables comes out in one order: a constant, then the variables by their factors. Of truth values
    /// no more is known then than what literals show, and of integers what is known but for guards.
    #[must_use]
    pub fn ordering(self, but_for_guards: Option<Context>) -> Simplifier<'a> {
        Simplifier { ordered: but_for_guards, ..self }
    }

    /// What was proved: that each control expression has the value of the one it stands for.
    pub fn used(self) -> Vec<Obligation> {
        self.used.into_inner()
    }

    /// A shorter control expression of the same value, or the same one.
    pub fn checked(&self, e: &Expr) -> Expr {
        let new = self.control(e);
        let is_new = match self.ordered {
            Some(_) => size(&new) <= size(e) && new != *e,
            None => size(&new) < size(e),
        };
        let shorter = if is_new { self.proved(e, new) } else { None };
        let shorter = shorter.unwrap_or_else(|| e.clone());
        if self.ordered.is_none() {
            return shorter;
        }
        let ordered = order::ordered(&shorter);
        if ordered == shorter { shorter } else { self.proved(e, ordered).unwrap_or(shorter) }
    }

    /// An expression that is proved to have the value of another one, which is noted.
    fn proved(&self, e: &Expr, new: Expr) -> Option<Expr> {
        let equal = equal_here(self.session, self.ctx, e, &new);
        let is_proved = (self.decide)(&equal);
        is_proved.then(|| {
            self.used.borrow_mut().push(equal);
            new
        })
    }
}

/// The number of nodes, and of leaves that are no literals.
pub fn size(e: &Expr) -> (usize, usize) {
    let (mut nodes, mut leaves, mut inner) = (1, 0, false);
    each_child(e, &mut |_, child| {
        let (n, l) = size(child);
        (nodes, leaves, inner) = (nodes + n, leaves + l, true);
    });
    if !inner && !matches!(e.kind, ExprKind::Lit(_)) {
        leaves += 1;
    }
    (nodes, leaves)
}

/// The shorter of two; the first where they are alike.
fn shorter(a: Expr, b: Expr) -> Expr {
    if size(&b) < size(&a) { b } else { a }
}

fn is(e: &Expr, c: i64) -> bool {
    e.kind == ExprKind::Lit(Literal::Int(c))
}

/// `0 + e`, `e + 0` and `e - 0` are `e`.
fn without_zero(e: Expr) -> Expr {
    let ExprKind::Bin { op, lhs, rhs } = &e.kind else { return e };
    match op {
        BinOp::Add | BinOp::Sub if is(rhs, 0) => lhs.as_ref().clone(),
        BinOp::Add if is(lhs, 0) => rhs.as_ref().clone(),
        BinOp::Add
        | BinOp::Sub
        | BinOp::Mul
        | BinOp::Div
        | BinOp::Mod
        | BinOp::Eq
        | BinOp::Lt
        | BinOp::Le
        | BinOp::Gt
        | BinOp::Ge
        | BinOp::And
        | BinOp::Or => e,
    }
}

/// `e / m` or `e % m`, taken apart.
fn divided(e: &Expr, by: BinOp) -> Option<(&Expr, i64)> {
    let ExprKind::Bin { op, lhs, rhs } = &e.kind else { return None };
    let ExprKind::Lit(Literal::Int(m)) = &rhs.kind else { return None };
    (*op == by && *m > 0).then_some((lhs.as_ref(), *m))
}

/// Adds the equations with a constant that a condition states, each side of an `and` by itself.
pub fn equations(cond: &Expr, out: &mut Vec<(Expr, i64)>) {
    let ExprKind::Bin { op, lhs, rhs } = &cond.kind else { return };
    match (op, &lhs.kind, &rhs.kind) {
        (BinOp::And, _, _) => {
            equations(lhs, out);
            equations(rhs, out);
        }
        (BinOp::Eq, ExprKind::Lit(_), ExprKind::Lit(_)) => {}
        (BinOp::Eq, _, ExprKind::Lit(Literal::Int(c))) => out.push((lhs.as_ref().clone(), *c)),
        (BinOp::Eq, ExprKind::Lit(Literal::Int(c)), _) => out.push((rhs.as_ref().clone(), *c)),
        _ => {}
    }
}

/// Whether a part of an expression has the value of what stands there in another.
type Same<'a> = &'a mut dyn FnMut(&Expr, &Expr) -> bool;

/// The smallest parts in which an expression differs from another of the same value, each with what stands there in
/// the other, that have one value too: `(4 * i + j) % 4` and `j % 4` differ as wholes.
pub fn differences(old: &Expr, new: &Expr, same: Same<'_>) -> Vec<(Vec<ExprStep>, Expr)> {
    let mut out = Vec::new();
    compare(old, new, same, &mut Vec::new(), &mut out);
    out
}

fn compare(
    old: &Expr,
    new: &Expr,
    same: Same<'_>,
    at: &mut Vec<ExprStep>,
    out: &mut Vec<(Vec<ExprStep>, Expr)>,
) {
    if old == new {
        return;
    }
    let (mut before, mut after) = (Vec::new(), Vec::new());
    each_child(old, &mut |step, child| before.push((step, child)));
    each_child(new, &mut |step, child| after.push((step, child)));
    let steps = |children: &[(ExprStep, &Expr)]| children.iter().map(|(step, _)| *step).collect::<Vec<_>>();
    let alike = !before.is_empty() && steps(&before) == steps(&after) && same_head(old, new);
    let mut pairs = before.iter().zip(&after);
    if !alike || !pairs.all(|((_, a), (_, b))| a == b || same(a, b)) {
        out.push((at.clone(), new.clone()));
        return;
    }
    for ((step, a), (_, b)) in before.into_iter().zip(after) {
        at.push(step);
        compare(a, b, same, at, out);
        at.pop();
    }
}

/// Whether two expressions of equally many children differ in these alone.
fn same_head(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Read { name: x, .. }, ExprKind::Read { name: y, .. }) => x == y,
        (ExprKind::Window(v), ExprKind::Window(w)) => v.name == w.name,
        (ExprKind::Neg(_), ExprKind::Neg(_)) | (ExprKind::Not(_), ExprKind::Not(_)) => true,
        (ExprKind::Bin { op: f, .. }, ExprKind::Bin { op: g, .. }) => f == g,
        (ExprKind::Extern { func: f, .. }, ExprKind::Extern { func: g, .. }) => f == g,
        (
            ExprKind::Read { .. }
            | ExprKind::Window(_)
            | ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Not(_)
            | ExprKind::Bin { .. }
            | ExprKind::Extern { .. }
            | ExprKind::Stride { .. }
            | ExprKind::ReadConfig { .. },
            _,
        ) => false,
    }
}
