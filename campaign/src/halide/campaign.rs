//! Random confluence: algorithms, schedules and windows against the algorithm's own values.
//! Spec: [rule: halide.confluence].

use super::generate;
use super::schedules::{self, Drawn, is_inside_split};
use crate::rng::Rng;
use rewright_halide_model::alg::{Algorithm, Input};
use rewright_halide_model::bounds::query::query;
use rewright_halide_model::bounds::tight::tight;
use rewright_halide_model::bounds::verify::{Verification, verify_bounds};
use rewright_halide_model::confluence::{Difference, Engine, Verdict, compare, race, reference};
use rewright_halide_model::exec::Stuck;
use rewright_halide_model::exec::fast::Compiled;
use rewright_halide_model::exec::watch::Recorder;
use rewright_halide_model::schedule::{
    self, ComputeAt, Directive, Rules, Sequence, Split, StoreAt, Tail, Traverse, schedule,
};
use rewright_halide_model::text::print;
use rewright_halide_model::tgt::{self, Order, Program};
use rewright_halide_model::valid;
use rewright_halide_model::value::Value;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// What to do.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The first seed.
    pub seed: u64,
    /// How many schedules.
    pub schedules: usize,
    /// How many inputs for each.
    pub inputs: usize,
    /// One schedule in this many has its bounds verified by z3; 0: none.
    pub verify_every: usize,
    /// The restrictions in force.
    pub rules: Rules,
}

impl Plan {
    /// The schedule of one seed, with every restriction in force; its bounds are verified if `verified`.
    pub fn of_seed(seed: u64, inputs: usize, verified: bool) -> Plan {
        Plan { seed, schedules: 1, inputs, verify_every: usize::from(verified), rules: Rules::default() }
    }
}

/// What was covered.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Coverage {
    /// (algorithm, schedule, input) triples.
    pub triples: usize,
    /// How they came out.
    pub outcomes: BTreeMap<String, usize>,
    /// Triples whose schedule has this.
    pub features: BTreeMap<String, usize>,
    /// Directives that were accepted.
    pub accepted: BTreeMap<&'static str, usize>,
    /// Refusals by restriction.
    pub refused: BTreeMap<&'static str, usize>,
    /// Verifications by answer.
    pub verified: BTreeMap<String, usize>,
    /// How many queries the tight engine was asked, and how many of them it could not answer alone.
    pub gave_up: BTreeMap<&'static str, usize>,
}

/// A triple that is not confluent, or whose bounds are wrong.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The seed.
    pub seed: u64,
    /// The algorithm.
    pub algorithm: Arc<Algorithm>,
    /// The schedule, shrunk.
    pub schedule: Vec<Directive>,
    /// The input.
    pub input: Input,
    /// The engine.
    pub engine: Engine,
    /// What is wrong.
    pub what: String,
    /// The completed program.
    pub program: String,
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let p = &self.algorithm;
        writeln!(f, "seed {}, engine {}: {}", self.seed, self.engine.name(), self.what)?;
        write!(
            f,
            "{}{}{}",
            print::algorithm(p),
            schedule::print(&self.schedule),
            print::input(p, &self.input)
        )?;
        write!(f, "{}", self.program)
    }
}

/// Runs a campaign; stops at the first counterexample.
///
/// # Errors
/// The counterexample.
pub fn run(plan: Plan) -> Result<Coverage, Box<Counterexample>> {
    run_on(plan, Source { algorithm: generate::algorithm, schedule: schedules::draw })
}

/// Where algorithms and schedules come from.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// A random algorithm.
    pub algorithm: fn(&mut Rng) -> Algorithm,
    /// A random schedule for it.
    pub schedule: fn(&mut Rng, &Arc<Algorithm>, Rules) -> Drawn,
}

/// Runs a campaign on algorithms and schedules of other generators.
///
/// # Errors
/// The counterexample.
pub fn run_on(plan: Plan, source: Source) -> Result<Coverage, Box<Counterexample>> {
    let mut coverage = Coverage::default();
    for i in 0..plan.schedules {
        let seed = plan.seed.wrapping_add(u64::try_from(i).unwrap_or(0));
        let verify = plan.verify_every > 0 && i % plan.verify_every == 0;
        one(seed, &plan, source, verify, &mut coverage)?;
    }
    Ok(coverage)
}

/// One schedule in this many is given to the third engine as well, which takes seconds.
const ORACLE_EVERY: u64 = 40;

