//! How long a rewrite takes, obligations included, and how many are held against the interpreter per second.
//!
//! `cargo bench -p rewright-testsuite --bench primitives`
#![expect(clippy::print_stdout, reason = "a benchmark reports on standard output")]

use rewright_campaign::corpus::{Case, Expect, read};
use rewright_campaign::{Plan, Report, cases};
use rewright_primitives::cursor::path::{Place, Step};
use rewright_primitives::ops::insert_pass::insert_pass;
use rewright_primitives::script;
use rewright_primitives::{Cursor, Proc, ops};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::SourceMap;
use std::path::Path;
use std::time::{Duration, Instant};

fn main() {
    rewrites();
    campaign();
    forwarding();
}

/// The time of each accepted case's script, whose last line is the primitive's.
fn rewrites() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/primitives");
    let mut all = Vec::new();
    println!("{:<24}{:>8}{:>12}{:>12}", "primitive", "cases", "median", "slowest");
    for p in ops::ALL {
        let text = std::fs::read_to_string(folder.join(p.name).with_extension("py")).unwrap_or_default();
        let accepted = read(&text).unwrap_or_default().into_iter().filter(|c| c.expect == Expect::Accept);
        let mut times: Vec<Duration> = accepted.filter_map(|c| time_of(&c)).collect();
        times.sort();
        let Some(slowest) = times.last().copied() else { continue };
        println!("{:<24}{:>8}{:>12.1?}{:>12.1?}", p.name, times.len(), median(&times), slowest);
        all.extend(times);
    }
    all.sort();
    if !all.is_empty() {
        let per_second = 1.0 / median(&all).as_secs_f64().max(1e-9);
        println!(
            "all: median {:.1?} (goal: under 1 ms), {per_second:.0} rewrites per second\n",
            median(&all)
        );
    }
}

/// The time of the last line alone: the whole script's less that of the lines before it; nothing is cached.
fn time_of(case: &Case) -> Option<Duration> {
    let mut sources = SourceMap::new();
    let file = sources.add("case.py", case.text.as_str());
    let module = parse_module(file, &sources, &Prelude::standard()).module;
    let lines = script::parse(file, &case.text).ok()?;
    let (_, earlier) = lines.split_last()?;
    let run = |lines: &[script::Line]| {
        let began = Instant::now();
        std::hint::black_box(script::run(&module, &Prelude::standard(), lines));
        began.elapsed()
    };
    let mut times: Vec<Duration> = (0..7).map(|_| run(&lines).saturating_sub(run(earlier))).collect();
    times.sort();
    Some(median(&times))
}

fn median(sorted: &[Duration]) -> Duration {
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

/// Applications per second on one core, as `rewright fuzz` makes them.
fn campaign() {
    let plan = Plan::of(ops::ALL.to_vec());
    let mut report = Report::default();
    let began = Instant::now();
    for seed in 0..600 {
        assert!(cases(seed, &plan, &mut report).is_empty(), "an accepted rewrite is wrong");
    }
    let seconds = began.elapsed().as_secs_f64();
    #[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "a rate to be read by people")]
    let (tried, accepted) = (report.tried() as f64 / seconds, report.accepted() as f64 / seconds);
    println!(
        "fuzz: {tried:.0} applications per second on one core (goal: 500), {accepted:.0} of them accepted and compared\n"
    );
}

/// A cursor across 10,000 edits.
fn forwarding() {
    let text = "@proc\ndef p(x: f32):\n    x = 1.0\n    x = 2.0\n";
    let mut sources = SourceMap::new();
    let file = sources.add("p.py", text);
    let module = parse_module(file, &sources, &Prelude::standard()).module;
    let first = Proc::root(module.procs[0].clone());
    let c = Cursor::new(&first, Place::Stmt(vec![Step::Body(1)])).expect("the second statement");
    let mut p = first;
    for _ in 0..10_000 {
        let at = Cursor::new(&p, Place::Stmt(vec![Step::Body(0)])).expect("the first statement");
        p = insert_pass(&p, at.before().expect("the gap before it")).expect("nothing stands against it");
    }
    let began = Instant::now();
    let found = p.forward(&c).expect("the statement is still there");
    println!(
        "forwarding across 10,000 edits: {:.2?} (goal: under 5 ms); now at {:?}",
        began.elapsed(),
        found.place()
    );
}
