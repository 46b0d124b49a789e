//! `rewright fuzz`.

use crate::args::Fuzz;
use crate::output::{Outcome, complain, draws_progress, error, no_answer, put, say};
use crate::primitives::chosen;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use rewright_backends::toolchain::Compiler;
use rewright_campaign::{
    Accepted, Compiled, Failure, Plan, Report, Row, cases, compiled, sampled, saved, shrunk,
};
use rewright_primitives::registry::Registry;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// Seeds of one round: between rounds time and failures are looked at.
const ROUND: u64 = 64;
/// Programs without a single case, at most.
const MOST_BARREN: u64 = 20_000;
/// Candidates when a failure is made small.
const SHRINK: usize = 2_000;
/// Rewrites in one shared object, about.
const BATCH: usize = 96;
/// Stack of a worker: programs are walked recursively.
const STACK: usize = 1 << 26;

/// Tries primitives at random.
pub(crate) fn fuzz(args: &Fuzz, known: &Registry) -> Outcome {
    let drawn = match &args.primitive {
        None => known.all().to_vec(),
        Some(name) => match chosen(name, known) {
            Ok(p) => vec![p],
            Err(outcome) => return outcome,
        },
    };
    let pool = match rayon::ThreadPoolBuilder::new().stack_size(STACK).build() {
        Ok(pool) => pool,
        Err(why) => return error(&format!("cannot start threads: {why}")),
    };
    let compiler = Compiler::available().into_iter().next();
    if args.c > 0 && compiler.is_none() {
        return no_answer("there is no C compiler, which --c needs");
    }
    let began = Instant::now();
    let mut run = Run { args, plan: Plan::of(drawn), compiler, done: Done::default() };
    let failure = pool.install(|| run.campaign());
    finish(args, &run.done, failure, began.elapsed())
}

/// A campaign under way.
struct Run<'a> {
    args: &'a Fuzz,
    plan: Plan,
    compiler: Option<Compiler>,
    done: Done,
}

/// What has been covered.
#[derive(Default)]
struct Done {
    report: Report,
    compiled: Compiled,
    /// Accepted rewrites that are still to be compiled.
    waiting: Vec<Accepted>,
}

/// What a seed was good for.
type Part = (Report, Option<Failure>, Option<Accepted>);

impl Run<'_> {
    fn campaign(&mut self) -> Option<Failure> {
        let bar = progress(self.args.cases);
        let began = Instant::now();
        let limit = self.args.time.map(Duration::from_secs);
        let mut next = self.args.shard.index;
        let mut programs = 0_u64;
        let failure = loop {
            // A primitive may ask for what no program has.
            if self.args.cases == 0 || (self.done.report.tried() == 0 && programs >= MOST_BARREN) {
                break None;
            }
            let round = self.programs();
            programs = programs.saturating_add(round);
            let seed = |k: u64| {
                self.args.seed.wrapping_add(next).wrapping_add(k.wrapping_mul(self.args.shard.count))
            };
            let seeds: Vec<u64> = (0..round).map(seed).collect();
            next = next.wrapping_add(round.wrapping_mul(self.args.shard.count));
            let keep = self.wants_more();
            let parts: Vec<Part> = seeds.into_par_iter().map(|seed| one(seed, &self.plan, keep)).collect();
            let mut found = parts.into_iter().filter_map(|part| self.take(part)).take(1);
            if let Some(failure) = found.next() {
                break Some(failure);
            }
            drop(found);
            let tried = self.done.report.tried();
            bar.set_position(tried.min(self.args.cases));
            let over = tried >= self.args.cases || limit.is_some_and(|limit| began.elapsed() >= limit);
            if let Err(failure) = self.compile(over) {
                break Some(*failure);
            }
            if over {
                break None;
            }
        };
        bar.finish_and_clear();
        failure
    }

    /// How many programs the next round has: no more than the cases that are left can need.
    fn programs(&self) -> u64 {
        let left = self.args.cases.saturating_sub(self.done.report.tried());
        let each = u64::try_from(self.plan.attempts).unwrap_or(u64::MAX);
        left.div_ceil(each.max(1)).clamp(1, ROUND)
    }

    fn wants_more(&self) -> bool {
        let waiting = u64::try_from(self.done.waiting.len()).unwrap_or(u64::MAX);
        self.done.compiled.rewrites.saturating_add(waiting) < self.args.c
    }

    fn take(&mut self, (part, failure, accepted): Part) -> Option<Failure> {
        self.done.report.merge(part);
        if self.wants_more() {
            self.done.waiting.extend(accepted);
        }
        failure
    }

    /// Compiles what is waiting, when it is enough or the end.
    fn compile(&mut self, over: bool) -> Result<(), Box<Failure>> {
        let enough = self.done.waiting.len() >= BATCH || (over && !self.done.waiting.is_empty());
        let (true, Some(compiler)) = (enough, &self.compiler) else { return Ok(()) };
        let more = compiled(&std::mem::take(&mut self.done.waiting), compiler)?;
        self.done.compiled.add(more);
        Ok(())
    }
}

