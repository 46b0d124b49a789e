//! Conditions on loops. PLDI'22 §5.8; spec: [rule: conditions.loops].
//!
//! Two iterations that change places meet in *some* state of the program, and that need not be the state
//! before the loop. So each condition quantifies over the values of all fields that the loops write [E-9]. Bounds are
//! evaluated again where a loop comes to stand inside another, or behind a part of itself [E-16].

use super::formulas::{self, Bounds, bd, commutes_but_for, same_bounds};
use super::iteration::{Loop, bound, copy_of, eff_at, not_a_loop, primed};
use super::overwritten::{Overwritten, but_for, left_alike, overwritten};
use super::piece::Piece;
use super::recomputed::{Recomputed, recomputed};
use super::same::commutes_or_same;
use super::states::{Part, any_state};
use super::stmts::{scope, span_of, unneeded};
use super::{
    IDEMPOTENT, LOOP_BOUNDS, LOOP_FISSION, LOOP_FUSION, LOOP_ITERATIONS, LOOP_PARALLEL, LOOP_RUNS,
    LOOP_VARIABLE,
};
use crate::analysis::{Analysis, from_outside};
use crate::context::Context;
use crate::eff::eff_block;
use crate::effect::Effect;
use crate::effexpr::EffExpr;
use crate::env::Env;
use crate::lift::lift;
use crate::names::{expr_names, free_names};
use crate::obligation::{ConditionId, Obligation};
use crate::valg::val_g;
use rewright_semantics::ast::{Block, Expr, LoopMode, Stmt, StmtKind};
use rewright_semantics::build::block;
use rewright_semantics::sym::Sym;

/// Whether the name occurs in one of the expressions.
fn mentions(es: &[&Expr], x: Sym) -> bool {
    es.iter().any(|e| expr_names(e).contains(&x))
}

/// `for x: for y: s ⇝ for y: for x: s`. PLDI'22 §5.8; spec: [rule: conditions.loop-reorder].
///
/// The inner bounds must not depend on the outer variable. An inner loop that is parallel becomes the
/// outer one, so all its iterations must then be apart.
pub fn reorder_loops(ctx: &Context, outer: &Stmt) -> Vec<Obligation> {
    let Some(l) = Loop::of(outer) else { return not_a_loop(ctx, outer) };
    let inner = l.body.get(0).filter(|_| l.body.len() == 1);
    let Some(m) = inner.and_then(Loop::of) else { return not_a_loop(ctx, inner.unwrap_or(outer)) };
    let nest = Nest::of(ctx, l, m);
    let mut out = vec![nest.bounds_are_stable(), nest.crossed_iterations_commute()];
    out.extend(nest.variables_stay_apart());
    if nest.inner.mode == LoopMode::Par {
        out.push(nest.parallel_iterations_are_apart());
    }
    out
}

/// Two iterations of a nest of two loops, in any state of the nest.
struct Nest<'a> {
    ctx: &'a Context,
    outer: Loop<'a>,
    inner: Loop<'a>,
    any: Env,
    /// x, x'
    outer_at: [EffExpr; 2],
    /// y, y'
    inner_at: [EffExpr; 2],
}

/// What runs for all values of both variables.
fn nest<'a>(outer: Loop<'a>, inner: Loop<'a>) -> Part<'a> {
    let iters = vec![(outer.iter, outer.lo, outer.hi), (inner.iter, inner.lo, inner.hi)];
    Part { iters, body: inner.body }
}

