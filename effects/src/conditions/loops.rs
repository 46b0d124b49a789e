//! Conditions on loops. PLDI'22 §5.8; spec: [rule: conditions.loops].
//!
//! Two iterations that change places meet in *some* state of the program, and that need not be the state
//! before the loop. So each condition quantifies over the values of all fields that the loops write [E-9]. Bounds are
//! evaluated again where a loop comes to stand inside another, or behind a part of itself [E-16].

use super::again::{Again, again};
use super::same::{Piece, commutes_or_same};
use super::states::{Part, any_state, settled};
use super::stmts::{scope, span_of, unneeded};
use super::{
    IDEMPOTENT, LOOP_BOUNDS, LOOP_FISSION, LOOP_FUSION, LOOP_ITERATIONS, LOOP_PARALLEL, LOOP_RUNS,
    LOOP_VARIABLE, commutes_but_for, disjoint_formula, shadows_formula,
};
use crate::analysis::Analysis;
use crate::context::Context;
use crate::eff::eff_block;
use crate::effect::Effect;
use crate::effexpr::EffExpr;
use crate::env::{Env, Field};
use crate::lift::lift;
use crate::names::{expr_names, free_names};
use crate::obligation::Obligation;
use crate::valg::{after_stmt, havoc};
use rewright_semantics::ast::{Block, Expr, LoopMode, Stmt, StmtKind};
use rewright_semantics::sym::Sym;
use std::collections::BTreeSet;

/// A loop, taken apart.
pub(super) struct Loop<'a> {
    pub(super) iter: Sym,
    lo: &'a Expr,
    hi: &'a Expr,
    pub(super) body: &'a Block,
    mode: LoopMode,
    stmt: &'a Stmt,
}

impl<'a> Loop<'a> {
    pub(super) fn of(s: &'a Stmt) -> Option<Loop<'a>> {
        match s.kind.as_ref() {
            StmtKind::For { iter, lo, hi, body, mode } => {
                Some(Loop { iter: *iter, lo, hi, body, mode: *mode, stmt: s })
            }
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::If { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. } => None,
        }
    }

    /// This loop with another body, as one of the pieces that change places.
    fn part<'b>(&self, body: &'b Block) -> Part<'b>
    where
        'a: 'b,
    {
        Part { iters: vec![(self.iter, self.lo, self.hi)], body }
    }

    /// The bounds in a state.
    pub(super) fn bounds(&self, env: &Env) -> (EffExpr, EffExpr) {
        (lift(env, self.lo), lift(env, self.hi))
    }
}

/// Bd(x): the iteration runs.
pub(super) fn bd((lo, hi): &(EffExpr, EffExpr), x: &EffExpr) -> EffExpr {
    EffExpr::and([EffExpr::le(lo.clone(), x.clone()), EffExpr::lt(x.clone(), hi.clone())])
}

/// Whether the name occurs in one of the expressions.
fn mentions(es: &[&Expr], x: Sym) -> bool {
    es.iter().any(|e| expr_names(e).contains(&x))
}

/// A copy of an iteration variable.
pub(super) fn copy_of(iter: Sym) -> EffExpr {
    EffExpr::int_var(iter.renewed())
}

/// The iteration variable of another iteration: `i'`.
pub(super) fn primed(iter: Sym) -> EffExpr {
    EffExpr::int_var(Sym::fresh(format!("{}'", iter.name()).as_str()))
}

/// The same bounds, as values.
fn same_bounds(a: &(EffExpr, EffExpr), b: &(EffExpr, EffExpr)) -> EffExpr {
    EffExpr::and([EffExpr::surely_equal(&a.0, &b.0), EffExpr::surely_equal(&a.1, &b.1)])
}

/// A state in which loop variables have values.
fn bound(env: &Env, at: &[(Sym, &EffExpr)]) -> Env {
    let mut inside = env.clone();
    for (iter, x) in at {
        inside.bind(*iter, (*x).clone());
    }
    inside
}

/// The effect of a block in a state, with the loop variable at a value.
pub(super) fn eff_at(ctx: &Context, env: &Env, at: &[(Sym, &EffExpr)], b: &Block) -> Effect {
    eff_block(&ctx.analysis, &bound(env, at), b)
}

/// A statement that is not what the condition is about.
pub(super) fn not_a_loop(ctx: &Context, s: &Stmt) -> Vec<Obligation> {
    let sentence = "the statement is a loop";
    vec![ctx.obligation(LOOP_BOUNDS, sentence, EffExpr::bool(false)).at(s.span, "this statement")]
}

