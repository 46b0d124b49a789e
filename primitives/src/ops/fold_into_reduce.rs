//! ```text
//! x[i] = x[i] + e   ~>   x[i] += e
//! x[i] = e + x[i]   ~>   x[i] += e
//! x[i] = x[i] - e   ~>   x[i] += -e
//! ```
//! The cell may be any term of the sum but one that is subtracted, and may be read through a window. May round
//! differently where the sum has more than two terms.
//!
//! - `term` (form): a term of the right-hand side reads the buffer that is written.
//! - `same_cell`: it reads the cell that is written. Breaks without it: `x[i] = x[j] + 1.0`.
//! - `precision`: everything that is read and written is floating, or everything is an integer. Breaks without
//!   it: `x: f32; x = x + 0.5 * a` with `a: i8`, as the literal beside `a` alone is an integer.
//!
//! Source: Exo. Spec: [rule: fold_into_reduce].

use crate::cursor::At;
use crate::cursor::path::Hole;
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::registry::{Kind, Primitive, condition, form, required};
use crate::rewrite::Rewrite;
use crate::session;
use crate::tools::operand::{MIXED, common, target};
use crate::tools::parts::{Write, WriteKind};
use crate::tools::scope::env_at;
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_semantics::ast::{BinOp, Expr, ExprKind};
use rewright_semantics::build::{add, block, neg, sub};

/// The entry of [`fold_into_reduce`].
pub static FOLD_INTO_REDUCE: Primitive = Primitive {
    name: "fold_into_reduce",
    summary: "makes a reduction of an assignment that adds to its own cell; may round differently",
    source: "Exo",
    params: &[required("assign", Kind::Assign)],
    conditions: &[
        form("term", "a term of the right-hand side reads the buffer that is written"),
        condition("same_cell", "it reads the cell that is written"),
        condition("precision", "all that is read and written is floating, or all is integer"),
    ],
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
    let candidates: Vec<_> = remainders(&write.rhs)
        .into_iter()
        .filter_map(|(term, rest)| {
            let read = conditions::place(&ctx.env, &term)?;
            let same = conditions::same_place(&ctx, &cell, &read)?;
            Some((same.at(s.span, "written here").at(term.span, "read here"), rest))
        })
        .collect();
    let found = candidates.iter().find(|(same, _)| session::decide(same).is_proved());
    let Some((same, rest)) = found.or(candidates.first()) else {
        let why = format!("no term of the right-hand side is a cell of `{}`", write.name);
        return Err(rw.refuse("term", why, write.rhs.span));
    };
    rw.require_that("term", true, || "")?;
    rw.require("same_cell", [same.clone()])?;
    let env = env_at(p.ast(), &path).ok_or_else(|| rw.internal("no names"))?;
    let numbers = target(&env, &s).and_then(|t| common(&env, t, [&write.rhs]));
    rw.require_that("precision", numbers.is_some(), || MIXED)?;

    let reduce = Write { kind: WriteKind::Reduce, rhs: rest.clone(), ..write.clone() };
    rw.reshape(&Hole::stmt(path), block([reduce.stmt()]));
    rw.finish()
}

/// The terms of a sum that are not subtracted, each with the sum without it. A sum of one term has none.
fn remainders(e: &Expr) -> Vec<(Expr, Expr)> {
    let ExprKind::Bin { op: op @ (BinOp::Add | BinOp::Sub), lhs, rhs } = &e.kind else { return Vec::new() };
    let (lhs, rhs) = (lhs.as_ref(), rhs.as_ref());
    let (plus, at) = (*op == BinOp::Add, e.span);
    let joined = |a: Expr, b: Expr| Expr { span: at, ..if plus { add(a, b) } else { sub(a, b) } };
    let mut out = vec![(lhs.clone(), if plus { rhs.clone() } else { neg(rhs.clone()) })];
    out.extend(remainders(lhs).into_iter().map(|(term, rest)| (term, joined(rest, rhs.clone()))));
    if plus {
        out.push((rhs.clone(), lhs.clone()));
        out.extend(remainders(rhs).into_iter().map(|(term, rest)| (term, joined(lhs.clone(), rest))));
    }
    out
}
