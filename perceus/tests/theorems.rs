//! The theorems of Thesis §4.3 on random closed programs, and on all small ones.
//!
//! `PERCEUS_PROGRAMS=150000 cargo test --release -p rewright-perceus --test theorems -- --nocapture`

mod support;

use rewright_base::rng::Rng;
use rewright_perceus::algorithm;
use rewright_perceus::choice::Every;
use rewright_perceus::declarative::random;
use rewright_perceus::tally::Tally;
use rewright_perceus::theorems::{any, examine, generate, states};
use support::{assert_none, number};

/// [rule: perceus.theorems] [rule: perceus.heap] [rule: perceus.standard] [rule: perceus.reach]
/// [rule: perceus.references] [rule: perceus.sound] [rule: perceus.algorithm] [rule: perceus.declarative]
/// [rule: perceus.distinct] [rule: perceus.stuck] [rule: perceus.syntax]
#[test]
fn random_programs_satisfy_every_theorem() {
    let mut seen = Tally::new();
    let mut wrong = Vec::new();
    for seed in 0..number("PERCEUS_PROGRAMS", 4_000) {
        let mut rng = Rng::new(seed);
        let p = generate::program(&mut rng, 12);
        if let Err(v) = examine(&p, 3, &mut rng, &mut seen) {
            wrong.push(format!("seed {seed}: {v}"));
        }
    }
    println!("{seen}");
    assert_none(wrong);
    let all = seen.get("programs");
    for (what, least) in [
        ("closures that capture", 10),
        ("nested matches", 10),
        ("dup of a shared cell", 4),
        ("unused binders", 2),
        ("SMATCH-BORROWED", 20),
        ("SMATCH-USED", 20),
        ("SCALL", 4),
        ("runs that recurse", 3),
    ] {
        assert!(seen.get(what) * least >= all, "{what}: {} of {all}", seen.get(what));
    }
    assert!(seen.get("ends with a value") > 3 * all && seen.get("stuck") > 0);
}

/// All programs of a few nodes, and all derivations of each with at most one `dup` or `drop` that nobody needs.
#[test]
fn perceus_is_least_on_all_small_programs() {
    let mut every = Every::new();
    let (mut seen, mut programs, mut derivations) = (Tally::new(), 0, 0);
    let budget = 30_000;
    loop {
        let p = generate::program(&mut every, 1);
        if p.main.size() <= 7 {
            programs += 1;
            let perceus = algorithm::translate(&p);
            let least =
                states(&perceus.source, &perceus.program, true, &mut seen).unwrap_or_else(|v| panic!("{v}"));
            let mut others = Every::new();
            for _ in 0..100 {
                let other = random::program(&perceus.source, &mut others, 1);
                any(&perceus, &other, &least, &mut seen).unwrap_or_else(|v| panic!("{v}"));
                derivations += 1;
                if !others.advance() {
                    break;
                }
            }
        }
        if !every.advance() || programs >= budget {
            break;
        }
    }
    println!("{programs} programs, {derivations} derivations");
    assert!(programs > 1_000 && derivations > 10_000, "{programs} programs, {derivations} derivations");
}
