//! ```text
//! s     ~>    for i in seq(0, hi): s                    (guard = False)
//!       ~>    for i in seq(0, hi): if i == 0: s         (guard = True)
//! ```
//! Source: ASPLOS'25 App. A.1; PLDI'22 §5.8. Spec: [rule: add_loop].

use crate::cursor::path::{Hole, Place, run_at};
use crate::cursor::{At, resolve};
use crate::edit::Wrapper;
use crate::error::Result;
use crate::registry::{
    ArgKind, Condition, Default, Exact, ExprArg, Primitive, condition, form, optional, required,
};
use crate::rewrite::{READABLE, Rewrite};
use crate::tools::requires::definitely_assigned::assigned_first;
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_effects::effexpr::EffExpr;
use rewright_effects::names::bound_names;
use rewright_semantics::ast::{Block, LoopMode};
use rewright_semantics::build::{eq, int};
use rewright_semantics::sym::Sym;

const SCOPE: Condition = form("scope", "nothing that the statements define is used after them");
const POSITIVE: Condition = condition("positive", "the loop runs at least once");
const IDEMPOTENT: Condition = condition("idempotent", "running the statements again changes nothing");

/// How often the statements run in the new loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// In each.
    Always,
    /// In its first iteration.
    Once,
}

/// The entry of [`add_loop`].
pub static ADD_LOOP: Primitive = Primitive {
    name: "add_loop",
    summary: "runs statements again and again, or in the first of several iterations",
    source: "ASPLOS'25 App. A.1",
    params: &[
        required("block_cursor", ArgKind::Block),
        required("iter_name", ArgKind::NewName),
        required("hi_expr", ArgKind::Control),
        optional("guard", ArgKind::Bool, Default::Bool(false)),
    ],
    conditions: &[SCOPE, POSITIVE, IDEMPOTENT, READABLE],
    exact: Exact::Never,
    run: |p, args| {
        let runs = if args.bool("guard")? { Runs::Once } else { Runs::Always };
        let (name, hi) = (args.text("iter_name")?, args.text("hi_expr")?);
        add_loop(p, args.at("block_cursor")?, &name, &hi, runs)
    },
};

/// Puts a loop around statements that may as well run several times.
///
/// # Errors
/// A condition fails, or the bound cannot be read.
pub fn add_loop(p: &Proc, at: impl Into<At>, iter: &str, hi: impl Into<ExprArg>, runs: Runs) -> Result<Proc> {
    let guard = runs == Runs::Once;
    let hi: &str = &hi.into().0;
    let run = resolve::block(p, &at.into())?;
    let mut rw = Rewrite::new(p, &ADD_LOOP);
    rw.at("block_cursor", Place::Block(run.clone()));
    rw.arg("iter_name", iter);
    rw.arg("hi_expr", hi);
    rw.arg("guard", guard);
    let hi = rw.control(&run.path, hi)?;
    let body = run_at(p.ast(), &run).ok_or_else(|| rw.internal("the statements are gone"))?;
    let ctx = rw.context(&run)?;
    let kept = bound_names(&body).into_iter().find(|x| ctx.later().contains(x));
    rw.require_that(&SCOPE, kept.is_none(), || match kept {
        Some(x) => format!("`{x}` is defined here and used afterwards"),
        None => String::new(),
    })?;
    rw.require(&POSITIVE, [conditions::positive(&ctx, &hi)])?;
    if !guard {
        let mut again = conditions::idempotent(&ctx, &body);
        let twice = EffExpr::maybe(EffExpr::lt(EffExpr::int(1), ctx.lift(&hi)));
        again.formula = EffExpr::implies(twice, again.formula);
        rw.require(&IDEMPOTENT, [again])?;
    }
    rw.require_readable(&run.path, &[&hi], &assigned_first(&body), None)?;
    let iter = Sym::fresh(iter);
    if guard {
        rw.wrap(&run, Wrapper::If { cond: eq(iter, 0), orelse: Block::new() });
    }
    let inner = if guard { Hole::stmt(run.path) } else { run };
    rw.wrap(&inner, Wrapper::For { iter, lo: int(0), hi, mode: LoopMode::Seq });
    rw.finish()
}

impl Proc {
    /// Runs statements again and again, or in the first of several iterations: [`add_loop`](fn@add_loop).
    ///
    /// # Errors
    /// As the function.
    pub fn add_loop(
        &self,
        at: impl Into<At>,
        iter: &str,
        hi: impl Into<ExprArg>,
        runs: Runs,
    ) -> Result<Proc> {
        add_loop(self, at, iter, hi, runs)
    }
}
