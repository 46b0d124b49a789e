//! ```text
//! for i in seq(a, b): s          for i in seq(a, d): s
//! for i in seq(c, d): s     ~>
//! ```
//! Source: ASPLOS'25 App. A.1. Spec: [rule: join_loops].

use crate::cursor::At;
use crate::cursor::path::{Hole, shifted};
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::kept::Kept;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, form, required};
use crate::rewrite::Rewrite;
use crate::tools::syntax::stmt_views::For;
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_semantics::alpha::alpha_eq_block;
use rewright_semantics::ast::LoopMode;
use rewright_semantics::build::{and, block, ge, le, or, var};
use rewright_semantics::syntax::subst::{paired_binders, subst_block};

const ADJACENT: Condition = form("adjacent", "the second loop stands right after the first")
    .advise("`reorder_stmts` brings the two together");
const SAME_BODY: Condition = condition("same_body", "both loops have the same body");
const MEET: Condition = condition("meet", "the first loop ends where the second begins");
const BOUNDS_STABLE: Condition =
    condition("bounds_stable", "the first loop does not change the bounds of the second");
const APART: Condition =
    condition("apart", "no two iterations of the joined parallel loop touch a place that one changes");

/// The entry of [`join_loops`].
pub static JOIN_LOOPS: Primitive = Primitive {
    name: "join_loops",
    summary: "makes one loop of two with the same body, one of which ends where the other begins",
    source: "ASPLOS'25 App. A.1",
    params: &[required("loop1_cursor", ArgKind::Loop), required("loop2_cursor", ArgKind::Loop)],
    conditions: &[ADJACENT, SAME_BODY, MEET, BOUNDS_STABLE, APART],
    exact: Exact::Never,
    run: |p, args| join_loops(p, args.at("loop1_cursor")?, args.at("loop2_cursor")?),
};

/// Joins two loops that follow one another.
///
/// # Errors
/// A condition fails, or there are no loops.
pub fn join_loops(p: &Proc, first: impl Into<At>, second: impl Into<At>) -> Result<Proc> {
    let path = resolve::stmt(p, &first.into(), Sort::Loop)?;
    let other = resolve::stmt(p, &second.into(), Sort::Loop)?;
    let mut rw = Rewrite::new(p, &JOIN_LOOPS);
    rw.at_stmt("loop1_cursor", &path);
    rw.at_stmt("loop2_cursor", &other);
    if other != shifted(&path, 1) {
        return Err(rw.refuse(
            &ADJACENT,
            "the second loop does not stand right after the first",
            rw.given(&path)?.span,
        ));
    }
    rw.require_that(&ADJACENT, true, || "")?;
    let (l1, l2) = (rw.given_loop(&path)?, rw.given_loop(&other)?);
    let renamed = subst_block(&l2.body, l2.iter, &var(l1.iter));
    let same = alpha_eq_block(&l1.body, &renamed);
    rw.require_that(&SAME_BODY, same, || "the loops have different bodies")?;
    let ctx = rw.context_of(&path)?;
    let forwards = and(le(l1.lo.clone(), l1.hi.clone()), le(l1.hi.clone(), l2.hi.clone()));
    let empty = and(ge(l1.lo.clone(), l1.hi.clone()), ge(l1.hi.clone(), l2.hi.clone()));
    rw.require(
        &MEET,
        [conditions::equal_exprs(&ctx, &l1.hi, &l2.lo), conditions::holds(&ctx, &or(forwards, empty))],
    )?;
    let before = block([l1.clone().stmt()]);
    rw.require(
        &BOUNDS_STABLE,
        [conditions::same_after(&ctx, &l2.lo, &before), conditions::same_after(&ctx, &l2.hi, &before)],
    )?;
    let joined = For { hi: l2.hi.clone(), ..l1 };
    if joined.mode == LoopMode::Par {
        rw.require(&APART, conditions::parallel(&ctx, &joined.clone().stmt()))?;
    }

    let mut by = paired_binders(&l2.body, &joined.body);
    by.insert(l2.iter, joined.iter);
    rw.reshape_stmt(&path, Kept::unchanged(), |_| joined.stmt());
    rw.redirect(&other, &path, Kept::renamed(&by));
    rw.delete(&Hole::stmt(other));
    rw.finish()
}

impl Proc {
    /// Makes one loop of two with the same body, one of which ends where the other begins: [`join_loops`](fn@join_loops).
    ///
    /// # Errors
    /// As the function.
    pub fn join_loops(&self, first: impl Into<At>, second: impl Into<At>) -> Result<Proc> {
        join_loops(self, first, second)
    }
}
