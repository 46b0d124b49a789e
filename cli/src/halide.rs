//! `rewright halide`.

use crate::args::{Halide, HalideBounds, HalideCheck, HalideCommand, HalideEval, HalideFile};
use crate::output::{Outcome, color, complain, error, say};
use rayon::prelude::*;
use rewright_halide_model::alg::{Algorithm, Input};
use rewright_halide_model::bounds::verify::{Verification, verify_bounds};
use rewright_halide_model::confluence::{Verdict, compare, execute};
use rewright_halide_model::eval::memo;
use rewright_halide_model::exec::watch::Recorder;
use rewright_halide_model::lower::lower;
use rewright_halide_model::schedule::{Directive, Rules, Sequence, schedule};
use rewright_halide_model::tgt::{Program, print};
use rewright_halide_model::typed::Overflow;
use rewright_halide_model::{c, case, text, valid};
use rewright_semantics::render::render;
use rewright_semantics::span::SourceMap;
use rewright_testsuite::halide::cases::{self, Effort, Report};
use std::path::Path;
use std::sync::Arc;

pub(crate) fn halide(args: &Halide) -> Outcome {
    match &args.command {
        HalideCommand::Check(c) => check(c),
        HalideCommand::Eval(c) => eval(c),
        HalideCommand::Lower(c) => lowered(c),
        HalideCommand::Schedule(c) => scheduled(c),
        HalideCommand::Bounds(c) => bounds(c),
    }
}

fn check(args: &HalideCheck) -> Outcome {
    let effort = Effort { c: !args.no_c, verify: true };
    let reports: Vec<(String, Result<Report, String>)> = args
        .files
        .par_iter()
        .map(|path| {
            let read =
                std::fs::read_to_string(path).map_err(|e| e.to_string()).and_then(|text| case::read(&text));
            (path.display().to_string(), read.map(|c| cases::check(&c, effort)))
        })
        .collect();
    let (mut worst, mut fine, mut by_rule, mut larger) = (Outcome::Fine, 0, 0, 0);
    for (path, report) in &reports {
        match report {
            Err(why) => {
                complain(&format!("{path}: {why}"));
                worst = worst.max(Outcome::WrongInput);
            }
            Ok(report) => {
                by_rule += usize::from(report.by_rule);
                larger += usize::from(!report.larger.is_empty());
                if tell(path, report, args.explain) {
                    fine += 1;
                } else {
                    worst = worst.max(Outcome::Difference);
                }
            }
        }
    }
    say(&format!(
        "{fine} of {} cases come out as they state; {by_rule} evaluated by the rules themselves, {larger} with larger \
         allocations than recorded",
        reports.len()
    ));
    worst
}

/// Tells about one case; whether it came out as it states.
fn tell(path: &str, report: &Report, explain: bool) -> bool {
    for fault in &report.faults {
        complain(&format!("{path}: {fault}"));
    }
    for larger in &report.larger {
        say(&format!("{path}: allocates more, {larger}"));
    }
    if explain {
        say(&format!("{path}: {}", report.done.join(", ")));
        if let Some(refusal) = &report.refusal {
            say(&format!("{path}: refused\n{refusal}"));
        }
    }
    report.faults.is_empty()
}

/// A pipeline that was read.
struct Pipeline {
    algorithm: Arc<Algorithm>,
    schedule: Vec<Directive>,
    /// Where each directive is written; nothing for cases in JSON.
    places: Vec<String>,
    input: Option<Input>,
}

/// Reads a case in JSON or a text, and checks the algorithm.
fn load(path: &Path) -> Result<Pipeline, Outcome> {
    let source = std::fs::read_to_string(path).map_err(|e| error(&format!("{}: {e}", path.display())))?;
    let mut sources = SourceMap::new();
    let is_case = path.extension().is_some_and(|e| e == "json");
    let as_text = if is_case {
        let case = case::read(&source).map_err(|e| error(&format!("{}: {e}", path.display())))?;
        let p = &case.algorithm;
        text::print::algorithm(p)
            + &text::print::schedule(&case.schedule)
            + &text::print::input(p, &case.input)
    } else {
        source
    };
    let file = sources.add(path.display().to_string(), as_text);
    let parsed = text::parse(file, &sources).map_err(|d| {
        complain(&render(&[d], &sources, color()));
        Outcome::WrongInput
    })?;
    let found = valid::check(&parsed.algorithm);
    if !found.is_empty() {
        complain(&render(&found, &sources, color()));
        return Err(Outcome::WrongInput);
    }
    let place = |span| {
        let (line, column) = sources.line_col(span)?;
        (!is_case).then(|| format!("{}:{line}:{column}", path.display()))
    };
    let places = parsed.schedule.iter().filter_map(|(_, span)| place(*span)).collect();
    let schedule = parsed.schedule.into_iter().map(|(d, _)| d).collect();
    Ok(Pipeline { algorithm: Arc::new(parsed.algorithm), schedule, places, input: parsed.input })
}

