//! ```text
//! x[i] = a + b    ~>   x[i] = a;  x[i] += b
//! x[i] += a + b   ~>   x[i] += a; x[i] += b
//! ```
//! May round differently.
//!
//! Source: Exo. Spec: [rule: split_write].

use crate::cursor::At;
use crate::cursor::path::{ExprPath, ExprStep, Step, shifted};
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::kept::Parts;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, form, required};
use crate::rewrite::Rewrite;
use crate::tools::syntax::operand::{MIXED, common, target};
use crate::tools::syntax::stmt_views::{Write, WriteKind};
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_semantics::ast::{BinOp, ExprKind};
use rewright_semantics::build::block;

const SUM: Condition = form("sum", "the right-hand side is a sum");
const NOT_READ: Condition = condition("not_read", "the second term does not depend on the cell");
const PRECISION: Condition =
    condition("precision", "all that is read and written is floating, or all is integer");

/// The entry of [`split_write`].
pub static SPLIT_WRITE: Primitive = Primitive {
    name: "split_write",
    summary: "writes the terms of a sum one after the other; may round differently",
    source: "Exo",
    params: &[required("stmt", ArgKind::Write)],
    conditions: &[SUM, NOT_READ, PRECISION],
    exact: Exact::Never,
    run: |p, args| split_write(p, args.at("stmt")?),
};

/// Writes the terms of a sum one after the other.
///
/// # Errors
/// A condition fails, or there is no write.
pub fn split_write(p: &Proc, at: impl Into<At>) -> Result<Proc> {
    let path = resolve::stmt(p, &at.into(), Sort::Write)?;
    let mut rw = Rewrite::new(p, &SPLIT_WRITE);
    rw.at_stmt("stmt", &path);
    let s = rw.given(&path)?;
    let write = Write::of(&s).ok_or_else(|| rw.internal("the write is no write"))?;
    let ExprKind::Bin { op: BinOp::Add, lhs, rhs } = &write.rhs.kind else {
        return Err(rw.refuse(&SUM, "the right-hand side is no sum", write.rhs.span));
    };
    rw.require_that(&SUM, true, || "")?;
    let ctx = rw.context_of(&path)?;
    let cell = conditions::cell(&ctx.env, write.name, &write.idx);
    let cell = cell.ok_or_else(|| rw.internal("a write to no cell"))?;
    rw.require(&NOT_READ, [conditions::not_read_by(&ctx, &cell, rhs)])?;
    let env = p.env_at(&path).ok_or_else(|| rw.internal("no names"))?;
    let numbers = target(&env, &s).and_then(|t| common(&env, t, [&write.rhs]));
    rw.require_that(&PRECISION, numbers.is_some(), || MIXED)?;

    let second = Write { kind: WriteKind::Reduce, rhs: rhs.as_ref().clone(), ..write.clone() };
    let (next, first) = (shifted(&path, 1), lhs.as_ref().clone());
    rw.insert(&next, block([second.stmt()]));
    let at = |stmt: &[Step], steps: &[ExprStep]| ExprPath { stmt: stmt.to_vec(), steps: steps.to_vec() };
    rw.redirect_expr(at(&path, &[ExprStep::Rhs, ExprStep::Rhs]), at(&next, &[ExprStep::Rhs]));
    rw.replace_expr(&at(&path, &[ExprStep::Rhs]), first, Parts::only([(vec![ExprStep::Lhs], vec![])]));
    rw.finish()
}

impl Proc {
    /// Writes the terms of a sum one after the other; may round differently: [`split_write`](fn@split_write).
    ///
    /// # Errors
    /// As the function.
    pub fn split_write(&self, at: impl Into<At>) -> Result<Proc> {
        split_write(self, at)
    }
}