fn one(
    seed: u64,
    plan: &Plan,
    source: Source,
    verify: bool,
    coverage: &mut Coverage,
) -> Result<(), Box<Counterexample>> {
    let mut rng = Rng::new(seed);
    let p = Arc::new((source.algorithm)(&mut rng));
    let wrong = valid::check(&p);
    assert!(
        wrong.is_empty(),
        "the generator made {}: {}",
        wrong.first().map_or("", |d| d.rule),
        print::algorithm(&p)
    );
    let drawn = (source.schedule)(&mut rng, &p, plan.rules);
    for (id, n) in &drawn.refused {
        *coverage.refused.entry(*id).or_default() += n;
    }
    for d in &drawn.schedule {
        *coverage.accepted.entry(d.name()).or_default() += 1;
    }
    let inputs: Vec<Input> = (0..plan.inputs).map(|_| generate::input(&mut rng, &p)).collect();
    let expected: Vec<Option<Vec<Value>>> = inputs.iter().map(|z| reference(&p, z).ok()).collect();
    *coverage.gave_up.entry("asked").or_default() += 1;
    if tight(&drawn.program, &query(&drawn.program)).is_err() {
        let known = Engine::Baseline.complete(&drawn.program).1.is_none();
        let what = if known { "gave up, the baseline did not" } else { "gave up, and so did the baseline" };
        *coverage.gave_up.entry(what).or_default() += 1;
    }
    // The third engine asks z3 a great deal.
    let engines: &[Engine] =
        if seed.is_multiple_of(ORACLE_EVERY) { &Engine::ALL } else { &[Engine::Tight, Engine::Baseline] };
    for &engine in engines {
        let (completed, none) = engine.complete(&drawn.program);
        if none.is_some() {
            *coverage.outcomes.entry(format!("{}: no bounds", engine.name())).or_default() += inputs.len();
            continue;
        }
        let found = |what: String, input: &Input| {
            let shrunk = shrink(&p, &drawn.schedule, input, engine, plan.rules);
            let program = shown(&p, &shrunk, engine, plan.rules)
                .unwrap_or_else(|| tgt::print::program(&completed, None));
            let (algorithm, input) = (p.clone(), input.clone());
            Box::new(Counterexample { seed, algorithm, schedule: shrunk, input, engine, what, program })
        };
        if engine == Engine::Oracle {
            // It answers with nothing that is not verified.
            *coverage.verified.entry("oracle: verified".to_owned()).or_default() += 1;
        } else if verify {
            let answer = verify_bounds(&completed);
            let word = match &answer {
                Verification::Verified(_) => "verified",
                Verification::Unknown(_) => "unknown",
                Verification::Refuted { .. } | Verification::OutOfScope(_) => "wrong",
            };
            *coverage.verified.entry(format!("{}: {word}", engine.name())).or_default() += 1;
            if word == "wrong"
                && let Some(z) = inputs.first()
            {
                return Err(found(format!("wrong bounds: {answer:?}"), z));
            }
        }
        let Ok(code) = Compiled::new(&completed) else {
            return Err(found(
                "the program cannot be compiled".to_owned(),
                inputs.first().unwrap_or(&Input::new(Vec::new(), Vec::new())),
            ));
        };
        for (z, expected) in inputs.iter().zip(&expected) {
            let Some(expected) = expected else { continue };
            let outcome = judge(&completed, &code, z, expected);
            if let Err(what) = &outcome {
                return Err(found(what.clone(), z));
            }
            let word = outcome.unwrap_or_default();
            *coverage.outcomes.entry(format!("{}: {word}", engine.name())).or_default() += 1;
        }
    }
    coverage.triples += inputs.len();
    for feature in features(&p, &drawn) {
        *coverage.features.entry(feature).or_default() += inputs.len();
    }
    Ok(())
}

/// Stores and iterations of one run.
const FUEL: u64 = 1 << 20;

fn judge(t: &Program, code: &Compiled, z: &Input, expected: &[Value]) -> Result<String, String> {
    let mut recorder = Recorder::default();
    let run = code.run_watched(z, FUEL, &mut recorder);
    match compare(z, expected, &run) {
        Verdict::Equal => match race(t, z, &run, &recorder) {
            Some(race) => Err(format!("a race: {race:?}")),
            None => Ok("equal".to_owned()),
        },
        Verdict::AlgorithmError => match run {
            // Memory is safe for every input (Theorem 2.1).
            Err(Stuck::Read(..) | Stuck::Write(..)) => Err(format!("a memory error: {run:?}")),
            _ => Ok("algorithm error".to_owned()),
        },
        Verdict::AssertionFails(_) => Ok("assertion fails".to_owned()),
        Verdict::Different(d @ (Difference::Stuck(_) | Difference::Value { .. } | Difference::Race(_))) => {
            Err(d.to_string())
        }
        Verdict::Unknown(_) => Ok("too much".to_owned()),
    }
}

