//! Whatever a primitive accepts is equivalent, by the interpreter. Spec: [rule: campaign].

use rewright_primitives::ops;
use rewright_testsuite::campaign::{Plan, Report, cases, shrunk};

#[test]
fn what_is_accepted_is_equivalent() {
    let programs: u64 = std::env::var("REWRIGHT_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(2_000);
    let plan = Plan::of(ops::ALL.to_vec());
    let mut report = Report::default();
    for seed in 0..programs {
        if let Some(failure) = cases(seed, &plan, &mut report).into_iter().next() {
            panic!("seed {seed}: {}", shrunk(failure, 400));
        }
    }
    println!("{report}");
    for (name, row) in &report.rows {
        assert!(row.accepted > 0, "`{name}` was never accepted");
    }
}