/// `for x: for y: s ⇝ for y: for x: s`. PLDI'22 §5.8; spec: [rule: conditions.loop-reorder].
///
/// The inner bounds must not depend on the outer variable. An inner loop that is parallel becomes the
/// outer one, so all its iterations must then be apart.
pub fn reorder_loops(ctx: &Context, outer: &Stmt) -> Vec<Obligation> {
    let Some(x) = Loop::of(outer) else { return not_a_loop(ctx, outer) };
    let inner = x.body.get(0).filter(|_| x.body.len() == 1);
    let Some(y) = inner.and_then(Loop::of) else { return not_a_loop(ctx, inner.unwrap_or(outer)) };
    let nest = Part { iters: vec![(x.iter, x.lo, x.hi), (y.iter, y.lo, y.hi)], body: y.body };
    let any = any_state(&ctx.analysis, &ctx.env, &[nest]);
    let at = |env: &Env, v: &EffExpr| {
        let mut env = env.clone();
        env.bind(x.iter, v.clone());
        y.bounds(&env)
    };
    let (x1, x2, y1, y2) = (copy_of(x.iter), primed(x.iter), copy_of(y.iter), primed(y.iter));
    let outer_bounds = x.bounds(&ctx.env);
    let run_x = EffExpr::maybe(EffExpr::and([bd(&outer_bounds, &x1), bd(&outer_bounds, &x2)]));
    let stable = EffExpr::and([
        same_bounds(&outer_bounds, &x.bounds(&any)),
        same_bounds(&at(&ctx.env, &x1), &at(&any, &x2)),
    ]);
    let run = EffExpr::maybe(EffExpr::and([
        bd(&outer_bounds, &x1),
        bd(&outer_bounds, &x2),
        bd(&at(&any, &x1), &y1),
        bd(&at(&any, &x2), &y2),
    ]));
    let a1 = eff_at(ctx, &any, &[(x.iter, &x1), (y.iter, &y1)], y.body);
    let a2 = eff_at(ctx, &any, &[(x.iter, &x2), (y.iter, &y2)], y.body);
    let crossed =
        EffExpr::and([run.clone(), EffExpr::lt(x1.clone(), x2.clone()), EffExpr::lt(y2.clone(), y1.clone())]);
    let settled = settled(&ctx.analysis, &ctx.env, &[x.iter, y.iter], [y.body, y.body]);
    let inside = |v: &EffExpr, w: &EffExpr| bound(&any, &[(x.iter, v), (y.iter, w)]);
    let (env1, env2) = (inside(&x1, &y1), inside(&x2, &y2));
    let pieces = [(&env1, &a1), (&env2, &a2)].map(|(env, effect)| Piece { env, body: y.body, effect });
    let commute = commutes_or_same(&ctx.analysis, &ctx.env, pieces, &settled);
    let mut out = vec![
        ctx.obligation(
            LOOP_BOUNDS,
            "the bounds of the loops are the same in every iteration",
            EffExpr::implies(run_x, stable),
        )
        .at(x.stmt.span, "the outer loop")
        .at(y.stmt.span, "the inner loop"),
        ctx.obligation(
            LOOP_ITERATIONS,
            "iterations that change places do not touch what the other changes",
            EffExpr::implies(crossed, commute),
        )
        .at(x.stmt.span, "the outer loop")
        .at(y.stmt.span, "the inner loop"),
    ];
    if mentions(&[y.lo, y.hi], x.iter) {
        let sentence = format!("`{}` does not occur in the bounds of the inner loop", x.iter);
        out.push(ctx.obligation(LOOP_VARIABLE, sentence, EffExpr::bool(false)).at(y.stmt.span, "this loop"));
    }
    if x.iter == y.iter || mentions(&[x.lo, x.hi], y.iter) {
        let sentence = format!("the `{}` of the inner loop is not that of an outer one", y.iter);
        out.push(ctx.obligation(LOOP_VARIABLE, sentence, EffExpr::bool(false)).at(y.stmt.span, "this loop"));
    }
    if y.mode == LoopMode::Par {
        let apart = EffExpr::and([run, EffExpr::not(EffExpr::eq(y1, y2))]);
        let sentence = "iterations of the loop that becomes the outer one are apart";
        out.push(
            ctx.obligation(LOOP_PARALLEL, sentence, EffExpr::implies(apart, disjoint_formula(&a1, &a2)))
                .at(y.stmt.span, "this loop"),
        );
    }
    out
}

