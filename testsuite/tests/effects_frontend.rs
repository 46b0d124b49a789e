//! The front end's obligations hold of programs that run, and fail where the interpreter faults. Spec:
//! [rule: frontend].

use rewright_effects::analysis::Analysis;
use rewright_effects::frontend::check_proc;
use rewright_semantics::ast::{Block, Expr, LoopMode, Proc, Stmt, StmtKind};
use rewright_semantics::build::{add, int, loop_};
use rewright_semantics::denote::FaultClass;
use rewright_semantics::pretty::{module_to_string, proc_to_string};
use rewright_testsuite::abstraction::Run;
use rewright_testsuite::generate::{Shape, module};
use rewright_testsuite::holes::{block_at, edit, paths, replace};
use rewright_testsuite::rng::Rng;

#[test]
fn programs_that_are_right_by_construction_pass() {
    let an = Analysis::new();
    let (mut held, mut missed) = (0_u64, 0_u64);
    for seed in 0..150 {
        let m = module(seed, &Shape { stmts: 8, ..Shape::floating() });
        for p in &m.procs {
            let Some(run) = Run::random(p, seed) else { continue };
            if run.fault().is_some() {
                continue;
            }
            for ob in check_proc(&an, p) {
                if run.holds(&ob.sentence_formula()) {
                    held += 1;
                } else {
                    missed += 1;
                    println!(
                        "seed {seed}, {}: {} ({})\n  {}",
                        p.name,
                        ob.sentence,
                        ob.id,
                        ob.sentence_formula()
                    );
                }
            }
        }
    }
    assert!(held > 2000, "only {held} obligations");
    assert!(missed * 50 < held, "{missed} of {held} obligations do not hold, or take too long to try");
}

#[test]
fn programs_that_fault_do_not_pass() {
    let an = Analysis::new();
    let mut faults = 0;
    for seed in 0..250 {
        let mut rng = Rng::new(seed);
        let m = module(seed, &Shape { stmts: 8, ..Shape::floating() });
        for p in &m.procs {
            let all = paths(p);
            for _ in 0..4 {
                let Some(broken) = rng.pick(&all).cloned().and_then(|at| breakage(p, &at, &mut rng)) else {
                    continue;
                };
                let Some(run) = Run::random(p, seed) else { continue };
                let run = Run::with(&broken, run.input);
                match run.fault() {
                    Some(FaultClass::MemError | FaultClass::Race) => {}
                    Some(FaultClass::TypeError | FaultClass::Limit) | None => continue,
                }
                faults += 1;
                let passes = check_proc(&an, &broken).iter().all(|ob| run.holds(&ob.sentence_formula()));
                let text = || (module_to_string(&m), proc_to_string(&broken));
                assert!(!passes, "seed {seed}: faults, and passes\n{:?}\n{:?}", text(), run.input);
            }
        }
    }
    assert!(faults > 100, "only {faults} faults");
}

/// The procedure with one thing changed that may well be wrong.
fn breakage(p: &Proc, at: &[rewright_effects::context::Step], rng: &mut Rng) -> Option<Proc> {
    let (b, i) = block_at(p, at)?;
    let by = rng.between(-3, 3);
    let shift = |e: &Expr| add(e.clone(), int(by));
    let shifted = |idx: &[Expr]| -> Vec<Expr> {
        idx.iter().enumerate().map(|(d, e)| if d == 0 { shift(e) } else { e.clone() }).collect()
    };
    let kind = match b.get(i)?.kind.as_ref() {
        StmtKind::Assign { name, idx, rhs } => {
            StmtKind::Assign { name: *name, idx: shifted(idx).into(), rhs: rhs.clone() }
        }
        StmtKind::Reduce { name, idx, rhs } => {
            StmtKind::Reduce { name: *name, idx: shifted(idx).into(), rhs: rhs.clone() }
        }
        StmtKind::For { iter, lo, hi, body, mode: _ } => {
            let body: Block = body.clone();
            let new = if rng.chance(50) {
                loop_(LoopMode::Par, *iter, lo.clone(), hi.clone(), body)
            } else {
                loop_(LoopMode::Seq, *iter, shift(lo), add(hi.clone(), int(1)), body)
            };
            return Some(edit(p, at, &|b, i| replace(b, i, 1, std::slice::from_ref(&new))));
        }
        StmtKind::Call { proc, args } => {
            let changed: Vec<Expr> = args
                .iter()
                .zip(&proc.args)
                .map(|(e, formal)| match formal.typ {
                    rewright_semantics::types::ArgType::Control(_) => shift(e),
                    rewright_semantics::types::ArgType::Data { .. } => e.clone(),
                })
                .collect();
            StmtKind::Call { proc: proc.clone(), args: changed.into() }
        }
        StmtKind::WindowStmt { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::Alloc { .. } => return None,
    };
    let new = Stmt::new(kind);
    Some(edit(p, at, &|b, i| replace(b, i, 1, std::slice::from_ref(&new))))
}
