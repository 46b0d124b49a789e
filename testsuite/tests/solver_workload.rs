//! The solver on the obligations that the corpus gives rise to, every condition on every statement, and on those
//! of the table of conditions.
//! `cargo test --release -p rewright-testsuite --test solver_workload -- --nocapture` prints times.

#[path = "../../effects/tests/support/cvc5.rs"]
mod cvc5;

use rewright_effects::analysis::Analysis;
use rewright_effects::conditions::{
    commutes, fission, fuse_loops, idempotent, in_bounds, parallel, remove_loop, reorder_loops,
    runs_at_least_once, shadows,
};
use rewright_effects::context::{Context, Hole, Step};
use rewright_effects::obligation::{Obligation, Tier, Verdict};
use rewright_effects::solver::{Limits, Solver, smtlib};
use rewright_semantics::ast::{Block, Proc, StmtKind};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::SourceMap;
use rewright_testsuite::generate::{Shape, module};
use rewright_testsuite::table::cases;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// All procedures of the corpus, in the order of its files.
fn corpus() -> Vec<Arc<Proc>> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/ok");
    let mut files: Vec<_> = std::fs::read_dir(dir).expect("the corpus").flatten().map(|f| f.path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "py"));
    files.sort();
    let mut out = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let mut sources = SourceMap::new();
        let id = sources.add(file.display().to_string(), text);
        out.extend(parse_module(id, &sources, &Prelude::standard()).module.procs);
    }
    out
}

/// The obligations of all conditions at all statements of a procedure.
fn obligations(an: &Analysis, p: &Proc) -> Vec<Obligation> {
    let mut out = Vec::new();
    visit(an, p, &p.body, &[], Step::Body, &mut out);
    out
}

fn visit(
    an: &Analysis,
    p: &Proc,
    b: &Block,
    path: &[Step],
    step: fn(usize) -> Step,
    out: &mut Vec<Obligation>,
) {
    for (i, s) in b.iter().enumerate() {
        let mut here = path.to_vec();
        here.push(step(i));
        let Some(ctx) = Context::of(an, p, &Hole::stmt(here.clone())) else { continue };
        out.push(idempotent(&ctx, &Block::unit(s.clone())));
        match &*s.kind {
            StmtKind::Assign { name, idx, rhs: _ } | StmtKind::Reduce { name, idx, rhs: _ } => {
                out.push(in_bounds(&ctx, *name, idx));
            }
            StmtKind::For { body, .. } => {
                out.push(runs_at_least_once(&ctx, s));
                out.extend(parallel(&ctx, s));
                out.extend(remove_loop(&ctx, s));
                out.extend(reorder_loops(&ctx, s));
                (1..body.len()).for_each(|at| out.extend(fission(&ctx, s, at)));
                visit(an, p, body, &here, Step::Body, out);
            }
            StmtKind::If { body, orelse, .. } => {
                visit(an, p, body, &here, Step::Body, out);
                visit(an, p, orelse, &here, Step::Orelse, out);
            }
            StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. } => {}
        }
        if let Some(next) = b.get(i + 1) {
            let hole = Hole { path: here, len: 2 };
            let Some(ctx) = Context::of(an, p, &hole) else { continue };
            let (one, two) = (Block::unit(s.clone()), Block::unit(next.clone()));
            out.extend(commutes(&ctx, &one, &two));
            out.extend(shadows(&ctx, &one, &two));
            if matches!((&*s.kind, &*next.kind), (StmtKind::For { .. }, StmtKind::For { .. })) {
                out.extend(fuse_loops(&ctx, s, next));
            }
        }
    }
}

/// The obligations of the table of conditions.
fn of_the_table() -> Vec<Obligation> {
    let mut out = Vec::new();
    for case in cases() {
        let question = case.read().and_then(|p| p.question(&case.condition));
        out.extend(question.expect("the table's own test says more").obligations);
    }
    out
}

/// The obligations of random programs.
fn of_random_programs(seeds: std::ops::Range<u64>) -> Vec<Obligation> {
    let an = Analysis::new();
    let shape = Shape { procs: 2, stmts: 8, ..Shape::floating() };
    let programs: Vec<_> = seeds.flat_map(|seed| module(seed, &shape).procs).collect();
    programs.iter().flat_map(|p| obligations(&an, p)).collect()
}

fn percentile(times: &mut [Duration], of_hundred: usize) -> Duration {
    times.sort();
    let last = times.len().saturating_sub(1);
    times.get(last * of_hundred / 100).copied().unwrap_or_default()
}

