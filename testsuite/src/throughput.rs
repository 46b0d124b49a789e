//! Throughput, in the units of the project's goals.

#![expect(clippy::print_stdout, reason = "benchmarks print what they measured")]

use std::hint::black_box;
use std::time::{Duration, Instant};

/// How many runs are timed, at least.
const RUNS: usize = 15;

/// How long is timed, at least.
const TIME: Duration = Duration::from_secs(2);

/// What is counted, and how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes of source text.
    Bytes,
    /// Statement instances of the interpreter.
    Statements,
    /// Points of funcs.
    Points,
}

impl Unit {
    fn name(self) -> &'static str {
        match self {
            Unit::Bytes => "MB/s",
            Unit::Statements => "million statement instances/s",
            Unit::Points => "million points/s",
        }
    }
}

/// Whether the command line asks for this: it names no benchmark, or a part of this one's name.
fn wanted(what: &str) -> bool {
    let names: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    names.is_empty() || names.iter().any(|n| what.contains(n.as_str()))
}

/// Times `run`, which handles `amount` of a unit, and prints the median of its throughput, the range of it,
/// and the goal, in millions of the unit per second. The time to free what `run` returns is not counted.
pub fn measure<T>(what: &str, unit: Unit, amount: usize, goal: Option<f64>, mut run: impl FnMut() -> T) {
    if !wanted(what) {
        return;
    }
    drop(black_box(run()));
    let (mut times, start) = (Vec::new(), Instant::now());
    while times.len() < RUNS || start.elapsed() < TIME {
        let start = Instant::now();
        let made = black_box(run());
        times.push(start.elapsed());
        drop(made);
    }
    times.sort_unstable();
    let amount = u32::try_from(amount).map_or(f64::INFINITY, f64::from);
    let rate = |at: usize| times.get(at).map_or(0.0, |t| amount / 1e6 / t.as_secs_f64());
    let goal = goal.map_or(String::new(), |g| {
        let met = if rate(times.len() / 2) >= g { "met" } else { "missed" };
        format!(", goal >= {g} ({met})")
    });
    println!(
        "{what}: {:.1} {}{goal}, from {:.1} to {:.1} in {} runs",
        rate(times.len() / 2),
        unit.name(),
        rate(times.len() - 1),
        rate(0),
        times.len()
    );
}
