//! ```text
//! a + (b + c)  ~>  (a + b) + c
//! a * (b * c)  ~>  (a * b) * c
//! ```
//! Floating-point results may round differently.
//!
//! Source: Exo. Spec: [rule: left_reassociate_expr].

use crate::cursor::path::{ExprStep, Place, expr_at};
use crate::cursor::{At, resolve};
use crate::error::Result;
use crate::kept::Parts;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, form, required};
use crate::rewrite::Rewrite;
use crate::tools::syntax::operand::{MIXED, Operand};
use crate::version::Proc;
use rewright_semantics::ast::{BinOp, Expr, ExprKind};
use rewright_semantics::build::bin;
use rewright_semantics::span::Span;

const OPERATOR: Condition =
    form("operator", "the expression is a sum or a product whose right operand is another");
const PRECISION: Condition = condition("precision", "the right-hand side is all floating, or all integer");

/// The entry of [`left_reassociate_expr`].
pub static LEFT_REASSOCIATE_EXPR: Primitive = Primitive {
    name: "left_reassociate_expr",
    summary: "moves the parentheses of a sum or product to the left; may round differently",
    source: "Exo",
    params: &[required("expr", ArgKind::Expr)],
    conditions: &[OPERATOR, PRECISION],
    exact: Exact::Never,
    run: |p, args| left_reassociate_expr(p, args.at("expr")?),
};

/// Moves the parentheses of a sum or product to the left.
///
/// # Errors
/// A condition fails, or there is no expression.
pub fn left_reassociate_expr(p: &Proc, at: impl Into<At>) -> Result<Proc> {
    let at = resolve::expr(p, &at.into())?;
    let mut rw = Rewrite::new(p, &LEFT_REASSOCIATE_EXPR);
    rw.at("expr", Place::Expr(at.clone()));
    let e = expr_at(p.ast(), &at).ok_or_else(|| rw.internal("the expression is gone"))?;
    let Some(left) = reassociated(e) else {
        let why = "the expression is no sum or product whose right operand is another";
        return Err(rw.refuse(&OPERATOR, why, e.span));
    };
    rw.require_that(&OPERATOR, true, || "")?;
    let operand = Operand::of(p, &at).ok_or_else(|| rw.internal("the operand is gone"))?;
    let data = operand.is_data(e);
    rw.require_that(&PRECISION, !data || operand.numbers().is_some(), || MIXED)?;
    let (l, r) = (ExprStep::Lhs, ExprStep::Rhs);
    let terms = [(vec![l], vec![l, l]), (vec![r, l], vec![l, r]), (vec![r, r], vec![r])];
    rw.replace_expr(&at, Expr { span: e.span, ..left }, Parts::value_and(terms));
    rw.finish()
}

impl Proc {
    /// Moves the parentheses of a sum or product to the left; may round differently: [`left_reassociate_expr`](fn@left_reassociate_expr).
    ///
    /// # Errors
    /// As the function.
    pub fn left_reassociate_expr(&self, at: impl Into<At>) -> Result<Proc> {
        left_reassociate_expr(self, at)
    }
}

fn reassociated(e: &Expr) -> Option<Expr> {
    let ExprKind::Bin { op: op @ (BinOp::Add | BinOp::Mul), lhs: a, rhs } = &e.kind else { return None };
    let ExprKind::Bin { op: inner, lhs: b, rhs: c } = &rhs.kind else { return None };
    let inside = Expr { span: Span::NONE, ..bin(*op, a.as_ref().clone(), b.as_ref().clone()) };
    (inner == op).then(|| bin(*op, inside, c.as_ref().clone()))
}