fn apply(p: &Pipeline, strict: bool) -> Result<Program, Outcome> {
    let sequence = if strict { Sequence::Strict } else { Sequence::Sorted };
    schedule(&p.algorithm, &p.schedule, sequence, Rules::default()).map_err(|refusal| {
        let at = p.schedule.iter().position(|d| Some(d) == refusal.directive.as_ref());
        let text = refusal.to_string();
        match (at.and_then(|i| p.places.get(i)), text.split_once('\n')) {
            (Some(place), Some((first, rest))) => complain(&format!("error: {first}\n --> {place}\n{rest}")),
            _ => complain(&format!("error: {text}")),
        }
        Outcome::Refused
    })
}

fn or_outcome(done: Result<(), Outcome>) -> Outcome {
    done.err().unwrap_or(Outcome::Fine)
}

fn lowered(args: &HalideFile) -> Outcome {
    or_outcome(load(&args.file).map(|p| say(&print::program(&lower(&p.algorithm), None))))
}

fn scheduled(args: &HalideFile) -> Outcome {
    or_outcome(load(&args.file).and_then(|p| apply(&p, args.strict)).map(|t| say(&print::program(&t, None))))
}

/// The completed program, and whether its bounds are verified.
fn bounds(args: &HalideBounds) -> Outcome {
    let pipeline = &args.run.pipeline;
    or_outcome(load(&pipeline.file).and_then(|p| {
        let t = apply(&p, pipeline.strict)?;
        let (completed, none) = args.run.engine.engine().complete(&t);
        say(&if args.c { c::unit(&completed) } else { print::program(&completed, None) });
        if let Some(none) = none {
            complain(&none.to_string());
        }
        match verify_bounds(&completed) {
            Verification::Verified(n) => complain(&format!("verified: {n} demands are met for all inputs")),
            Verification::Unknown(what) => complain(&format!("not verified: the solver gave up on {what}")),
            wrong @ (Verification::Refuted { .. } | Verification::OutOfScope(_)) => {
                complain(&format!("wrong bounds: {wrong:?}"));
                return Err(Outcome::Difference);
            }
        }
        Ok(())
    }))
}

/// Windows of more points are not evaluated.
const MOST_POINTS: i64 = 1 << 24;

/// The values of the algorithm, and whether the scheduled program agrees.
fn eval(args: &HalideEval) -> Outcome {
    let overflow = if args.checked { Overflow::Check } else { Overflow::Wrap };
    let args = &args.run;
    or_outcome(load(&args.pipeline.file).and_then(|p| {
        let Some(z) = &p.input else { return Err(error("there is no `realize(…)`")) };
        let points = z.window.iter().try_fold(1_i64, |n, (_, len)| n.checked_mul(*len));
        if points.is_none_or(|n| n > MOST_POINTS) {
            return Err(error(&format!("the window has more than {MOST_POINTS} points")));
        }
        let expected = memo::realize(&p.algorithm, z, overflow).map_err(|e| error(&e.to_string()))?;
        for (point, v) in z.points().iter().zip(&expected) {
            say(&format!("{}{point:?} = {v}", p.algorithm.output));
        }
        let t = apply(&p, args.pipeline.strict)?;
        let (completed, _) = args.engine.engine().complete(&t);
        match compare(z, &expected, &execute(&completed, z, &mut Recorder::default())) {
            Verdict::Equal => complain("the scheduled program computes the same"),
            Verdict::AlgorithmError => complain("the algorithm has an error value here"),
            Verdict::AssertionFails(s) => complain(&format!("the scheduled program stops: {s}")),
            Verdict::Different(d) => {
                complain(&d.to_string());
                return Err(Outcome::Difference);
            }
            Verdict::Unknown(why) => complain(&why),
        }
        Ok(())
    }))
}
