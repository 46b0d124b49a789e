//! ```text
//! x[i] = a;  x[i] = b    ~>   x[i] = b
//! x[i] += a; x[i] = b    ~>   x[i] = b
//! x[i] = a;  x[i] += b   ~>   x[i] = a + b
//! x[i] += a; x[i] += b   ~>   x[i] += a + b
//! ```
//! The cell may be written in two ways, also through a window. The two last forms may round differently.
//!
//! Source: ASPLOS'25 App. A.6. Spec: [rule: merge_writes].

use crate::cursor::path::{ExprPath, ExprStep, Hole, Place, Step, member};
use crate::cursor::{At, resolve};
use crate::error::Result;
use crate::kept::{Dims, Kept, Parts};
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, form, required};
use crate::rewrite::Rewrite;
use crate::tools::syntax::operand::{MIXED, common, target};
use crate::tools::syntax::stmt_views::{Write, WriteKind};
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_semantics::build::add;

const WRITES: Condition = form("writes", "both statements are assignments or reductions");
const SAME_CELL: Condition = condition("same_cell", "both statements write the same cell");
const NOT_READ: Condition = condition("not_read", "the second value does not depend on the cell");
const PRECISION: Condition =
    condition("precision", "where the values are added, all is floating or all is integer");

/// The entry of [`merge_writes`].
pub static MERGE_WRITES: Primitive = Primitive {
    name: "merge_writes",
    summary: "makes one write of two to the same cell; sums may round differently",
    source: "ASPLOS'25 App. A.6",
    params: &[required("block_cursor", ArgKind::StmtPair)],
    conditions: &[WRITES, SAME_CELL, NOT_READ, PRECISION],
    exact: Exact::Never,
    run: |p, args| merge_writes(p, args.at("block_cursor")?),
};

/// Makes one write of two.
///
/// # Errors
/// A condition fails, or there are not two statements.
pub fn merge_writes(p: &Proc, at: impl Into<At>) -> Result<Proc> {
    let pair = resolve::pair(p, &at.into())?;
    let mut rw = Rewrite::new(p, &MERGE_WRITES);
    rw.at("block_cursor", Place::Block(pair.clone()));
    let second = member(&pair, 1);
    let (s, t) = (rw.given(&pair.path)?, rw.given(&second)?);
    let (Some(first), Some(last)) = (Write::of(&s), Write::of(&t)) else {
        return Err(rw.refuse(&WRITES, "they are not two assignments or reductions", s.span.to(t.span)));
    };
    rw.require_that(&WRITES, true, || "")?;
    let ctx = rw.context(&pair)?;
    let cell = |w: &Write| conditions::cell(&ctx.env, w.name, &w.idx);
    let (Some(here), Some(there)) = (cell(&first), cell(&last)) else {
        return Err(rw.internal("a write to no cell"));
    };
    let Some(same) = conditions::same_place(&ctx, &here, &there) else {
        let why = format!("`{}` and `{}` are different buffers", first.name, last.name);
        return Err(rw.refuse(&SAME_CELL, why, s.span.to(t.span)));
    };
    rw.require(&SAME_CELL, [same.at(s.span, "the first").at(t.span, "the second")])?;
    rw.require(&NOT_READ, [conditions::not_read_by(&ctx, &here, &last.rhs)])?;
    match last.kind {
        WriteKind::Assign => rw.delete(&Hole::stmt(pair.path)),
        WriteKind::Reduce => {
            let env = p.env_at(&pair.path).ok_or_else(|| rw.internal("no names"))?;
            let numbers = target(&env, &s).and_then(|t| common(&env, t, [&first.rhs, &last.rhs]));
            let one_target = target(&env, &s) == target(&env, &t);
            rw.require_that(&PRECISION, numbers.is_some() && one_target, || MIXED)?;
            let sum = add(first.rhs.clone(), last.rhs.clone());
            let at =
                |stmt: &[Step], steps: &[ExprStep]| ExprPath { stmt: stmt.to_vec(), steps: steps.to_vec() };
            let (rhs, path) = (ExprStep::Rhs, pair.path);
            rw.replace_expr(&at(&path, &[rhs]), sum, Parts::only([(vec![], vec![ExprStep::Lhs])]));
            rw.redirect_expr(at(&second, &[rhs]), at(&path, &[rhs, rhs]));
            let one_name = first.name == last.name;
            let dims = Dims::new(last.idx.len(), |d| one_name.then_some(d));
            rw.redirect(&second, &path, Kept::along(dims));
            rw.delete(&Hole::stmt(second));
        }
    }
    rw.finish()
}

impl Proc {
    /// Makes one write of two to the same cell; sums may round differently: [`merge_writes`](fn@merge_writes).
    ///
    /// # Errors
    /// As the function.
    pub fn merge_writes(&self, at: impl Into<At>) -> Result<Proc> {
        merge_writes(self, at)
    }
}