/// `for x: s1; s2 ⇝ (for x: s1); for x: s2`, where `s1` is the first `at` statements. PLDI'22 §5.8;
/// spec: [rule: conditions.loop-fission].
///
/// Where `s1` does not mention `x`, it may also be idempotent and of no interest to what `s2` changes: then only
/// its first run does anything.
pub fn fission(ctx: &Context, s: &Stmt, at: usize) -> Vec<Obligation> {
    let Some(l) = Loop::of(s).filter(|l| at <= l.body.len()) else { return not_a_loop(ctx, s) };
    let (first, second) = l.body.clone().split_at(at);
    let mut out = scope(ctx, &first, &second);
    let bounds = l.bounds(&ctx.env);
    let first_alone = with_body(s, &first);
    let after_first = after_stmt(&ctx.analysis, &ctx.env, &first_alone);
    out.push(
        ctx.obligation(
            LOOP_BOUNDS,
            "the bounds of the loop are the same after the first part of it",
            same_bounds(&bounds, &l.bounds(&after_first)),
        )
        .at(s.span, "this loop"),
    );
    let any = any_state(&ctx.analysis, &ctx.env, &[l.part(&first), l.part(&second)]);
    let (x1, x2) = (copy_of(l.iter), primed(l.iter));
    let a1 = eff_at(ctx, &any, &[(l.iter, &x1)], &first);
    let a2 = eff_at(ctx, &any, &[(l.iter, &x2)], &second);
    let (sentence, formula) = if repeats(&l, &first, &a1, &a2) {
        (
            "the first part does the same in every iteration, and the second does not touch it",
            EffExpr::bool(true),
        )
    } else {
        let run = EffExpr::maybe(EffExpr::and([bd(&bounds, &x1), bd(&bounds, &x2)]));
        let settled = settled(&ctx.analysis, &ctx.env, &[l.iter], [&first, &second]);
        let (env1, env2) = (bound(&any, &[(l.iter, &x1)]), bound(&any, &[(l.iter, &x2)]));
        let pieces = [(&env1, &first, &a1), (&env2, &second, &a2)].map(|(env, body, effect)| Piece {
            env,
            body,
            effect,
        });
        let apart = commutes_or_same(&ctx.analysis, &ctx.env, pieces, &settled);
        let (sentence, apart) = if free_names(&first).contains(&l.iter) {
            let sentence = "the first part of an iteration does not touch what the second part of an earlier one changes, nor conversely";
            (sentence, apart)
        } else {
            let untouched = EffExpr::definitely(a2.modified().inter(a1.all()).is_empty());
            let once = EffExpr::and([shadows_formula(&a1, &a1), untouched]);
            let sentence = "the first part of an iteration commutes with the second part of an earlier one, or does nothing the second time";
            (sentence, EffExpr::or([apart, once]))
        };
        (sentence, EffExpr::implies(EffExpr::and([run, EffExpr::lt(x2, x1)]), apart))
    };
    out.push(
        ctx.obligation(LOOP_FISSION, sentence, formula)
            .at(span_of(&first), "the first part")
            .at(span_of(&second), "the second part"),
    );
    out
}

/// The first part, run again after second parts, changes nothing: it does not mention the loop's variable,
/// is plainly idempotent, and touches no buffer or field that the second changes. [E-32].
fn repeats(l: &Loop<'_>, first: &Block, a1: &Effect, a2: &Effect) -> bool {
    let (touched, changed) = (a1.all().bases(), a2.modified().bases());
    !free_names(first).contains(&l.iter)
        && !touched.keys().any(|b| changed.contains_key(b))
        && shadows_formula(a1, a1).is_true()
}

