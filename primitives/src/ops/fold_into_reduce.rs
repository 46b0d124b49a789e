//! ```text
//! x[i] = x[i] + e   ~>   x[i] += e
//! x[i] = e + x[i]   ~>   x[i] += e
//! x[i] = x[i] - e   ~>   x[i] += -e
//! ```
//! The cell may be any term of the sum but one that is subtracted, and may be read through a window. May round
//! differently where the sum has more than two terms.
//!
//! Source: Exo. Spec: [rule: fold_into_reduce].

use crate::cursor::At;
use crate::cursor::path::{ExprPath, ExprStep};
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::kept::{Kept, Parts};
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, form, required};
use crate::rewrite::Rewrite;
use crate::tools::syntax::operand::{MIXED, common, target};
use crate::tools::syntax::stmt_views::{Write, WriteKind};
use crate::tools::syntax::without::{Without, terms};
use crate::version::Proc;
use rewright_effects::conditions;

const TERM: Condition = form("term", "a term of the right-hand side reads the buffer that is written");
const SAME_CELL: Condition = condition("same_cell", "it reads the cell that is written");
const PRECISION: Condition =
    condition("precision", "all that is read and written is floating, or all is integer");

/// The entry of [`fold_into_reduce`].
pub static FOLD_INTO_REDUCE: Primitive = Primitive {
    name: "fold_into_reduce",
    summary: "makes a reduction of an assignment that adds to its own cell; may round differently",
    source: "Exo",
    params: &[required("assign", ArgKind::Assign)],
    conditions: &[TERM, SAME_CELL, PRECISION],
    exact: Exact::Never,
    run: |p, args| fold_into_reduce(p, args.at("assign")?),
};

/// Makes a reduction of an assignment that adds to its own cell.
///
/// # Errors
/// A condition fails, or there is no assignment.
pub fn fold_into_reduce(p: &Proc, at: impl Into<At>) -> Result<Proc> {
    let path = resolve::stmt(p, &at.into(), Sort::Assign)?;
    let mut rw = Rewrite::new(p, &FOLD_INTO_REDUCE);
    rw.at_stmt("assign", &path);
    let s = rw.given(&path)?;
    let write = Write::of(&s).ok_or_else(|| rw.internal("the assignment is none"))?;
    let ctx = rw.context_of(&path)?;
    let cell = conditions::cell(&ctx.env, write.name, &write.idx);
    let cell = cell.ok_or_else(|| rw.internal("a write to no cell"))?;

    // The first term that is the cell, or else the first that could be: the refusal is then about that one.
    let candidates: Vec<_> = terms(&write.rhs)
        .into_iter()
        .filter_map(|Without { operand: term, rest, moved }| {
            let read = conditions::place(&ctx.env, &term)?;
            let same = conditions::same_place(&ctx, &cell, &read)?;
            Some((same.at(s.span, "written here").at(term.span, "read here"), rest, moved))
        })
        .collect();
    let found = candidates.iter().find(|(same, ..)| p.session().decide(same).is_proved());
    let Some((same, rest, moved)) = found.or(candidates.first()) else {
        let why = format!("no term of the right-hand side is a cell of `{}`", write.name);
        return Err(rw.refuse(&TERM, why, write.rhs.span));
    };
    rw.require_that(&TERM, true, || "")?;
    rw.require(&SAME_CELL, [same.clone()])?;
    let env = p.env_at(&path).ok_or_else(|| rw.internal("no names"))?;
    let numbers = target(&env, &s).and_then(|t| common(&env, t, [&write.rhs]));
    rw.require_that(&PRECISION, numbers.is_some(), || MIXED)?;

    let reduce = Write { kind: WriteKind::Reduce, rhs: rest.clone(), ..write.clone() };
    let rhs = ExprPath { stmt: path.clone(), steps: vec![ExprStep::Rhs] };
    rw.replace_expr(&rhs, rest.clone(), Parts::only(moved.clone()));
    rw.reshape_stmt(&path, Kept::unchanged(), |_| reduce.stmt());
    rw.finish()
}

impl Proc {
    /// Makes a reduction of an assignment that adds to its own cell; may round differently: [`fold_into_reduce`](fn@fold_into_reduce).
    ///
    /// # Errors
    /// As the function.
    pub fn fold_into_reduce(&self, at: impl Into<At>) -> Result<Proc> {
        fold_into_reduce(self, at)
    }
}
