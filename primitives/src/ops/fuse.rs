//! ```text
//! for i in seq(a, b): s          for i in seq(a, b):
//! for j in seq(a, b): t     ~>       s
//!                                    t[j ↦ i]
//!
//! if e: s else: s'               if e:
//! if e: t else: t'          ~>       s; t
//!                                else:
//!                                    s'; t'
//! ```
//! Source: ASPLOS'25 App. A.3; PLDI'22 §5.8. Spec: [rule: fuse].

use crate::cursor::At;
use crate::cursor::path::{Hole, Step, child, shifted};
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::kept::Kept;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, form, required};
use crate::rewrite::Rewrite;
use crate::tools::syntax::stmt_views::{For, If};
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_semantics::build::block;
use rewright_semantics::syntax::subst::rename_block;

const ADJACENT: Condition = form("adjacent", "the second statement stands right after the first")
    .advise("`reorder_stmts` brings the two together");
const SAME_SORT: Condition = form("same_sort", "both statements are loops, or both are guards");
const BOUNDS: Condition =
    condition("bounds", "both loops have the same bounds, or both guards the same condition");
const COMMUTE: Condition =
    condition("commute", "iterations of the first loop commute with earlier ones of the second");

/// The entry of [`fuse`].
pub static FUSE: Primitive = Primitive {
    name: "fuse",
    summary: "makes one loop or guard of two that follow one another",
    source: "ASPLOS'25 App. A.3",
    params: &[required("stmt1", ArgKind::Scope), required("stmt2", ArgKind::Scope)],
    conditions: &[ADJACENT, SAME_SORT, BOUNDS, COMMUTE],
    exact: Exact::Never,
    run: |p, args| fuse(p, args.at("stmt1")?, args.at("stmt2")?),
};

/// Makes one statement of two loops or two guards.
///
/// # Errors
/// A condition fails, or there are no loops or guards.
pub fn fuse(p: &Proc, first: impl Into<At>, second: impl Into<At>) -> Result<Proc> {
    let path = resolve::stmt(p, &first.into(), Sort::Scope)?;
    let other = resolve::stmt(p, &second.into(), Sort::Scope)?;
    let mut rw = Rewrite::new(p, &FUSE);
    rw.at_stmt("stmt1", &path);
    rw.at_stmt("stmt2", &other);
    if other != shifted(&path, 1) {
        return Err(rw.refuse(
            &ADJACENT,
            "the second statement does not stand right after the first",
            rw.given(&path)?.span,
        ));
    }
    rw.require_that(&ADJACENT, true, || "")?;
    let (s, t) = (rw.given(&path)?, rw.given(&other)?);
    match (For::of(&s), For::of(&t), If::of(&s), If::of(&t)) {
        (Some(l1), Some(l2), _, _) => loops(rw, &path, &l1, &l2),
        (_, _, Some(g1), Some(g2)) => guards(rw, &path, &g1, &g2),
        _ => Err(rw.refuse(&SAME_SORT, "one statement is a loop and the other a guard", t.span)),
    }
}

impl Proc {
    /// Makes one loop or guard of two that follow one another: [`fuse`](fn@fuse).
    ///
    /// # Errors
    /// As the function.
    pub fn fuse(&self, first: impl Into<At>, second: impl Into<At>) -> Result<Proc> {
        fuse(self, first, second)
    }
}

fn loops(mut rw: Rewrite, path: &[Step], l1: &For, l2: &For) -> Result<Proc> {
    rw.require_that(&SAME_SORT, true, || "")?;
    let ctx = rw.context(&Hole { path: path.to_vec(), len: 2 })?;
    let obligations = conditions::fuse_loops(&ctx, &l1.clone().stmt(), &l2.clone().stmt());
    let (bounds, commute): (Vec<_>, Vec<_>) =
        obligations.into_iter().partition(|ob| ob.id.0 == "loop.bounds");
    rw.require(&BOUNDS, bounds)?;
    rw.require(&COMMUTE, commute)?;

    let other = shifted(path, 1);
    let contents = Hole { path: child(&other, Step::Body(0)), len: l2.body.len() };
    let target = child(path, Step::Body(l1.body.len()));
    rw.move_to(&contents, &target);
    rw.redirect(&other, path, Kept::unchanged());
    rw.delete(&Hole::stmt(other));
    let by = std::iter::once((l2.iter, l1.iter)).collect();
    let moved = Hole { path: target, len: l2.body.len() };
    rw.reshape_with(&moved, Kept::renamed(&by), |b| rename_block(b, &by));
    rw.finish()
}

fn guards(mut rw: Rewrite, path: &[Step], g1: &If, g2: &If) -> Result<Proc> {
    rw.require_that(&SAME_SORT, true, || "")?;
    let ctx = rw.context(&Hole { path: path.to_vec(), len: 2 })?;
    let first = block([g1.clone().stmt()]);
    rw.require(&BOUNDS, [conditions::equal_after(&ctx, &g1.cond, &first, &g2.cond)])?;
    let other = shifted(path, 1);
    let body = Hole { path: child(&other, Step::Body(0)), len: g2.body.len() };
    rw.move_to(&body, &child(path, Step::Body(g1.body.len())));
    if !g2.orelse.is_empty() {
        let orelse = Hole { path: child(&other, Step::Orelse(0)), len: g2.orelse.len() };
        rw.move_to(&orelse, &child(path, Step::Orelse(g1.orelse.len())));
    }
    rw.redirect(&other, path, Kept::unchanged());
    rw.delete(&Hole::stmt(other));
    rw.finish()
}