impl<'a> Nest<'a> {
    fn of(ctx: &'a Context, outer: Loop<'a>, inner: Loop<'a>) -> Nest<'a> {
        let any = any_state(&ctx.analysis, &ctx.env, &[nest(outer, inner)]);
        let outer_at = [copy_of(outer.iter), primed(outer.iter)];
        let inner_at = [copy_of(inner.iter), primed(inner.iter)];
        Nest { ctx, outer, inner, any, outer_at, inner_at }
    }

    fn obligation(&self, id: ConditionId, sentence: &str, formula: EffExpr) -> Obligation {
        let ob = self.ctx.obligation(id, sentence, formula);
        ob.at(self.outer.stmt.span, "the outer loop").at(self.inner.stmt.span, "the inner loop")
    }

    /// Bd(x, x')
    fn outer_bd(&self) -> EffExpr {
        let bounds = self.outer.bounds(&self.ctx.env);
        EffExpr::and(self.outer_at.each_ref().map(|x| bd(&bounds, x)))
    }

    /// Bd(x, y, x', y')
    fn bd(&self) -> EffExpr {
        let [at_x, at_x1] = self.outer_at.each_ref().map(|x| self.inner_bounds(&self.any, x));
        let [y, y1] = &self.inner_at;
        EffExpr::and([self.outer_bd(), bd(&at_x, y), bd(&at_x1, y1)])
    }

    fn inner_bounds(&self, env: &Env, x: &EffExpr) -> Bounds {
        self.inner.bounds(&bound(env, &[(self.outer.iter, x)]))
    }

    /// s, s'
    fn iterations(&self) -> [Piece<'a>; 2] {
        let at = |x, y| bound(&self.any, &[(self.outer.iter, x), (self.inner.iter, y)]);
        let ([x, x1], [y, y1]) = (&self.outer_at, &self.inner_at);
        [at(x, y), at(x1, y1)].map(|env| Piece::of(self.ctx, env, self.inner.body))
    }

    fn bounds_are_stable(&self) -> Obligation {
        let ([x, x1], here) = (&self.outer_at, &self.ctx.env);
        let stable = EffExpr::and([
            same_bounds(&self.outer.bounds(here), &self.outer.bounds(&self.any)),
            same_bounds(&self.inner_bounds(here, x), &self.inner_bounds(&self.any, x1)),
        ]);
        let formula = EffExpr::implies(EffExpr::maybe(self.outer_bd()), stable);
        self.obligation(LOOP_BOUNDS, "the bounds of the loops are the same in every iteration", formula)
    }

    fn crossed_iterations_commute(&self) -> Obligation {
        let [one, two] = self.iterations();
        let overwritten = overwritten(self.ctx, [&one, &two], &[nest(self.outer, self.inner)]);
        let commutes = commutes_or_same(self.ctx, &overwritten, &one, &two);
        let ([x, x1], [y, y1]) = (&self.outer_at, &self.inner_at);
        let formula = formulas::reorder_loops(self.bd(), [x, y], [x1, y1], commutes);
        let sentence = "iterations that change places do not touch what the other changes".to_owned();
        self.obligation(LOOP_ITERATIONS, &(sentence + &but_for(&overwritten)), formula)
    }

    fn variables_stay_apart(&self) -> Vec<Obligation> {
        let (x, y) = (&self.outer, &self.inner);
        let fails = |sentence: String| {
            let ob = self.ctx.obligation(LOOP_VARIABLE, sentence, EffExpr::bool(false));
            ob.at(y.stmt.span, "this loop")
        };
        let mut out = Vec::new();
        if mentions(&[y.lo, y.hi], x.iter) {
            out.push(fails(format!("`{}` does not occur in the bounds of the inner loop", x.iter)));
        }
        if x.iter == y.iter || mentions(&[x.lo, x.hi], y.iter) {
            out.push(fails(format!("the `{}` of the inner loop is not that of an outer one", y.iter)));
        }
        out
    }

    fn parallel_iterations_are_apart(&self) -> Obligation {
        let [one, two] = self.iterations();
        let [y, y1] = &self.inner_at;
        let formula = formulas::parallel(self.bd(), y, y1, formulas::disjoint(&one.effect, &two.effect));
        let sentence = "iterations of the loop that becomes the outer one are apart";
        self.ctx.obligation(LOOP_PARALLEL, sentence, formula).at(self.inner.stmt.span, "this loop")
    }
}

/// `for x: s1; s2 ⇝ (for x: s1); for x: s2`, where `s1` is the first `at` statements. PLDI'22 §5.8;
/// spec: [rule: conditions.loop-fission].
///
/// Where `s1` does not mention `x`, it may also be idempotent and of no interest to what `s2` changes: then only
/// its first run does anything.
pub fn fission(ctx: &Context, s: &Stmt, at: usize) -> Vec<Obligation> {
    let Some(l) = Loop::of(s).filter(|l| at <= l.body.len()) else { return not_a_loop(ctx, s) };
    let (s1, s2) = l.body.clone().split_at(at);
    let bounds = l.bounds(&ctx.env);
    let after = l.bounds(&val_g(&ctx.analysis, &ctx.env, &with_body(s, &s1)));
    let any = any_state(&ctx.analysis, &ctx.env, &[l.part(&s1), l.part(&s2)]);
    let (x, x1) = (copy_of(l.iter), primed(l.iter));
    let iteration = |x, s| Piece::of(ctx, bound(&any, &[(l.iter, x)]), s);
    let (one, two) = (iteration(&x, &s1), iteration(&x1, &s2));
    let (sentence, formula) = if is_hoisted(&l, &s1, &one.effect, &two.effect) {
        let sentence = "the first part does the same in every iteration, and the second does not touch it";
        (sentence.to_owned(), EffExpr::bool(true))
    } else {
        let both = EffExpr::and([bd(&bounds, &x), bd(&bounds, &x1)]);
        let overwritten = overwritten(ctx, [&one, &two], &[l.part(&s1), l.part(&s2)]);
        let commutes = commutes_or_same(ctx, &overwritten, &one, &two);
        let (sentence, commutes) = if free_names(&s1).contains(&l.iter) {
            let sentence = "the first part of an iteration does not touch what the second part of an earlier one changes, nor conversely";
            (sentence, commutes)
        } else {
            let sentence = "the first part of an iteration commutes with the second part of an earlier one, or does nothing the second time";
            let other = any_state(&ctx.analysis, &ctx.env, &[l.part(&s1), l.part(&s2)]);
            let again = eff_block(&ctx.analysis, &other, &s1);
            (sentence, EffExpr::or([commutes, formulas::once(&again, &one.effect, &two.effect)]))
        };
        (sentence.to_owned() + &but_for(&overwritten), formulas::fission(both, &x, &x1, commutes))
    };
    let mut out = scope(ctx, &s1, &s2);
    let stable = "the bounds of the loop are the same after the first part of it";
    out.extend([
        ctx.obligation(LOOP_BOUNDS, stable, same_bounds(&bounds, &after)).at(s.span, "this loop"),
        ctx.obligation(LOOP_FISSION, sentence, formula)
            .at(span_of(&s1), "the first part")
            .at(span_of(&s2), "the second part"),
    ]);
    out
}

/// The first part, run again after second parts, changes nothing: it does not mention the loop's variable,
/// is plainly idempotent, and touches no buffer or field that the second changes. [E-32].
fn is_hoisted(l: &Loop<'_>, first: &Block, a1: &Effect, a2: &Effect) -> bool {
    let (touched, changed) = (a1.all().bases(), a2.modified().bases());
    !free_names(first).contains(&l.iter)
        && !touched.keys().any(|b| changed.contains_key(b))
        && formulas::shadows(a1, a1).is_true()
}

/// `(for x: s1); for y: s2 ⇝ for x: s1; [y ↦ x]s2`. PLDI'22 §5.8; spec: [rule: conditions.loop-fusion].
///
/// The fused loop is parallel if the first one is; its iterations must then be apart.
pub fn fuse_loops(ctx: &Context, first: &Stmt, second: &Stmt) -> Vec<Obligation> {
    let Some(l1) = Loop::of(first) else { return not_a_loop(ctx, first) };
    let Some(l2) = Loop::of(second) else { return not_a_loop(ctx, second) };
    let after_first = val_g(&ctx.analysis, &ctx.env, first);
    let (bounds, others) = (l1.bounds(&ctx.env), l2.bounds(&after_first));
    let crossed = Crossed::of(ctx, &l1, &l2, &bounds);
    let (sentence, formula) = crossed.in_order(ctx, &l1, &l2);
    let mut out = scope(ctx, l1.body, l2.body);
    if l1.iter != l2.iter && free_names(l2.body).contains(&l1.iter) {
        let sentence = format!("the `{}` in the second loop is not the variable of the first", l1.iter);
        out.push(ctx.obligation(LOOP_VARIABLE, sentence, EffExpr::bool(false)).at(second.span, "this loop"));
    }
    let about_both = |ob: Obligation| ob.at(first.span, "the first loop").at(second.span, "the second loop");
    let same = "the loops have the same bounds";
    out.push(about_both(ctx.obligation(LOOP_BOUNDS, same, same_bounds(&bounds, &others))));
    out.push(about_both(ctx.obligation(LOOP_FUSION, sentence, formula)));
    if l1.mode == LoopMode::Par {
        let sentence = "no iteration of one loop touches what another iteration of the other changes";
        out.push(about_both(ctx.obligation(LOOP_PARALLEL, sentence, crossed.at_once())));
        if l2.mode == LoopMode::Seq {
            let after = ctx.inside(after_first, []);
            out.extend(parallel(&after, second));
        }
    }
    out
}

/// An iteration of each of two loops that are fused.
struct Crossed<'a> {
    /// x, x'
    at: [EffExpr; 2],
    pieces: [Piece<'a>; 2],
    /// Both run.
    run: EffExpr,
}

impl<'a> Crossed<'a> {
    fn of(ctx: &Context, l1: &Loop<'a>, l2: &Loop<'a>, bounds: &Bounds) -> Crossed<'a> {
        // The second loop's iterations are those of the first: that is asked for as well.
        let other = Part { iters: vec![(l2.iter, l1.lo, l1.hi)], body: l2.body };
        let any = any_state(&ctx.analysis, &ctx.env, &[l1.part(l1.body), other]);
        let (x, x1) = (copy_of(l1.iter), primed(l2.iter));
        let pieces = [(l1, &x), (l2, &x1)].map(|(l, x)| Piece::of(ctx, bound(&any, &[(l.iter, x)]), l.body));
        let run = EffExpr::and([bd(bounds, &x), bd(bounds, &x1)]);
        Crossed { at: [x, x1], pieces, run }
    }

