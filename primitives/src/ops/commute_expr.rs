//! ```text
//! a + b  ~>  b + a
//! a * b  ~>  b * a
//! ```
//! A pattern stands for every expression that it matches, as in the practical system. Exact in every precision.
//!
//! Source: ASPLOS'25 App. A.2. Spec: [rule: commute_expr].

use crate::cursor::path::{ExprPath, ExprStep, Place, expr_at};
use crate::cursor::{At, resolve};
use crate::error::Result;
use crate::kept::Parts;
use crate::registry::{ArgKind, Condition, Exact, Primitive, form, required};
use crate::rewrite::Rewrite;
use crate::version::Proc;
use rewright_semantics::ast::{BinOp, Expr, ExprKind};

const OPERATOR: Condition = form("operator", "each expression is a sum or a product");

/// The entry of [`commute_expr`].
pub static COMMUTE_EXPR: Primitive = Primitive {
    name: "commute_expr",
    summary: "swaps the operands of sums and products",
    source: "ASPLOS'25 App. A.2",
    params: &[required("expr_cursors", ArgKind::Exprs)],
    conditions: &[OPERATOR],
    exact: Exact::Always,
    run: |p, args| commute_expr(p, &args.ats("expr_cursors")?),
};

/// Swaps the operands of sums and products.
///
/// # Errors
/// An expression is neither, or there is none.
pub fn commute_expr(p: &Proc, at: &[At]) -> Result<Proc> {
    let mut rw = Rewrite::new(p, &COMMUTE_EXPR);
    let mut places: Vec<ExprPath> = Vec::new();
    for at in at {
        for place in resolve::exprs(p, at)? {
            if !places.contains(&place) {
                places.push(place);
            }
        }
    }
    rw.at_all("expr_cursors", places.iter().cloned().map(Place::Expr));
    // Inner ones first: swapping an outer one moves what is in it.
    places.sort_by_key(|at| std::cmp::Reverse(at.steps.len()));
    for at in &places {
        let e = expr_at(p.ast(), at).ok_or_else(|| rw.internal("the expression is gone"))?;
        let commutes = matches!(&e.kind, ExprKind::Bin { op: BinOp::Add | BinOp::Mul, .. });
        rw.require_that(&OPERATOR, commutes, || format!("`{}` is neither a sum nor a product", shown(e)))?;
    }
    for at in &places {
        let e = expr_at(rw.ast(), at).ok_or_else(|| rw.internal("the expression is gone"))?;
        let ExprKind::Bin { op, lhs, rhs } = &e.kind else {
            return Err(rw.internal("the expression is no sum and no product"));
        };
        let swapped = ExprKind::Bin { op: *op, lhs: rhs.clone(), rhs: lhs.clone() };
        let swapped = Expr::at(swapped, e.span);
        let (lhs, rhs) = (vec![ExprStep::Lhs], vec![ExprStep::Rhs]);
        rw.replace_expr(at, swapped, Parts::value_and([(lhs.clone(), rhs.clone()), (rhs, lhs)]));
    }
    rw.finish()
}

impl Proc {
    /// Swaps the operands of sums and products: [`commute_expr`](fn@commute_expr).
    ///
    /// # Errors
    /// As the function.
    pub fn commute_expr(&self, at: &[At]) -> Result<Proc> {
        commute_expr(self, at)
    }
}

fn shown(e: &Expr) -> String {
    rewright_semantics::pretty::expr_to_string(e)
}
