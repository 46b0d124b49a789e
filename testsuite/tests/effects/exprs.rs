//! Conditions on control expressions against the interpreter, on random programs: each time the place is
//! reached, the values are looked at. Spec: [rule: conditions.properties].

#![expect(clippy::print_stdout, reason = "tests report what they covered")]

use rewright_campaign::holes::{block_at, paths, sequential};
use rewright_campaign::rng::Rng;
use rewright_effects::analysis::Analysis;
use rewright_effects::conditions::{
    equal_exprs, holds, in_bounds, nonnegative, positive, runs_at_least_once, same_after,
};
use rewright_effects::context::{Context, Hole};
use rewright_effects::effexpr::Sort;
use rewright_effects::env::sort_of_field;
use rewright_effects::names::expr_names;
use rewright_effects::solver::Solver;
use rewright_semantics::ast::{Block, Expr, Proc, Stmt, StmtKind};
use rewright_semantics::build::{add, data, eq, ge, int, lt, not, read_config, reduce};
use rewright_testsuite::hold::{Focus, Programs, Rewrite, Tally, runs};
use rewright_testsuite::probe::Probe;
use std::sync::Arc;

/// Integer and boolean control expressions that occur in a procedure, and reads of the fields that it writes.
#[derive(Default)]
struct Exprs {
    ints: Vec<Expr>,
    bools: Vec<Expr>,
    fields: Vec<Expr>,
    flags: Vec<Expr>,
}

fn exprs(p: &Proc) -> Exprs {
    let mut out = Exprs { bools: p.preds.clone(), ..Exprs::default() };
    for path in paths(p) {
        let Some(s) = block_at(p, &path).and_then(|(b, i)| b.get(i)) else { continue };
        match s.kind.as_ref() {
            StmtKind::Assign { idx, .. } | StmtKind::Reduce { idx, .. } => {
                out.ints.extend(idx.iter().cloned())
            }
            StmtKind::If { cond, .. } => out.bools.push(cond.clone()),
            StmtKind::For { lo, hi, .. } => out.ints.extend([lo.clone(), hi.clone()]),
            StmtKind::Alloc { typ, .. } => out.ints.extend(typ.shape.iter().cloned()),
            StmtKind::WriteConfig { config, field, rhs: _ } => match sort_of_field(config, *field) {
                Some(Sort::Int) => out.fields.push(read_config(config, *field)),
                Some(Sort::Bool) => out.flags.push(read_config(config, *field)),
                None => {}
            },
            StmtKind::Pass | StmtKind::WindowStmt { .. } | StmtKind::Call { .. } => {}
        }
    }
    out
}

impl Exprs {
    /// One of these whose names are all in scope.
    fn pick<'a>(of: &'a [Expr], ctx: &Context, rng: &mut Rng) -> Option<&'a Expr> {
        let e = rng.pick(of)?;
        expr_names(e).iter().all(|x| ctx.env.binds(*x)).then_some(e)
    }
}

/// Tries rewrites that put a probe at each place; the interpreter must have run at least this many.
fn on_places(
    what: &str,
    least: u64,
    propose: impl Fn(&Context, &Block, &Exprs, &Probe, &mut Rng) -> Vec<Rewrite> + Sync,
) {
    let tally = Tally::default();
    Programs::default().each(|m, seed| {
        let (an, solver, probe) = (Analysis::new(), Solver::new(), Probe::default());
        for p in &m.procs {
            // A note in a parallel loop would be a race.
            let p = Arc::new(probe.start(&sequential(p)));
            let (exprs, runs) = (exprs(&p), runs(&p, seed));
            for (k, path) in paths(&p).into_iter().enumerate().skip(1) {
                let place = Focus { an: &an, proc: &p, hole: Hole { path, len: 1 }, runs: &runs };
                let found = place.hold(&solver, &tally, &|ctx: &Context, rest: &Block| {
                    let mut rng = Rng::new(seed * 1000 + u64::try_from(k).unwrap_or(0));
                    propose(ctx, rest, &exprs, &probe, &mut rng)
                });
                assert_eq!(found, Ok(()), "{what}, seed {seed}");
            }
        }
    });
    println!("{what}: {tally}");
    assert!(tally.held() >= least, "{what}: {tally}");
    assert!(tally.is_decided(), "{what}: {tally}");
}