    /// What is asked of the iterations that change places, in words and as a formula.
    fn in_order(&self, ctx: &Context, l1: &Loop<'_>, l2: &Loop<'_>) -> (String, EffExpr) {
        let ([x, x1], [one, two]) = (&self.at, &self.pieces);
        let mut sentence = "an iteration of the first loop does not touch what an earlier one of the second changes, nor conversely".to_owned();
        let other = Part { iters: vec![(l2.iter, l1.lo, l1.hi)], body: l2.body };
        let overwritten = overwritten(ctx, [one, two], &[l1.part(l1.body), other]);
        let recomputed = recomputed(ctx, l1, l2, [x, x1]);
        if !recomputed.is_empty() {
            sentence.push_str(", or gives it the value that it has");
        }
        sentence.push_str(&but_for(&overwritten));
        let commutes = commutes_or_recomputed(&overwritten, &recomputed, &one.effect, &two.effect);
        (sentence, formulas::fusion(self.run.clone(), x, x1, commutes))
    }

    /// Different iterations are apart.
    fn at_once(&self) -> EffExpr {
        let ([x, x1], [one, two]) = (&self.at, &self.pieces);
        formulas::parallel(self.run.clone(), x, x1, formulas::disjoint(&one.effect, &two.effect))
    }
}

