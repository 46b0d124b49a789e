//! The kernels that are scheduled in Rust: their programs, obligations and C as snapshots, and their C against the
//! plain programs. Spec: [rule: kernels].

use rewright_primitives::Proc;
use rewright_primitives::version::Reason;
use rewright_semantics::pretty::proc_to_string;
use rewright_testsuite::kernels::library::{Definitions, by_primitive, steps_of, unit_of};
use rewright_testsuite::kernels::reference::check;
use rewright_testsuite::kernels::sgemm;
use std::fmt::Write as _;

/// A program, what was required on the way to it, and its C.
fn snapshot(p: &Proc) -> String {
    let mut out = format!("{}\n", proc_to_string(p.ast()));
    for (name, steps, _) in by_primitive(p) {
        writeln!(out, "{steps:>4} {name}").expect("text");
    }
    let mut required: Vec<String> = Vec::new();
    for step in steps_of(p) {
        for c in &step.discharged {
            if let Reason::Solver { obligation, .. } = &c.by {
                required.push(format!("{}.{}: {}", step.primitive, c.condition, obligation.sentence));
            }
        }
    }
    writeln!(out, "{} conditions proved by the solver, such as", required.len()).expect("text");
    required.sort();
    required.dedup_by(|a, b| a.split(':').next() == b.split(':').next());
    required.iter().for_each(|r| writeln!(out, "  {r}").expect("text"));
    out + "\n" + &unit_of(p.name().as_str(), p).source
}

#[test]
fn the_micro_kernel_of_sgemm() {
    let d = Definitions::of(sgemm::SOURCE);
    insta::assert_snapshot!(snapshot(&sgemm::micro_kernel(&d).expect("the schedule")));
}

#[test]
fn an_edge_of_sgemm() {
    let d = Definitions::of(sgemm::SOURCE);
    insta::assert_snapshot!(snapshot(&sgemm::edge_kernel(&d, 5, 3).expect("the schedule")));
}

#[test]
fn sgemm_is_the_plain_product() {
    let d = Definitions::of(sgemm::SOURCE);
    let plain = d.proc("sgemm");
    let fast = sgemm::sgemm(&d).expect("the schedule");
    let checked = check(&plain, &fast, 500).expect("they agree");
    println!("{checked:?}");
    assert!(checked.shapes == 500 && checked.cells > 100_000, "{checked:?}");
}
