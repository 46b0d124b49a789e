//! Time per obligation by stage: `cargo bench -p rewright-effects --bench solver`.

#[path = "../tests/support/mod.rs"]
mod support;

use divan::Bencher;
use rewright_effects::obligation::{Obligation, Tier, Verdict};
use rewright_effects::solver::{Limits, Solver};

fn main() {
    divan::main();
}

const NAMES: [&str; 6] = [
    "bounds of a tile",
    "tiles do not overlap",
    "stencil iterations collide",
    "all cells are written backwards",
    "all cells are written in tiles",
    "a loop that changes nothing",
];

fn question(name: &str) -> Obligation {
    let found = support::typical().into_iter().find(|(n, _, _)| *n == name);
    found.map(|(_, o, _)| o).expect("a question of this name")
}

fn decide(limits: Limits, question: &Obligation) -> Verdict {
    Solver::with_limits(limits).decide(question)
}

#[divan::bench(args = NAMES)]
fn all_tiers(bencher: Bencher, name: &str) {
    let question = question(name);
    bencher.bench(|| decide(Limits { cache: false, ..Limits::default() }, &question));
}

#[divan::bench(args = NAMES)]
fn z3_alone(bencher: Bencher, name: &str) {
    let question = question(name);
    let limits = Limits { cache: false, first: Tier::Quantified, steps: 300_000 };
    bencher.bench(|| decide(limits, &question));
}

#[divan::bench(args = NAMES)]
fn cached(bencher: Bencher, name: &str) {
    let question = question(name);
    let solver = Solver::new();
    solver.decide(&question);
    bencher.bench_local(|| solver.decide(&question));
}

/// Every typical obligation once.
#[divan::bench]
fn typical_together(bencher: Bencher) {
    let questions = support::typical();
    bencher.bench(|| {
        let solver = Solver::with_limits(Limits { cache: false, ..Limits::default() });
        questions.iter().filter(|(_, q, _)| solver.decide(q).is_proved()).count()
    });
}