fn watch(probe: &Probe, obligation: rewright_effects::obligation::Obligation, fails: Expr) -> Rewrite {
    Rewrite::new(vec![obligation], 0, vec![probe.hit_if(fails)])
}

#[test]
fn expressions_that_are_equal_have_equal_values() {
    on_places("equal_exprs", 300, |ctx, _, exprs, probe, rng| {
        let mut out = Vec::new();
        for _ in 0..4 {
            let (a, b) = (Exprs::pick(&exprs.ints, ctx, rng), Exprs::pick(&exprs.ints, ctx, rng));
            let (Some(a), Some(b)) = (a, b) else { continue };
            let a = add(a.clone(), int(rng.between(-1, 1)));
            out.push(watch(probe, equal_exprs(ctx, &a, b), not(eq(a.clone(), b.clone()))));
        }
        out
    });
}

#[test]
fn conditions_that_hold_are_true() {
    on_places("holds", 300, |ctx, _, exprs, probe, rng| {
        let mut out = Vec::new();
        if let Some(e) = Exprs::pick(&exprs.bools, ctx, rng) {
            out.push(watch(probe, holds(ctx, e), not(e.clone())));
        }
        let (a, b) = (Exprs::pick(&exprs.ints, ctx, rng), Exprs::pick(&exprs.ints, ctx, rng));
        if let (Some(a), Some(b)) = (a, b) {
            let e = ge(a.clone(), b.clone());
            out.push(watch(probe, holds(ctx, &e), not(e.clone())));
        }
        out
    });
}

#[test]
fn values_that_are_nonnegative_are_at_least_zero() {
    on_places("nonnegative", 300, |ctx, _, exprs, probe, rng| {
        let e = Exprs::pick(&exprs.ints, ctx, rng);
        e.map(|e| watch(probe, nonnegative(ctx, e), lt(e.clone(), int(0)))).into_iter().collect()
    });
}

#[test]
fn values_that_are_positive_are_at_least_one() {
    on_places("positive", 300, |ctx, _, exprs, probe, rng| {
        let e = Exprs::pick(&exprs.ints, ctx, rng);
        e.map(|e| watch(probe, positive(ctx, e), lt(e.clone(), int(1)))).into_iter().collect()
    });
}

#[test]
fn loops_that_run_have_an_iteration() {
    on_places("runs_at_least_once", 300, |ctx, rest, _, probe, _| {
        let Some(s) = rest.get(0) else { return Vec::new() };
        let StmtKind::For { lo, hi, .. } = s.kind.as_ref() else { return Vec::new() };
        vec![watch(probe, runs_at_least_once(ctx, s), not(lt(lo.clone(), hi.clone())))]
    });
}

#[test]
fn values_that_are_the_same_after_are_the_same() {
    on_places("same_after", 300, |ctx, rest, exprs, probe, rng| {
        let boolean = rng.chance(40);
        let all = match (boolean, rng.chance(60)) {
            (true, false) => &exprs.bools,
            (true, true) => &exprs.flags,
            (false, false) => &exprs.ints,
            (false, true) => &exprs.fields,
        };
        let Some(e) = Exprs::pick(all, ctx, rng) else { return Vec::new() };
        let (note, compare) = probe.note_and_compare(e, boolean);
        let between = rest.take(rest.len().min(6));
        let by = [note].into_iter().chain(between.clone()).chain([compare]).collect();
        let mut rw = Rewrite::new(vec![same_after(ctx, e, &between)], between.len(), by);
        rw.modulo.insert(probe.value());
        vec![rw]
    });
}

#[test]
fn accesses_in_bounds_do_not_fault() {
    on_places("in_bounds", 300, |ctx, rest, _, _, rng| {
        let Some(s) = rest.get(0) else { return Vec::new() };
        let (StmtKind::Assign { name, idx, .. } | StmtKind::Reduce { name, idx, .. }) = s.kind.as_ref()
        else {
            return Vec::new();
        };
        let by = rng.between(-2, 2);
        let idx: Vec<Expr> = idx.iter().map(|e| add(e.clone(), int(by))).collect();
        // An access that changes nothing but may fail.
        let access: Stmt = reduce(*name, idx.clone(), data(0, 0));
        vec![Rewrite::new(vec![in_bounds(ctx, *name, &idx)], 0, vec![access])]
    });
}
