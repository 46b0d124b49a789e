//! Theorems 2.1 and 2.2 on random algorithms, schedules and windows.
//!
//! `REWRIGHT_TRIPLES=20000 cargo test --release -p rewright-testsuite --test halide confluence:: -- --nocapture` prints what
//! was covered; `REWRIGHT_INPUTS` is how many windows each schedule is run on; `REWRIGHT_FIRST` is the number of the first
//! schedule, as a failure tells it.

use rayon::prelude::*;
use rewright_campaign::halide::campaign::{Coverage, Plan, run};
use rewright_halide_model::schedule::Rules;

fn number(variable: &str) -> Option<usize> {
    std::env::var(variable).ok().and_then(|s| s.parse().ok())
}

fn campaign(triples: usize) -> Coverage {
    let (inputs, shards) = (number("REWRIGHT_INPUTS").unwrap_or(5), 16);
    let per_shard = (triples / inputs).div_ceil(shards);
    let shards: Vec<Result<Coverage, _>> = (0..shards)
        .into_par_iter()
        .map(|i| {
            let first = number("REWRIGHT_FIRST").unwrap_or(number("REWRIGHT_SEED").unwrap_or(1) * 1_000_000);
            let seed = u64::try_from(first + i * per_shard).expect("a small number");
            run(Plan { seed, schedules: per_shard, inputs, verify_every: 25, rules: Rules::default() })
        })
        .collect();
    let mut all = Coverage::default();
    for shard in shards {
        match shard {
            Ok(coverage) => all.add(coverage),
            Err(found) => panic!("{found}"),
        }
    }
    all
}

/// [rule: halide.confluence] [rule: halide.memory-safety] [rule: halide.verify]
#[test]
fn scheduled_programs_compute_what_their_algorithm_says() {
    let triples = number("REWRIGHT_TRIPLES").unwrap_or(1200);
    let coverage = campaign(triples);
    println!("{coverage}");
    assert!(coverage.triples >= triples);
    let asked = coverage.gave_up.get("asked").copied().unwrap_or(0);
    let alone = coverage.gave_up.get("gave up, the baseline did not").copied().unwrap_or(0);
    assert!(
        alone * 100 <= asked,
        "the baseline knows {alone} of {asked} answers that the tight engine does not"
    );
    assert!(coverage.share("* non-guard tail") >= 50);
    assert!(coverage.share("* update stages") >= 33);
    assert!(coverage.share("* compute-at or store-at inside a split loop") >= 33);
    for feature in [
        "specialize",
        "split",
        "fuse",
        "swap",
        "traverse",
        "parallel",
        "compute-at",
        "store-at",
        "bound",
        "bound-extent",
        "align-bounds",
        "tail guard",
        "tail shift",
        "tail round",
    ] {
        assert!(coverage.share(feature) >= 5, "{feature}: {} %", coverage.share(feature));
    }
    for feature in [
        "in",
        "clone-in",
        "split-rdom",
        "rfactor",
        "specialize-fail",
        "atomic",
        "hoist-storage",
        "fold-storage",
        "tail shift-blend",
        "tail round-blend",
    ] {
        assert!(coverage.features.contains_key(feature), "{feature} is not drawn");
    }
}
