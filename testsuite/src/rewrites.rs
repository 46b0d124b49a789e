//! The rewrites that the conditions of `rewright_effects` admit, in their plainest form: what stands in
//! the hole afterwards. Used to hold the conditions against the interpreter.

use rewright_effects::conditions::formulas;
use rewright_effects::context::Context;
use rewright_effects::eff::eff_block;
use rewright_effects::effexpr::EffExpr;
use rewright_effects::names::{bound_names, free_names};
use rewright_effects::obligation::{ConditionId, Obligation};
use rewright_semantics::ast::{Block, LoopMode, Stmt, StmtKind};
use rewright_semantics::build::{add, for_, int, loop_, sub, var};

/// What `s1; s2 ⇝ s2` asks at a place: that the second shadows the first, and that no name of the first is used.
pub fn shadows(ctx: &Context, s1: &Block, s2: &Block) -> Vec<Obligation> {
    let [a1, a2] = [s1, s2].map(|s| eff_block(&ctx.analysis, &ctx.env, s));
    let used = |x| ctx.later().contains(x) || free_names(s2).contains(x);
    let unused = EffExpr::bool(!bound_names(s1).iter().any(used));
    let sentence = "every place that the first changes is overwritten, unread, by the second";
    vec![
        ctx.obligation(ConditionId("scope"), "no name that the first binds is used", unused),
        ctx.obligation(ConditionId("shadows"), sentence, formulas::shadows(&a1, &a2)),
    ]
}

/// `for x: for y: s ⇝ for y: for x: s`; `None` when there is no such nest.
pub fn reordered(outer: &Stmt) -> Option<Stmt> {
    let StmtKind::For { iter: x, lo: lx, hi: hx, body, mode: mx } = outer.kind.as_ref() else { return None };
    let inner = body.get(0).filter(|_| body.len() == 1)?;
    let StmtKind::For { iter: y, lo: ly, hi: hy, body, mode: my } = inner.kind.as_ref() else { return None };
    let inside = loop_(*mx, *x, lx.clone(), hx.clone(), body.iter().cloned());
    Some(loop_(*my, *y, ly.clone(), hy.clone(), [inside]))
}

/// `for x: s ⇝ for y: [x ↦ lo + hi - 1 - y]s`, whose variable is bound by a loop of one iteration.
pub fn reversed(s: &Stmt) -> Option<Stmt> {
    let StmtKind::For { iter, lo, hi, body, mode } = s.kind.as_ref() else { return None };
    let counter = iter.renewed();
    let at = sub(sub(add(lo.clone(), hi.clone()), int(1)), var(counter));
    let once = for_(*iter, at.clone(), add(at, int(1)), body.clone());
    Some(loop_(*mode, counter, lo.clone(), hi.clone(), [once]))
}

/// `for x: s1; s2 ⇝ (for x: s1); for x: s2`, where `s1` is the first `at` statements.
pub fn split(s: &Stmt, at: usize) -> Option<Vec<Stmt>> {
    let StmtKind::For { iter, lo, hi, body, mode } = s.kind.as_ref() else { return None };
    if at > body.len() {
        return None;
    }
    let (first, second) = body.clone().split_at(at);
    let part = |b: Block| loop_(*mode, *iter, lo.clone(), hi.clone(), b);
    Some(vec![part(first), part(second)])
}

/// `(for x: s1); for y: s2 ⇝ for x: s1; [y ↦ x]s2`.
///
/// The second loop's variable is bound to the first's by a loop of one iteration.
pub fn joined(first: &Stmt, second: &Stmt) -> Option<Stmt> {
    let StmtKind::For { iter: x, lo, hi, body, mode } = first.kind.as_ref() else { return None };
    let StmtKind::For { iter: y, body: later, mode: other, .. } = second.kind.as_ref() else { return None };
    let mut both = body.clone();
    if x == y {
        both.append(later.clone());
    } else {
        both.push_back(for_(*y, var(*x), add(var(*x), int(1)), later.clone()));
    }
    let mode = if *other == LoopMode::Par { *other } else { *mode };
    Some(loop_(mode, *x, lo.clone(), hi.clone(), both))
}

/// `for x: s ⇝ s`.
pub fn unlooped(s: &Stmt) -> Option<Vec<Stmt>> {
    let StmtKind::For { body, .. } = s.kind.as_ref() else { return None };
    Some(body.iter().cloned().collect())
}

/// The loop in this mode.
pub fn in_mode(s: &Stmt, mode: LoopMode) -> Option<Stmt> {
    let StmtKind::For { iter, lo, hi, body, mode: _ } = s.kind.as_ref() else { return None };
    Some(loop_(mode, *iter, lo.clone(), hi.clone(), body.clone()))
}
