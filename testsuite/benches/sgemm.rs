//! The SGEMM: how long its schedule takes, by primitive, and how fast its C is, beside OpenBLAS and the peak.
//! `make bench` fetches OpenBLAS.

#![expect(clippy::print_stdout, reason = "this is a report")]

use rewright_library::definitions::{Definitions, by_primitive, unit_of};
use rewright_library::sgemm;
use rewright_testsuite::kernels::measure::{Measured, measure};
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let d = Definitions::of(sgemm::SOURCE);
    let start = Instant::now();
    let p = sgemm::sgemm(&d).expect("the schedule");
    let took = start.elapsed();
    println!("{:<22} {:>6} {:>11}", "primitive", "steps", "in all");
    for (name, steps, time) in by_primitive([&p]) {
        println!("{name:<22} {steps:>6} {time:>11.1?}");
    }
    let met = if took < Duration::from_millis(200) { "met" } else { "MISSED" };
    println!("the whole SGEMM is scheduled in {took:.0?}, goal under 200 ms ({met})");
    match measure(&unit_of("sgemm", &p)) {
        Ok(found) => report(&found),
        Err(why) => println!("sgemm is not timed: {why}"),
    }
}

fn report(found: &Measured) {
    println!("sgemm, one core, GFLOP/s; multiply-adds alone: {:.1}", found.peak);
    if !found.compared {
        println!("(OpenBLAS is not in .deps: `make bench` fetches it)");
    }
    println!("{:>6} {:>6} {:>6} {:>9} {:>9} {:>7}", "M", "N", "K", "ours", "OpenBLAS", "ratio");
    let mut missed = 0;
    for ([m, n, k], ours, theirs) in &found.rows {
        let ratio = ours / theirs;
        let met = !found.compared || ratio >= 0.9;
        missed += usize::from(!met);
        let mark = if met { "" } else { " MISSED" };
        println!("{m:>6} {n:>6} {k:>6} {ours:>9.1} {theirs:>9.1} {ratio:>7.2}{mark}");
    }
    println!("goal, at least 0.9 of OpenBLAS on every size: missed on {missed} of {}", found.rows.len());
}
