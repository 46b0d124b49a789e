//! `rewright fuzz`.

use crate::args::Fuzz;
use crate::output::{Outcome, complain, error, say};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use rewright_primitives::{ops, session};
use rewright_testsuite::campaign::{Failure, Plan, Report, cases, shrunk};
use serde_json::json;
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

/// Seeds of one round: between rounds time and failures are looked at.
const ROUND: u64 = 64;
/// Candidates when a failure is made small.
const SHRINK: usize = 2_000;
/// Stack of a worker: programs are walked recursively.
const STACK: usize = 1 << 26;

/// Tries primitives at random.
pub(crate) fn fuzz(args: &Fuzz) -> Outcome {
    let chosen = match &args.primitive {
        None => ops::ALL.to_vec(),
        Some(name) => match ops::by_name(name) {
            Some(p) => vec![p],
            None => {
                return error(&format!("there is no primitive `{name}`; `rewright primitives` lists them"));
            }
        },
    };
    let pool = match rayon::ThreadPoolBuilder::new().stack_size(STACK).build() {
        Ok(pool) => pool,
        Err(why) => return error(&format!("cannot start threads: {why}")),
    };
    let began = Instant::now();
    let (report, failure) = pool.install(|| campaign(args, &Plan::of(chosen)));
    finish(args, &report, failure, began.elapsed())
}

fn campaign(args: &Fuzz, plan: &Plan) -> (Report, Option<Failure>) {
    let bar = progress(args.cases);
    let began = Instant::now();
    let limit = args.time.map(Duration::from_secs);
    let mut report = Report::default();
    let mut next = args.shard.index;
    loop {
        let seeds: Vec<u64> = (0..ROUND).map(|k| args.seed + next + k * args.shard.count).collect();
        next += ROUND * args.shard.count;
        let parts: Vec<(Report, Option<Failure>)> =
            seeds.into_par_iter().map(|seed| one(seed, plan)).collect();
        for (part, failure) in parts {
            report.merge(part);
            if failure.is_some() {
                bar.finish_and_clear();
                return (report, failure);
            }
        }
        bar.set_position(report.tried().min(args.cases));
        if report.tried() >= args.cases || limit.is_some_and(|limit| began.elapsed() >= limit) {
            bar.finish_and_clear();
            return (report, None);
        }
    }
}

/// The cases of one seed, with nothing left over from others.
fn one(seed: u64, plan: &Plan) -> (Report, Option<Failure>) {
    session::reset();
    let mut report = Report::default();
    let failure = cases(seed, plan, &mut report).into_iter().next();
    (report, failure)
}

fn progress(cases: u64) -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} cases, {per_sec}, {eta} left");
    ProgressBar::new(cases).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn finish(args: &Fuzz, report: &Report, failure: Option<Failure>, took: Duration) -> Outcome {
    let failure = failure.map(|f| shrunk(f, SHRINK));
    let millis = took.as_millis().max(1);
    let per_second = u128::from(report.tried()) * 1000 / millis;
    if args.json {
        let rows: Vec<_> = report
            .rows
            .iter()
            .map(|(name, row)| {
                json!({
                    "primitive": name, "tried": row.tried, "accepted": row.accepted, "compared": row.compared,
                    "silent": row.silent, "refused": row.refused, "wrong": row.wrong,
                })
            })
            .collect();
        let found = failure.as_ref().map(ToString::to_string);
        say(&json!({ "cases": report.tried(), "seconds": took.as_secs_f64(), "primitives": rows, "failure": found }).to_string());
    } else {
        say(&report.to_string());
        let (tried, accepted) = (report.tried(), report.accepted());
        say(&format!(
            "{tried} cases, {accepted} accepted, in {:.1} s: {per_second} per second",
            took.as_secs_f64()
        ));
    }
    match failure {
        Some(failure) => {
            if !args.json {
                complain(&format!("error: an accepted rewrite is wrong\n{failure}"));
            }
            Outcome::Difference
        }
        None => Outcome::Fine,
    }
}
