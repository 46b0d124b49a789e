//! A condition that holds admits its rewrite: PLDI'22 §5.7 and §5.8, on random programs. Spec:
//! [rule: conditions.properties].
//!
//! The conditions are decided here for one input at a time, by trying values: that is weaker than what a
//! solver must show, so a rewrite is tried more often than it would be admitted.

use rewright_effects::analysis::Analysis;
use rewright_effects::conditions::{
    commutes, dead_after, fission, fuse_loops, parallel, remove_loop, reorder_loops, shadows,
};
use rewright_effects::context::{Context, Hole};
use rewright_effects::obligation::Obligation;
use rewright_semantics::ast::{Block, LoopMode, Proc, Stmt, StmtKind};
use rewright_semantics::build::{block, loop_};
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::denote::Limits;
use rewright_semantics::equiv::{Comparer, Verdict};
use rewright_semantics::pretty::{module_to_string, proc_to_string};
use rewright_testsuite::abstraction::Run;
use rewright_testsuite::generate::{Shape, module};
use rewright_testsuite::holes::{block_at, edit, paths, replace};
use std::collections::BTreeSet;
use std::sync::Arc;

const PROGRAMS: u64 = 300;

/// A rewrite of the statements at the hole, and what it requires.
struct Rewrite {
    obligations: Vec<Obligation>,
    count: usize,
    by: Vec<Stmt>,
}

/// Tries a rewrite at every place of random programs; says how often it was admitted.
fn on_rewrites(what: &str, len: usize, propose: impl Fn(&Context, &Block) -> Vec<Rewrite>) -> u64 {
    let an = Analysis::new();
    let mut admitted = 0;
    for seed in 0..PROGRAMS {
        let shape = Shape { procs: 2, stmts: 8, uninitialised: seed % 4 == 0, ..Shape::floating() };
        let m = module(seed, &shape);
        for p in &m.procs {
            for path in paths(p) {
                admitted += try_at(
                    &an,
                    p,
                    &Hole { path: path.clone(), len },
                    seed,
                    &propose,
                    &|new: &Proc, verdict: &str| {
                        let (old, new) = (module_to_string(&m), proc_to_string(new));
                        let place = format!("{} at {path:?}", p.name);
                        panic!("{what}, seed {seed}, {place}: {verdict}\n{old}\n{new}");
                    },
                );
            }
        }
    }
    admitted
}

fn try_at(
    an: &Analysis,
    p: &Arc<Proc>,
    hole: &Hole,
    seed: u64,
    propose: &impl Fn(&Context, &Block) -> Vec<Rewrite>,
    fail: &dyn Fn(&Proc, &str),
) -> u64 {
    let path = &hole.path;
    let Some((b, i)) = block_at(p, path) else { return 0 };
    let rest = b.clone().slice(i..);
    // At the end of a block there may be too few statements for the hole.
    let Some(ctx) = Context::of(an, p, hole) else { return 0 };
    let mut admitted = 0;
    for rw in propose(&ctx, &rest) {
        let new = edit(p, path, &|b, i| replace(b, i, rw.count, &rw.by));
        for input in 0..2 {
            let Some(run) = Run::random(p, seed + 7 * input) else { continue };
            if !rw.obligations.iter().all(|ob| run.holds(&ob.sentence_formula())) {
                continue;
            }
            let comparer =
                Comparer::<RationalDomain>::new(p, &new, BTreeSet::new(), Limits::statements(5_000))
                    .expect("the signature is the same");
            match comparer.compare(&run.input) {
                Verdict::Equal | Verdict::Refines { .. } => admitted += 1,
                Verdict::Differs(difference) => fail(&new, &format!("{difference:?}\n{:?}", run.input)),
                Verdict::Undecided { .. }
                | Verdict::InputRejected(_)
                | Verdict::OldFails(_)
                | Verdict::GaveUp(_) => {}
            }
        }
    }
    admitted
}

#[test]
fn statements_that_commute_may_change_places() {
    let admitted = on_rewrites("reorder statements", 0, |ctx, rest| {
        let (Some(s1), Some(s2)) = (rest.get(0), rest.get(1)) else { return Vec::new() };
        let obligations = commutes(ctx, &block([s1.clone()]), &block([s2.clone()]));
        vec![Rewrite { obligations, count: 2, by: vec![s2.clone(), s1.clone()] }]
    });
    assert!(admitted > 100, "admitted only {admitted} times");
}

#[test]
fn a_statement_that_is_shadowed_may_go() {
    let admitted = on_rewrites("shadow", 2, |ctx, rest| {
        let (Some(s1), Some(s2)) = (rest.get(0), rest.get(1)) else { return Vec::new() };
        let obligations = shadows(ctx, &block([s1.clone()]), &block([s2.clone()]));
        vec![Rewrite { obligations, count: 2, by: vec![s2.clone()] }]
    });
    assert!(admitted > 20, "admitted only {admitted} times");
}

