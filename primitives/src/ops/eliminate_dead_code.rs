//! ```text
//! for i in seq(a, b): s   ~>   pass            when a >= b
//! if e: s else: t         ~>   s               when e always holds
//! if e: s else: t         ~>   t               when e never holds
//! ```
//! "Always" is under the assertions and in every iteration and branch that reaches the place.
//!
//! Source: ASPLOS'25 App. A.6. Spec: [rule: eliminate_dead_code].

use crate::cursor::At;
use crate::cursor::path::{Hole, Step, block_of, child, shifted};
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, required};
use crate::rewrite::Rewrite;
use crate::tools::syntax::stmt_views::{For, If};
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_effects::context::Context;
use rewright_effects::obligation::Obligation;
use rewright_semantics::ast::Expr;
use rewright_semantics::build::{le, not};

const NEVER_RUNS: Condition = condition("never_runs", "the loop has no iterations");
const DECIDED: Condition = condition("decided", "the condition always holds, or never does");

/// The entry of [`eliminate_dead_code`].
pub static ELIMINATE_DEAD_CODE: Primitive = Primitive {
    name: "eliminate_dead_code",
    summary: "removes a loop that never runs, or the branch that is never taken",
    source: "ASPLOS'25 App. A.6",
    params: &[required("stmt_cursor", ArgKind::Scope)],
    conditions: &[NEVER_RUNS, DECIDED],
    exact: Exact::Never,
    run: |p, args| eliminate_dead_code(p, args.at("stmt_cursor")?),
};

/// Removes a loop that never runs, or the branch of a guard that is never taken.
///
/// # Errors
/// A condition fails, or there is no loop or guard.
pub fn eliminate_dead_code(p: &Proc, at: impl Into<At>) -> Result<Proc> {
    let path = resolve::stmt(p, &at.into(), Sort::Scope)?;
    let mut rw = Rewrite::new(p, &ELIMINATE_DEAD_CODE);
    rw.at_stmt("stmt_cursor", &path);
    let s = rw.given(&path)?;
    let ctx = rw.context_of(&path)?;
    match (For::of(&s), If::of(&s)) {
        (Some(l), _) => {
            rw.require(&NEVER_RUNS, [never_runs(&ctx, &l)])?;
            rw.delete(&Hole::stmt(path));
        }
        (None, Some(guard)) => {
            // Both hold where the guard is never reached: there the body stays, which says less.
            let [always, never] = [always_holds(&ctx, &guard.cond), never_holds(&ctx, &guard.cond)];
            let is_proved = |ob: &Obligation| p.session().decide(ob).is_proved();
            let taken = is_proved(&always) || !is_proved(&never);
            rw.require(&DECIDED, [if taken { always } else { never }])?;
            keep_branch(&mut rw, &path, taken);
        }
        (None, None) => return Err(rw.internal("the statement is neither a loop nor a guard")),
    }
    rw.finish()
}

impl Proc {
    /// Removes a loop that never runs, or the branch that is never taken: [`eliminate_dead_code`](fn@eliminate_dead_code).
    ///
    /// # Errors
    /// As the function.
    pub fn eliminate_dead_code(&self, at: impl Into<At>) -> Result<Proc> {
        eliminate_dead_code(self, at)
    }
}

/// The loop has no iterations.
pub(super) fn never_runs(ctx: &Context, l: &For) -> Obligation {
    let empty = conditions::holds(ctx, &le(l.hi.clone(), l.lo.clone())).at(l.span, "this loop");
    Obligation { sentence: "the loop has no iterations".to_owned(), ..empty }
}

/// The condition holds in every state at the place.
pub(super) fn always_holds(ctx: &Context, cond: &Expr) -> Obligation {
    let sentence = "the condition always holds, or never does".to_owned();
    Obligation { sentence, ..conditions::holds(ctx, cond) }
}

/// The condition fails in every state at the place.
pub(super) fn never_holds(ctx: &Context, cond: &Expr) -> Obligation {
    let sentence = "the condition never holds".to_owned();
    Obligation { sentence, ..conditions::holds(ctx, &not(cond.clone())).at(cond.span, "this condition") }
}

/// Puts one branch of a guard in the guard's place, as the edits so far have left it.
pub(super) fn keep_branch(rw: &mut Rewrite, path: &[Step], body: bool) {
    let kept = child(path, if body { Step::Body(0) } else { Step::Orelse(0) });
    let len = block_of(rw.ast(), &kept).map_or(0, |b| b.len());
    if len > 0 {
        rw.move_to(&Hole { path: kept, len }, path);
    }
    rw.delete(&Hole::stmt(shifted(path, isize::try_from(len).unwrap_or(isize::MAX))));
}
