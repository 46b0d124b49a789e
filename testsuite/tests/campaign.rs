//! Whatever a primitive accepts is equivalent, by the interpreter. Spec: [rule: campaign].

use rewright_primitives::ops;
use rewright_testsuite::campaign::{Plan, Report, cases, shrunk};

#[test]
fn what_is_accepted_is_equivalent() {
    let programs: u64 = std::env::var("REWRIGHT_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(2_000);
    // One primitive alone, or all.
    let only = std::env::var("REWRIGHT_PRIMITIVE").ok();
    let chosen = ops::ALL.iter().copied().filter(|p| only.as_ref().is_none_or(|name| name == p.name));
    let plan = Plan::of(chosen.collect());
    let mut report = Report::default();
    for seed in 0..programs {
        if let Some(failure) = cases(seed, &plan, &mut report).into_iter().next() {
            panic!("seed {seed}: {}", shrunk(failure, 400));
        }
    }
    println!("{report}");
    for primitive in &plan.primitives {
        let accepted = report.rows.get(primitive.name).is_some_and(|row| row.accepted > 0);
        assert!(accepted, "`{}` was never accepted", primitive.name);
    }
}