/// `(for x: s1); for y: s2 ⇝ for x: s1; [y ↦ x]s2`. PLDI'22 §5.8; spec: [rule: conditions.loop-fusion].
///
/// The fused loop is parallel if the first one is; its iterations must then be apart.
pub fn fuse_loops(ctx: &Context, first: &Stmt, second: &Stmt) -> Vec<Obligation> {
    let Some(l1) = Loop::of(first) else { return not_a_loop(ctx, first) };
    let Some(l2) = Loop::of(second) else { return not_a_loop(ctx, second) };
    let after_first = after_stmt(&ctx.analysis, &ctx.env, first);
    let (bounds, others) = (l1.bounds(&ctx.env), l2.bounds(&after_first));
    // The second loop's iterations are those of the first: that is asked for below.
    let other = Part { iters: vec![(l2.iter, l1.lo, l1.hi)], body: l2.body };
    let any = any_state(&ctx.analysis, &ctx.env, &[l1.part(l1.body), other]);
    let (x1, x2) = (copy_of(l1.iter), primed(l2.iter));
    let a1 = eff_at(ctx, &any, &[(l1.iter, &x1)], l1.body);
    let a2 = eff_at(ctx, &any, &[(l2.iter, &x2)], l2.body);
    let run = EffExpr::maybe(EffExpr::and([bd(&bounds, &x1), bd(&bounds, &x2)]));
    let mut sentence = "an iteration of the first loop does not touch what an earlier one of the second changes, nor conversely".to_owned();
    let (crossed, formula) = if l1.mode == LoopMode::Par {
        (EffExpr::not(EffExpr::eq(x1, x2)), disjoint_formula(&a1, &a2))
    } else {
        let settled = settled(&ctx.analysis, &ctx.env, &[l1.iter, l2.iter], [l1.body, l2.body]);
        let again = again(ctx, &l1, &l2, [&x1, &x2]);
        if !again.is_empty() {
            sentence.push_str(", or gives it the value that it has");
        }
        let formula = commutes_or_again(&again, [&a1, &a2], &settled);
        (EffExpr::lt(x2, x1), formula)
    };
    let mut out = scope(ctx, l1.body, l2.body);
    if l1.iter != l2.iter && free_names(l2.body).contains(&l1.iter) {
        let sentence = format!("the `{}` in the second loop is not the variable of the first", l1.iter);
        out.push(ctx.obligation(LOOP_VARIABLE, sentence, EffExpr::bool(false)).at(second.span, "this loop"));
    }
    out.extend([
        ctx.obligation(LOOP_BOUNDS, "the loops have the same bounds", same_bounds(&bounds, &others))
            .at(first.span, "the first loop")
            .at(second.span, "the second loop"),
        ctx.obligation(LOOP_FUSION, sentence, EffExpr::implies(EffExpr::and([run, crossed]), formula))
            .at(first.span, "the first loop")
            .at(second.span, "the second loop"),
    ]);
    if l1.mode == LoopMode::Par && l2.mode == LoopMode::Seq {
        let after = ctx.inside(after_first, []);
        out.extend(parallel(&after, second));
    }
    out
}

/// An iteration of the first loop commutes with an earlier one of the second, but for cells that it gives the value
/// that they have.
fn commutes_or_again(again: &[Again], [a1, a2]: [&Effect; 2], settled: &BTreeSet<Field>) -> EffExpr {
    let strict = commutes_but_for(a1, a2, settled);
    if again.is_empty() || strict.is_true() {
        return strict;
    }
    let each = again.iter().map(|found| {
        let apart = commutes_but_for(&a1.only(found.base), &a2.only(found.base), settled);
        EffExpr::or([apart, found.harmless.clone()])
    });
    let (b1, b2) = again
        .iter()
        .fold((a1.clone(), a2.clone()), |(b1, b2), found| (b1.except(found.base), b2.except(found.base)));
    EffExpr::and(each.chain([commutes_but_for(&b1, &b2, settled)]).collect::<Vec<_>>())
}

/// `for x: s ⇝ s`. PLDI'22 §5.8, [E-20]; spec: [rule: conditions.loop-removal].
pub fn remove_loop(ctx: &Context, s: &Stmt) -> Vec<Obligation> {
    let Some(l) = Loop::of(s) else { return not_a_loop(ctx, s) };
    let mut out = unneeded(ctx, l.body);
    if free_names(l.body).contains(&l.iter) {
        let sentence = format!("`{}` does not occur in the body of its loop", l.iter);
        out.push(ctx.obligation(LOOP_VARIABLE, sentence, EffExpr::bool(false)).at(s.span, "this loop"));
    }
    let a = eff_at(ctx, &ctx.env, &[(l.iter, &copy_of(l.iter))], l.body);
    out.push(runs_at_least_once(ctx, s));
    let (lo, hi) = l.bounds(&ctx.env);
    let again = EffExpr::maybe(EffExpr::lt(EffExpr::add(lo, EffExpr::int(1)), hi));
    let harmless = EffExpr::implies(again, shadows_formula(&a, &a));
    out.push(
        ctx.obligation(IDEMPOTENT, "running the body again changes nothing", harmless)
            .at(s.span, "this loop"),
    );
    out
}

