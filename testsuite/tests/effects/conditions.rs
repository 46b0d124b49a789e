//! A condition that holds admits its rewrite: PLDI'22 §5.7, §5.8 and §6.2, on random programs. Spec:
//! [rule: conditions.properties].
//!
//! What the solver refutes for all inputs it is asked again for the input at hand: so a rewrite is tried more
//! often than it would be admitted.

#![expect(clippy::print_stdout, reason = "tests report what they covered")]

use rewright_campaign::holes::{block_at, edit, paths, replace, sequential};
use rewright_effects::analysis::Analysis;
use rewright_effects::conditions::{
    commutes, dead_after, fission, fuse_loops, idempotent, parallel, remaining_globals, remove_loop,
    reorder_loops, unread_after,
};
use rewright_effects::context::{Context, Hole, Step};
use rewright_effects::env::Field;
use rewright_effects::solver::Solver;
use rewright_semantics::ast::{Block, LoopMode, Proc, StmtKind};
use rewright_semantics::build::{assign, block, boolean, data, int, pass, write_config};
use rewright_semantics::store::ConfigKey;
use rewright_semantics::types::{ControlType, FieldType};
use rewright_testsuite::hold::{Focus, Programs, Rewrite, Tally, runs};
use rewright_testsuite::rewrites::{in_mode, joined, reordered, shadows, split, unlooped};
use std::sync::Arc;

/// Tries a rewrite on random programs; the interpreter must have seen it at least this often.
fn holds(what: &str, least: u64, len: usize, propose: impl Fn(&Context, &Block) -> Vec<Rewrite> + Sync) {
    enough(what, least, &Programs::default().hold(len, propose));
}

fn enough(what: &str, least: u64, tally: &Tally) {
    println!("{what}: {tally}");
    assert!(tally.held() >= least, "{what}: {tally}");
    assert!(tally.is_decided(), "{what}: {tally}");
}

#[test]
fn statements_that_commute_may_change_places() {
    holds("commutes", 200, 2, |ctx, rest| {
        let (Some(s1), Some(s2)) = (rest.get(0), rest.get(1)) else { return Vec::new() };
        let obligations = commutes(ctx, &block([s1.clone()]), &block([s2.clone()]));
        vec![Rewrite::new(obligations, 2, vec![s2.clone(), s1.clone()])]
    });
}

#[test]
fn a_statement_that_is_shadowed_may_go() {
    holds("shadows", 20, 2, |ctx, rest| {
        let (Some(s1), Some(s2)) = (rest.get(0), rest.get(1)) else { return Vec::new() };
        let obligations = shadows(ctx, &block([s1.clone()]), &block([s2.clone()]));
        vec![Rewrite::new(obligations, 2, vec![s2.clone()])]
    });
}

#[test]
fn a_statement_that_is_idempotent_may_run_twice() {
    for len in 1..3 {
        holds("idempotent", 200, len, move |ctx, rest| {
            let s = rest.take(len);
            let twice = s.iter().chain(&s).cloned().collect();
            vec![Rewrite::new(vec![idempotent(ctx, &s)], len, twice)]
        });
    }
}

#[test]
fn loops_whose_iterations_commute_may_change_places() {
    holds("reorder_loops", 100, 1, |ctx, rest| {
        let Some(outer) = rest.get(0) else { return Vec::new() };
        let Some(swapped) = reordered(outer) else { return Vec::new() };
        vec![Rewrite::new(reorder_loops(ctx, outer), 1, vec![swapped])]
    });
}

#[test]
fn loops_may_be_split_after_a_statement() {
    holds("fission", 200, 1, |ctx, rest| {
        let Some(s) = rest.get(0) else { return Vec::new() };
        let StmtKind::For { body, .. } = s.kind.as_ref() else { return Vec::new() };
        let rewrite = |at| Some(Rewrite::new(fission(ctx, s, at), 1, split(s, at)?));
        (1..body.len()).filter_map(rewrite).collect()
    });
}

/// The procedure with the loop at a place split in two, right or wrong: there are then loops side by side.
fn apart(p: &Proc, path: &[Step], at: usize) -> Option<Proc> {
    let (b, i) = block_at(p, path)?;
    let s = in_mode(b.get(i)?, LoopMode::Seq)?;
    let StmtKind::For { body, .. } = s.kind.as_ref() else { return None };
    let by = split(&s, at).filter(|_| at < body.len())?;
    Some(edit(p, path, &|b, i| replace(b, i, 1, &by)))
}