/// The cases of one seed.
fn one(seed: u64, plan: &Plan, keep: bool) -> Part {
    let mut report = Report::default();
    let (failures, accepted) =
        if keep { sampled(seed, plan, &mut report) } else { (cases(seed, plan, &mut report), None) };
    (report, failures.into_iter().next(), accepted)
}

fn progress(cases: u64) -> ProgressBar {
    if !draws_progress() {
        return ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} cases, {per_sec}, {eta} left");
    ProgressBar::new(cases).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn finish(args: &Fuzz, done: &Done, failure: Option<Failure>, took: Duration) -> Outcome {
    let (report, in_c) = (&done.report, &done.compiled);
    let failure = failure.map(|f| shrunk(f, SHRINK));
    let millis = took.as_millis().max(1);
    let per_second = u128::from(report.tried()) * 1000 / millis;
    say(report.to_string().trim_end());
    if args.c > 0 {
        say(&in_c.to_string());
    }
    let (tried, accepted) = (report.tried(), report.accepted());
    say(&format!(
        "{tried} cases, {accepted} accepted, in {:.1} s: {per_second} per second",
        took.as_secs_f64()
    ));
    put("cases", tried);
    put("accepted", accepted);
    put("seconds", took.as_secs_f64());
    put("primitives", report.rows.iter().map(|(name, r)| row(name, r)).collect::<Vec<Value>>());
    put("c", json!({ "rewrites": in_c.rewrites, "runs": in_c.runs, "cells": in_c.cells }));
    match failure {
        Some(failure) => {
            put("failure", told(&failure));
            if let Some(dir) = &args.save {
                save(dir, &failure);
            }
            error(&format!("an accepted rewrite is wrong\n{failure}"));
            Outcome::Difference
        }
        None if tried == 0 => no_answer("no program had what the primitives ask for"),
        None => Outcome::Fine,
    }
}

/// Writes a failure as a case of the corpus; one of the same name is kept.
fn save(dir: &Path, failure: &Failure) {
    let case = saved(failure);
    let names = std::iter::once(format!("{}.py", case.name))
        .chain((2_u32..).map(|k| format!("{}-{k}.py", case.name)));
    let Some(path) = names.map(|name| dir.join(name)).find(|path| !path.exists()) else { return };
    if let Err(why) = fs::create_dir_all(dir).and_then(|()| fs::write(&path, case.text)) {
        error(&format!("cannot write {}: {why}", path.display()));
        return;
    }
    say(&format!("saved as {}", path.display()));
    if !case.shows_it {
        complain("the saved case does not show it: no script can say its arguments, or it comes and goes");
    }
    put("saved", path.display().to_string());
}

fn row(name: &str, row: &Row) -> Value {
    let mut told = json!(row);
    told["primitive"] = json!(name);
    told
}

fn told(failure: &Failure) -> Value {
    json!({
        "primitive": failure.primitive.name, "arguments": failure.args, "what": failure.what,
        "before": failure.old.to_string(), "after": failure.new.as_ref().map(ToString::to_string),
    })
}