#[test]
fn the_corpus_is_decided_mostly_without_z3() {
    let mut solver = Solver::with_limits(Limits { cache: false, ..Limits::default() });
    let an = Analysis::new();
    let mut times: Vec<(Option<Tier>, Duration)> = Vec::new();
    let (mut proved, mut refuted) = (0, 0);
    let mut unknown = Vec::new();
    for p in corpus() {
        for o in obligations(&an, &p) {
            let (start, before) = (Instant::now(), solver.counts());
            let verdict = solver.decide(&o);
            let took = start.elapsed();
            let after = solver.counts();
            let tier = if after.fast > before.fast {
                Some(Tier::Fast)
            } else if after.linear > before.linear {
                Some(Tier::Linear)
            } else if after.quantified > before.quantified {
                Some(Tier::Quantified)
            } else {
                None
            };
            times.push((tier, took));
            if tier != Some(Tier::Fast) {
                println!("{} {}: {tier:?} {took:?} size {}", p.name, o.id, o.sentence_formula().size());
            }
            match verdict {
                Verdict::Proved { .. } => proved += 1,
                Verdict::Refuted { .. } => refuted += 1,
                Verdict::Unknown { why } => unknown.push(format!("{} {}: {why}", p.name, o.id)),
            }
        }
    }
    println!("proved {proved}, refuted {refuted}, unknown {}, {:?}", unknown.len(), solver.counts());
    for tier in [Some(Tier::Fast), Some(Tier::Linear), Some(Tier::Quantified), None] {
        let mut of: Vec<Duration> = times.iter().filter(|(t, _)| *t == tier).map(|(_, d)| *d).collect();
        println!(
            "{tier:?}: {} median {:?} p99 {:?}",
            of.len(),
            percentile(&mut of, 50),
            percentile(&mut of, 99)
        );
    }
    let mut all: Vec<Duration> = times.iter().map(|(_, d)| *d).collect();
    println!("all: median {:?} p99 {:?}", percentile(&mut all, 50), percentile(&mut all, 99));
    unknown.iter().take(20).for_each(|u| println!("{u}"));
    let counts = solver.counts();
    let total = counts.fast + counts.linear + counts.quantified + counts.unknown;
    assert!(counts.fast * 10 >= total * 6, "{counts:?}");
    assert!(unknown.is_empty(), "{} unknown", unknown.len());
}

/// Each tier asked first: what two of them decide they decide alike. The fast tier leaves the others little to
/// do, so that they would go untested.
#[test]
fn the_tiers_agree_on_the_table_and_on_random_programs() {
    let from = |first| Solver::with_limits(Limits { first, steps: 200_000, cache: true });
    let mut solvers = [Tier::Fast, Tier::Linear, Tier::Quantified].map(from);
    let mut questions = of_the_table();
    questions.extend(of_random_programs(0..20).into_iter().step_by(3));
    let mut decided = [0_usize; 3];
    for o in &questions {
        let verdicts = solvers.each_mut().map(|solver| solver.decide(o));
        let proved = verdicts.iter().any(Verdict::is_proved);
        let refuted = verdicts.iter().any(|v| matches!(v, Verdict::Refuted { .. }));
        assert!(!(proved && refuted), "{verdicts:?} for {}: {}", o.id, o.sentence_formula());
        for (count, v) in decided.iter_mut().zip(&verdicts) {
            *count += usize::from(!matches!(v, Verdict::Unknown { .. }));
        }
    }
    let counts = solvers.each_ref().map(Solver::counts);
    println!("{} questions, decided {decided:?}: {counts:#?}", questions.len());
    assert_eq!(decided[0], questions.len(), "all tiers together decide everything");
    assert!(
        decided[1] * 100 > questions.len() * 95 && decided[2] * 100 > questions.len() * 90,
        "{decided:?}"
    );
    assert!(counts[1].linear > 300 && counts[2].quantified > 50, "{counts:?}");
}

/// z3 gets the encoding as it is: no normal form, no elimination, no search of ours.
#[test]
fn z3_alone_confirms_a_sample_of_the_corpus() {
    let mut all = Solver::new();
    let mut z3 = Solver::with_limits(Limits { first: Tier::Quantified, steps: 200_000, cache: true });
    let an = Analysis::new();
    let questions: Vec<Obligation> = corpus().iter().flat_map(|p| obligations(&an, p)).step_by(29).collect();
    let mut agreed = 0;
    for o in &questions {
        match (all.decide(o), z3.decide(o)) {
            (Verdict::Proved { .. }, Verdict::Proved { .. })
            | (Verdict::Refuted { .. }, Verdict::Refuted { .. }) => {
                agreed += 1;
            }
            (_, Verdict::Unknown { .. }) => {}
            (a, b) => panic!("{a:?} against {b:?} for {}: {}", o.id, o.sentence_formula()),
        }
    }
    println!("agreed on {agreed} of {}", questions.len());
    assert!(agreed * 10 > questions.len() * 8, "agreed on {agreed} of {}", questions.len());
}

/// Every proved obligation of the corpus, of the table and of random programs, once, as a script whose expected
/// answer is `unsat`.
#[test]
#[ignore = "needs cvc5: run `make audit`"]
fn audit_of_programs_by_cvc5() {
    assert!(cvc5::cvc5_folder().join("ready").exists(), "run `make audit`, which installs cvc5");
    let (mut solver, an) = (Solver::new(), Analysis::new());
    let mut scripts = BTreeSet::new();
    let of_the_corpus = corpus().iter().flat_map(|p| obligations(&an, p)).collect::<Vec<_>>();
    for o in of_the_corpus.into_iter().chain(of_the_table()).chain(of_random_programs(0..60)) {
        if solver.decide(&o).is_proved() {
            scripts.insert(smtlib::script(&o));
        }
    }
    let scripts: Vec<String> = scripts.into_iter().collect();
    let (mut agreed, mut open) = (0, 0);
    for part in scripts.chunks(200) {
        let answers = cvc5::ask_cvc5(part);
        assert_eq!(answers.len(), part.len());
        for (script, answer) in part.iter().zip(&answers) {
            match answer.as_str() {
                "unsat" => agreed += 1,
                "unknown" | "timeout" => open += 1,
                _ => panic!("`{answer}`:\n{script}"),
            }
        }
    }
    println!("agreed on {agreed}, cvc5 left {open} open");
    assert!(agreed > 100, "agreed on {agreed}");
}