#[test]
fn loops_whose_iterations_commute_may_change_places() {
    let admitted = on_rewrites("reorder loops", 0, |ctx, rest| {
        let Some(outer) = rest.get(0) else { return Vec::new() };
        let StmtKind::For { iter: x, lo: lx, hi: hx, body, mode: mx } = outer.kind.as_ref() else {
            return Vec::new();
        };
        let Some(inner) = body.get(0).filter(|_| body.len() == 1) else { return Vec::new() };
        let StmtKind::For { iter: y, lo: ly, hi: hy, body, mode: my } = inner.kind.as_ref() else {
            return Vec::new();
        };
        let swapped = loop_(
            *my,
            *y,
            ly.clone(),
            hy.clone(),
            [loop_(*mx, *x, lx.clone(), hx.clone(), body.iter().cloned())],
        );
        vec![Rewrite { obligations: reorder_loops(ctx, outer), count: 1, by: vec![swapped] }]
    });
    assert!(admitted > 10, "admitted only {admitted} times");
}

#[test]
fn loops_may_be_split_after_a_statement() {
    let admitted = on_rewrites("fission", 0, |ctx, rest| {
        let Some(s) = rest.get(0) else { return Vec::new() };
        let StmtKind::For { iter, lo, hi, body, mode } = s.kind.as_ref() else { return Vec::new() };
        (1..body.len())
            .map(|at| {
                let (a, b) = body.clone().split_at(at);
                let part = |b: Block| loop_(*mode, *iter, lo.clone(), hi.clone(), b);
                Rewrite { obligations: fission(ctx, s, at), count: 1, by: vec![part(a), part(b)] }
            })
            .collect()
    });
    assert!(admitted > 50, "admitted only {admitted} times");
}

#[test]
fn loops_with_the_same_bounds_may_be_joined() {
    let admitted = on_rewrites("fuse", 0, |ctx, rest| {
        let (Some(s), Some(t)) = (rest.get(0), rest.get(1)) else { return Vec::new() };
        let StmtKind::For { iter, lo, hi, body, mode } = s.kind.as_ref() else { return Vec::new() };
        let StmtKind::For { iter: y, body: second, .. } = t.kind.as_ref() else { return Vec::new() };
        let mut joined = body.clone();
        joined.append(renamed(second, *y, *iter));
        let by = loop_(*mode, *iter, lo.clone(), hi.clone(), joined);
        vec![Rewrite { obligations: fuse_loops(ctx, s, t), count: 2, by: vec![by] }]
    });
    assert!(admitted > 5, "admitted only {admitted} times");
}

/// `[y ↦ x]b`, by a loop of one iteration: the language itself does the substitution.
fn renamed(b: &Block, y: rewright_semantics::sym::Sym, x: rewright_semantics::sym::Sym) -> Block {
    use rewright_semantics::build::{add, int, var};
    block([loop_(LoopMode::Seq, y, var(x), add(var(x), int(1)), b.iter().cloned())])
}

#[test]
fn loops_with_an_idempotent_body_may_go() {
    let admitted = on_rewrites("remove loop", 1, |ctx, rest| {
        let Some(s) = rest.get(0) else { return Vec::new() };
        let StmtKind::For { body, .. } = s.kind.as_ref() else { return Vec::new() };
        vec![Rewrite { obligations: remove_loop(ctx, s), count: 1, by: body.iter().cloned().collect() }]
    });
    assert!(admitted > 5, "admitted only {admitted} times");
}

#[test]
fn loops_whose_iterations_are_apart_have_no_races() {
    let admitted = on_rewrites("parallelise", 0, |ctx, rest| {
        let Some(s) = rest.get(0) else { return Vec::new() };
        let StmtKind::For { iter, lo, hi, body, mode: _ } = s.kind.as_ref() else { return Vec::new() };
        let by = loop_(LoopMode::Par, *iter, lo.clone(), hi.clone(), body.iter().cloned());
        vec![Rewrite { obligations: parallel(ctx, s), count: 1, by: vec![by] }]
    });
    assert!(admitted > 100, "admitted only {admitted} times");
}

#[test]
fn what_is_dead_need_not_be_written() {
    let admitted = on_rewrites("delete a dead store", 1, |ctx, rest| {
        let Some(s) = rest.get(0) else { return Vec::new() };
        let (StmtKind::Assign { name, .. } | StmtKind::Reduce { name, .. }) = s.kind.as_ref() else {
            return Vec::new();
        };
        vec![Rewrite {
            obligations: vec![dead_after(ctx, *name)],
            count: 1,
            by: vec![rewright_semantics::build::pass()],
        }]
    });
    assert!(admitted > 0, "never admitted");
}