fn shown(p: &Arc<Algorithm>, s: &[Directive], engine: Engine, rules: Rules) -> Option<String> {
    let t = schedule(p, s, Sequence::Strict, rules).ok()?;
    Some(tgt::print::program(&engine.complete(&t).0, None))
}

/// Whether a schedule still goes wrong on this input.
fn fails(p: &Arc<Algorithm>, s: &[Directive], z: &Input, engine: Engine, rules: Rules) -> bool {
    let Ok(t) = schedule(p, s, Sequence::Strict, rules) else { return false };
    let (completed, _): (Program, _) = engine.complete(&t);
    let (Ok(code), Ok(expected)) = (Compiled::new(&completed), reference(p, z)) else { return true };
    judge(&completed, &code, z, &expected).is_err()
}

/// Drops directives while it still goes wrong.
fn shrink(p: &Arc<Algorithm>, s: &[Directive], z: &Input, engine: Engine, rules: Rules) -> Vec<Directive> {
    let mut s = s.to_vec();
    let mut i = s.len();
    while i > 0 {
        i -= 1;
        let mut less = s.clone();
        less.remove(i);
        if fails(p, &less, z, engine, rules) {
            s = less;
            i = s.len();
        }
    }
    s
}

/// What a schedule has, for the report.
fn features(p: &Algorithm, drawn: &Drawn) -> Vec<String> {
    let s = &drawn.schedule;
    let mut out: Vec<String> = s.iter().map(|d| d.name().to_owned()).collect();
    for d in s {
        if let Directive::Split(Split { tail, factor, .. }) = d {
            out.push(format!("tail {}", tail.name()));
            if *tail != Tail::Guard {
                out.push("* non-guard tail".to_owned());
            }
            if factor.as_i64().is_none() {
                out.push("factor is a parameter".to_owned());
            }
        }
        if let Directive::ComputeAt(ComputeAt { at, .. }) | Directive::StoreAt(StoreAt { at, .. }) = d
            && is_inside_split(s, &drawn.program, *at)
        {
            out.push("* compute-at or store-at inside a split loop".to_owned());
        }
        if let Directive::Traverse(Traverse { order: Order::Parallel, .. }) = d {
            out.push("parallel".to_owned());
        }
    }
    if p.funcs.iter().any(|f| !f.updates.is_empty()) {
        out.push("* update stages".to_owned());
    }
    out.sort();
    out.dedup();
    out
}

impl Coverage {
    /// The share of triples with a feature, in percent.
    pub fn share(&self, feature: &str) -> usize {
        100 * self.features.get(feature).copied().unwrap_or(0) / self.triples.max(1)
    }

    /// Adds another's counts.
    pub fn add(&mut self, other: Coverage) {
        self.triples += other.triples;
        let into = |a: &mut BTreeMap<String, usize>, b: BTreeMap<String, usize>| {
            for (k, n) in b {
                *a.entry(k).or_default() += n;
            }
        };
        into(&mut self.outcomes, other.outcomes);
        into(&mut self.features, other.features);
        into(&mut self.verified, other.verified);
        for (mine, theirs) in [
            (&mut self.gave_up, other.gave_up),
            (&mut self.refused, other.refused),
            (&mut self.accepted, other.accepted),
        ] {
            for (k, n) in theirs {
                *mine.entry(k).or_default() += n;
            }
        }
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} triples", self.triples)?;
        for (title, table) in [("outcomes", &self.outcomes), ("verified", &self.verified)] {
            writeln!(f, "{title}:")?;
            for (k, n) in table {
                writeln!(f, "  {n:7} {k}")?;
            }
        }
        writeln!(f, "queries of the tight engine:")?;
        for (k, n) in &self.gave_up {
            writeln!(f, "  {n:7} {k}")?;
        }
        writeln!(f, "features, in percent of the triples:")?;
        for k in self.features.keys() {
            writeln!(f, "  {:3} % {k}", self.share(k))?;
        }
        for (title, table) in [("accepted directives", &self.accepted), ("refusals", &self.refused)] {
            writeln!(f, "{title}:")?;
            for (k, n) in table {
                writeln!(f, "  {n:7} {k}")?;
            }
        }
        Ok(())
    }
}