/// An iteration of the first loop commutes with an earlier one of the second, but for cells that it gives the value
/// that they have.
fn commutes_or_recomputed(
    overwritten: &Overwritten,
    recomputed: &[Recomputed],
    a1: &Effect,
    a2: &Effect,
) -> EffExpr {
    let strict = commutes_but_for(overwritten, a1, a2);
    if recomputed.is_empty() || strict.is_true() {
        return strict;
    }
    let each = recomputed.iter().map(|found| {
        let apart = commutes_but_for(overwritten, &a1.only(found.base), &a2.only(found.base));
        EffExpr::or([apart, found.harmless.clone()])
    });
    let without = |a: &Effect| recomputed.iter().fold(a.clone(), |a, found| a.except(found.base));
    let others = commutes_but_for(overwritten, &without(a1), &without(a2));
    EffExpr::and(each.chain([others]).collect::<Vec<_>>())
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
    let harmless = formulas::repeats(&l.bounds(&ctx.env), &a);
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
            EffExpr::implies(one, formulas::shadows(&a1, &a1)),
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
        Some(l) => formulas::runs(&l.bounds(&ctx.env)),
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
    /// Those of `for iter in (lo, hi): body`.
    pub(crate) fn of(
        an: &Analysis,
        env: &Env,
        iter: Sym,
        (lo, hi): (&Expr, &Expr),
        body: &Block,
    ) -> TwoIterations {
        let any = any_state(an, env, &[Part { iters: vec![(iter, lo, hi)], body }]);
        let bounds = &(lift(env, lo), lift(env, hi));
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

/// `for x: s ⇝ for x: [x ↦ lo + hi - 1 - x]s`: each two iterations change places, and so does the last one. The body now
/// reads the bounds, in states that the loop as given may not reach. Spec: [rule: conditions.loop-reversal].
pub fn reverse_loop(ctx: &Context, s: &Stmt) -> Vec<Obligation> {
    let Some(l) = Loop::of(s) else { return not_a_loop(ctx, s) };
    let any = any_state(&ctx.analysis, &ctx.env, &[l.part(l.body)]);
    let (x, x1) = (copy_of(l.iter), primed(l.iter));
    let [one, two] = [&x, &x1].map(|x| Piece::of(ctx, bound(&any, &[(l.iter, x)]), l.body));
    // A field must be left at one value, since another iteration runs last.
    let commutes = commutes_or_same(ctx, &left_alike(&ctx.analysis, [&one, &two]), &one, &two);
    let bounds = l.bounds(&ctx.env);
    let formula = formulas::fission(EffExpr::and([bd(&bounds, &x), bd(&bounds, &x1)]), &x, &x1, commutes);
    let stable = same_bounds(&bounds, &l.bounds(&any));
    [
        (LOOP_BOUNDS, "the bounds are the same in every iteration", stable),
        (LOOP_ITERATIONS, "no iteration touches what another one changes", formula),
    ]
    .map(|(id, sentence, formula)| ctx.obligation(id, sentence, formula).at(s.span, "this loop"))
    .into()
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
            EffExpr::implies(two, formulas::disjoint(&a1, &a2)),
        )
        .at(s.span, "this loop"),
    ]
}

/// [`parallel`] of the loop with calls from outside ([`from_outside`]), where `decide` proves that: it is less to prove. Otherwise
/// of the loop as it is.
pub fn parallel_from_outside(
    ctx: &Context,
    s: &Stmt,
    decide: impl Fn(&Obligation) -> bool,
) -> Vec<Obligation> {
    let outside = from_outside(&ctx.analysis, &block([s.clone()]));
    let apart = outside.and_then(|b| b.get(0).map(|s| parallel(ctx, s)));
    apart.filter(|obs| obs.iter().all(decide)).unwrap_or_else(|| parallel(ctx, s))
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