/// Iterations may run again, in order, after later ones have run: each is idempotent, and none reads what a later
/// one changes. So it reads the same again, and what others have written over is written over again.
/// ASPLOS'25 App. A.1 (divide_with_recompute); spec: [rule: conditions.loop-recompute].
pub fn recompute(ctx: &Context, s: &Stmt) -> [Obligation; 2] {
    let Some(l) = Loop::of(s) else { return [(); 2].map(|()| not_a_loop(ctx, s).swap_remove(0)) };
    let any = any_state(&ctx.analysis, &ctx.env, &[l.part(l.body)]);
    let bounds = l.bounds(&ctx.env);
    let (x1, x2) = (copy_of(l.iter), primed(l.iter));
    let a1 = eff_at(ctx, &any, &[(l.iter, &x1)], l.body);
    let a2 = eff_at(ctx, &any, &[(l.iter, &x2)], l.body);
    let one = EffExpr::maybe(bd(&bounds, &x1));
    let two = EffExpr::maybe(EffExpr::and([
        bd(&bounds, &x1),
        bd(&bounds, &x2),
        EffExpr::lt(x1.clone(), x2.clone()),
    ]));
    [
        ctx.obligation(
            IDEMPOTENT,
            "running an iteration again changes nothing",
            EffExpr::implies(one, shadows_formula(&a1, &a1)),
        )
        .at(s.span, "this loop"),
        ctx.obligation(
            LOOP_ITERATIONS,
            "no iteration reads what a later one changes",
            EffExpr::implies(two, EffExpr::definitely(a1.rd().inter(a2.modified()).is_empty())),
        )
        .at(s.span, "this loop"),
    ]
}

/// `∃x. D Bd(x)`: the loop runs at least one iteration. Spec: [rule: conditions.loop-runs].
pub fn runs_at_least_once(ctx: &Context, s: &Stmt) -> Obligation {
    let formula = match Loop::of(s) {
        Some(l) => {
            let (lo, hi) = l.bounds(&ctx.env);
            EffExpr::definitely(EffExpr::lt(lo, hi))
        }
        None => EffExpr::bool(false),
    };
    ctx.obligation(LOOP_RUNS, "the loop runs at least once", formula).at(s.span, "this loop")
}

/// Two iterations of a loop, in an arbitrary state of the fields that the loop writes.
pub(crate) struct TwoIterations {
    /// The number of the earlier one.
    pub(crate) first: EffExpr,
    /// The number of the later one.
    pub(crate) second: EffExpr,
    /// Both may run, and they are in this order.
    pub(crate) run: EffExpr,
    /// The effect of each.
    pub(crate) effects: (Effect, Effect),
}

impl TwoIterations {
    /// Those of `for iter in (lo, hi): body`, bounds already evaluated.
    pub(crate) fn of(
        an: &Analysis,
        env: &Env,
        iter: Sym,
        bounds: &(EffExpr, EffExpr),
        body: &Block,
    ) -> TwoIterations {
        let (any, _) = havoc(an, env, body);
        let (first, second) = (copy_of(iter), copy_of(iter));
        let effect = |x: &EffExpr| {
            let mut inside = any.clone();
            inside.bind(iter, x.clone());
            eff_block(an, &inside, body)
        };
        let both = EffExpr::maybe(EffExpr::and([bd(bounds, &first), bd(bounds, &second)]));
        let run = EffExpr::and([both, EffExpr::lt(first.clone(), second.clone())]);
        let effects = (effect(&first), effect(&second));
        TwoIterations { first, second, run, effects }
    }
}

/// No two iterations touch a place that one of them changes; reductions are changes.
/// Spec: [rule: conditions.loop-parallel].
pub fn parallel(ctx: &Context, s: &Stmt) -> Vec<Obligation> {
    let Some(l) = Loop::of(s) else { return not_a_loop(ctx, s) };
    let any = any_state(&ctx.analysis, &ctx.env, &[l.part(l.body)]);
    let bounds = l.bounds(&ctx.env);
    let (x1, x2) = (copy_of(l.iter), primed(l.iter));
    let a1 = eff_at(ctx, &any, &[(l.iter, &x1)], l.body);
    let a2 = eff_at(ctx, &any, &[(l.iter, &x2)], l.body);
    let run = EffExpr::maybe(EffExpr::and([bd(&bounds, &x1), bd(&bounds, &x2)]));
    let two = EffExpr::and([run, EffExpr::lt(x1, x2)]);
    vec![
        ctx.obligation(
            LOOP_PARALLEL,
            "no two iterations touch a place that one of them changes",
            EffExpr::implies(two, disjoint_formula(&a1, &a2)),
        )
        .at(s.span, "this loop"),
    ]
}

/// The same loop with another body.
fn with_body(s: &Stmt, body: &Block) -> Stmt {
    match s.kind.as_ref() {
        StmtKind::For { iter, lo, hi, body: _, mode } => Stmt::at(
            StmtKind::For { iter: *iter, lo: lo.clone(), hi: hi.clone(), body: body.clone(), mode: *mode },
            s.span,
        ),
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => s.clone(),
    }
}