#[test]
fn loops_with_the_same_bounds_may_be_joined() {
    let tally = Tally::default();
    let programs = Programs { count: 320, ..Programs::default() };
    programs.each(|m, seed| {
        let (an, solver) = (Analysis::new(), Solver::new());
        for p in &m.procs {
            for path in paths(p) {
                for at in 1..3 {
                    let Some(proc) = apart(p, &path, at).map(Arc::new) else { continue };
                    let runs = runs(&proc, seed);
                    let hole = Hole { path: path.clone(), len: 2 };
                    let place = Focus { an: &an, proc: &proc, hole, runs: &runs };
                    let found = place.hold(&solver, &tally, &|ctx: &Context, rest: &Block| {
                        let (Some(s), Some(t)) = (rest.get(0), rest.get(1)) else { return Vec::new() };
                        let by = joined(s, t).map(|by| Rewrite::new(fuse_loops(ctx, s, t), 2, vec![by]));
                        by.into_iter().collect()
                    });
                    assert_eq!(found, Ok(()), "fuse_loops, seed {seed}");
                }
            }
        }
    });
    enough("fuse_loops", 200, &tally);
}

#[test]
fn loops_with_an_idempotent_body_may_go() {
    holds("remove_loop", 10, 1, |ctx, rest| {
        let Some(s) = rest.get(0) else { return Vec::new() };
        let Some(body) = unlooped(s) else { return Vec::new() };
        vec![Rewrite::new(remove_loop(ctx, s), 1, body)]
    });
}

#[test]
fn loops_whose_iterations_are_apart_have_no_races() {
    holds("parallel", 200, 1, |ctx, rest| {
        let Some(s) = rest.get(0) else { return Vec::new() };
        let Some(by) = in_mode(s, LoopMode::Par) else { return Vec::new() };
        vec![Rewrite::new(parallel(ctx, s), 1, vec![by])]
    });
}

#[test]
fn what_is_dead_need_not_be_written() {
    holds("dead_after", 10, 1, |ctx, rest| {
        let Some(s) = rest.get(0) else { return Vec::new() };
        let (StmtKind::Assign { name, idx, .. } | StmtKind::Reduce { name, idx, .. }) = s.kind.as_ref()
        else {
            return Vec::new();
        };
        let other = assign(*name, idx.clone(), data(4711, 0));
        [pass(), other].map(|by| Rewrite::new(vec![dead_after(ctx, *name)], 1, vec![by])).into()
    });
}

/// Writes of other values to all fields of a module, at every place of sequential programs.
fn on_fields(what: &str, least: u64, propose: impl Fn(&Context, Field, &ConfigKey) -> Vec<Rewrite> + Sync) {
    let tally = Tally::default();
    Programs::default().each(|m, seed| {
        let (an, solver) = (Analysis::new(), Solver::new());
        for p in &m.procs {
            // A write in a parallel loop would be a race.
            let p = Arc::new(sequential(p));
            let runs = runs(&p, seed);
            for path in paths(&p) {
                let place = Focus { an: &an, proc: &p, hole: Hole { path, len: 0 }, runs: &runs };
                let found = place.hold(&solver, &tally, &|ctx: &Context, _: &Block| {
                    let mut out = Vec::new();
                    for c in &m.configs {
                        for f in &c.fields {
                            let value = match f.typ {
                                FieldType::Control(ControlType::Bool) => boolean(seed % 2 == 0),
                                FieldType::Control(_) => int(23),
                                FieldType::Data(_) => data(47, 0),
                            };
                            let key = ConfigKey { config: c.name, field: f.name };
                            for mut rw in propose(ctx, Field::of(c, f.name), &key) {
                                rw.by.push(write_config(c, f.name, value.clone()));
                                out.push(rw);
                            }
                        }
                    }
                    out
                });
                assert_eq!(found, Ok(()), "{what}, seed {seed}");
            }
        }
    });
    enough(what, least, &tally);
}

#[test]
fn a_field_that_is_not_read_may_hold_anything() {
    on_fields("unread_after", 1000, |ctx, field, key| {
        let mut rw = Rewrite::new(unread_after(ctx, &[field]), 0, Vec::new());
        rw.modulo.insert(*key);
        vec![rw]
    });
}

#[test]
fn a_field_that_is_not_read_and_then_overwritten_is_as_before() {
    on_fields("remaining_globals", 100, |ctx, field, _| {
        let mut obligations = unread_after(ctx, &[field]);
        obligations.extend(remaining_globals(ctx, &[field]).into_iter().map(|(_, ob)| ob));
        vec![Rewrite::new(obligations, 0, Vec::new())]
    });
}
