//! The solver on the obligations that the corpus gives rise to, every condition on every statement, and on those
//! of the table of conditions.
//! `cargo test --release -p rewright-testsuite --test effects workload:: -- --nocapture` prints times.

#[path = "../support/second_solver.rs"]
mod second_solver;

use rewright_effects::obligation::{Obligation, Tier, Verdict};
use rewright_effects::solver::{Limits, Solver, smtlib};
use rewright_testsuite::workload::{of_random_programs, of_the_corpus, of_the_table};
use std::collections::BTreeSet;

#[test]
fn the_corpus_is_decided_mostly_without_z3() {
    let solver = Solver::with_limits(Limits { cache: false, ..Limits::default() });
    for o in of_the_corpus() {
        let before = solver.counts();
        if let Verdict::Unknown { why } = solver.decide(&o) {
            panic!("{}: {why}\n{}", o.id, o.sentence_formula());
        }
        if solver.counts().fast == before.fast {
            println!("{}: not by the fast tier, size {}", o.id, o.sentence_formula().size());
        }
    }
    let counts = solver.counts();
    println!("{counts:?}");
    assert!(counts.fast * 10 >= (counts.fast + counts.linear + counts.quantified) * 6, "{counts:?}");
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
    let all = Solver::new();
    let z3 = Solver::with_limits(Limits { first: Tier::Quantified, steps: 200_000, cache: true });
    let questions: Vec<Obligation> = of_the_corpus().into_iter().step_by(29).collect();
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
    let solver = Solver::new();
    let mut scripts = BTreeSet::new();
    for o in of_the_corpus().into_iter().chain(of_the_table()).chain(of_random_programs(0..60)) {
        if solver.decide(&o).is_proved() {
            scripts.insert(smtlib::script(&o));
        }
    }
    let (agreed, open) = second_solver::confirm(scripts);
    println!("obligations of programs: cvc5 confirms {agreed} and leaves {open} open");
    assert!(agreed > 100, "agreed on {agreed}");
}
