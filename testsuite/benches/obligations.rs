//! Time per obligation by the stage that decides it, on the corpus: `cargo bench -p rewright-testsuite --bench
//! obligations`. The stages behind the fast one are measured by asking them first.

#![expect(clippy::print_stdout, reason = "this is a report")]

use rewright_effects::obligation::{Obligation, Tier};
use rewright_effects::solver::{Limits, Solver};
use rewright_testsuite::workload::{Timing, of_the_corpus, of_the_table};
use std::time::Duration;

fn main() {
    let corpus = of_the_corpus();
    let table = of_the_table();
    println!(
        "{:<34} {:<11} {:>6} {:>7} {:>11} {:>11}",
        "obligations", "decided by", "", "share", "median", "p99"
    );
    let usual = report("corpus", Tier::Fast, &corpus);
    report("conditions table", Tier::Fast, &table);
    report("conditions table, z3 first", Tier::Linear, &table);
    report("conditions table, z3 alone", Tier::Quantified, &table);
    let fast = usual.count(Some(Tier::Fast)) * 100 / corpus.len().max(1);
    let (median, p99) = (usual.percentile_of_all(50), usual.percentile_of_all(99));
    println!("goals, on the corpus:");
    goal(format!("at least 60 % without z3: {fast} %"), fast >= 60);
    goal(format!("median under 0.3 ms: {median:.1?}"), median < Duration::from_micros(300));
    goal(format!("99th percentile under 30 ms: {p99:.1?}"), p99 < Duration::from_millis(30));
}

fn goal(text: String, met: bool) {
    println!("  {text}{}", if met { "" } else { " (missed)" });
}

fn report(what: &str, first: Tier, questions: &[Obligation]) -> Timing {
    let solver = Solver::with_limits(Limits { cache: false, first, ..Limits::default() });
    let timing = Timing::of(&solver, questions);
    for tier in [Some(Tier::Fast), Some(Tier::Linear), Some(Tier::Quantified), None] {
        let n = timing.count(tier);
        if n > 0 {
            let name = tier.map_or("none".to_owned(), |t| t.to_string());
            let (median, p99) = (timing.percentile(tier, 50), timing.percentile(tier, 99));
            let share = n * 100 / questions.len().max(1);
            println!("{what:<34} {name:<11} {n:>6} {share:>5} % {median:>11.1?} {p99:>11.1?}");
        }
    }
    timing
}
