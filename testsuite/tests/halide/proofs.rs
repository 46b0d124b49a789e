//! How many of the bounds that the tight engine finds for random schedules are verified, and in what time.
//!
//! `REWRIGHT_PROOFS=200 cargo test -p rewright-testsuite --test halide proofs:: -- --nocapture` prints it; `REWRIGHT_SEED` is
//! the first seed.

use rayon::prelude::*;
use rewright_campaign::halide::{generate, schedules};
use rewright_campaign::rng::Rng;
use rewright_halide_model::bounds::verify::{Verification, verify_bounds, verify_within};
use rewright_halide_model::confluence::Engine;
use rewright_halide_model::schedule::Rules;
use rewright_halide_model::tgt::Program;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().and_then(|s| s.parse().ok())
}

/// A random schedule with the tight engine's bounds, if there are any.
fn completed(seed: u64) -> Option<Program> {
    let mut rng = Rng::new(seed);
    let p = Arc::new(generate::algorithm(&mut rng));
    let drawn = schedules::draw(&mut rng, &p, Rules::default());
    let (completed, none) = Engine::Tight.complete(&drawn.program);
    none.is_none().then_some(completed)
}

/// How long a processor has worked for this thread: other work on the machine does not count.
fn processor() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = text.split_whitespace().next().and_then(|n| n.parse().ok());
    Duration::from_nanos(nanos.unwrap_or(0))
}

/// [rule: halide.verify.share]
#[test]
fn nearly_all_random_bounds_are_verified() {
    let (from, n) = (number("REWRIGHT_SEED").unwrap_or(0), number("REWRIGHT_PROOFS").unwrap_or(120));
    let found: Vec<(u64, Duration, Verification)> = (from..from + n)
        .into_par_iter()
        .filter_map(|seed| {
            let program = completed(seed)?;
            let start = processor();
            let answer = verify_bounds(&program);
            Some((seed, processor().saturating_sub(start), answer))
        })
        .collect();
    for (seed, time, answer) in &found {
        match answer {
            Verification::Verified(_) if time.as_secs() < 1 => {}
            Verification::Verified(_) => println!("{seed}: verified in {time:.1?}"),
            Verification::Unknown(what) => println!("{seed}: no answer after {time:.1?}: {what}"),
            Verification::Refuted { .. } | Verification::OutOfScope(_) => panic!("{seed}: {answer:?}"),
        }
    }
    let verified: Vec<Duration> =
        found.iter().filter(|(_, _, a)| a.is_verified()).map(|(_, t, _)| *t).collect();
    let mut times = verified.clone();
    times.sort();
    let quick = times.iter().filter(|t| t.as_secs() < 1).count();
    println!(
        "{} bounds, {} verified, {quick} in less than a second; median {:?}, longest {:?}",
        found.len(),
        verified.len(),
        times.get(times.len() / 2),
        times.last()
    );
    assert!(verified.len() * 100 >= found.len() * 98);
}

/// [rule: halide.verify.share]
#[test]
fn verification_ends_in_time() {
    // Half a minute without a limit.
    let program = completed(72).expect("it has bounds");
    let start = Instant::now();
    let answer = verify_within(&program, Some(Duration::from_millis(200)));
    assert!(matches!(answer, Verification::Unknown(_)), "{answer:?}");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}
