//! `rewright halide`.

use crate::args::{Halide, HalideBounds, HalideCheck, HalideCommand, HalideEval, HalideFile};
use crate::input::{name_of, read};
use crate::output::{Outcome, complain, cut, diagnose, error, no_answer, put, say};
use rayon::prelude::*;
use rewright_campaign::halide::cases::{self, Effort, Report};
use rewright_campaign::halide::typed_cases::{self, TypedReport};
use rewright_halide_model::alg::{Algorithm, Input};
use rewright_halide_model::bounds::verify::{Verification, verify_within};
use rewright_halide_model::confluence::{Verdict, judge};
use rewright_halide_model::eval::{EvalError, memo};
use rewright_halide_model::exec::small;
use rewright_halide_model::fold::fold;
use rewright_halide_model::lower::lower;
use rewright_halide_model::schedule::{self, Directive, Rules, Sequence, schedule};
use rewright_halide_model::slide::slide;
use rewright_halide_model::tgt::{Program, print};
use rewright_halide_model::typed::Overflow;
use rewright_halide_model::unmet::Unmet;
use rewright_halide_model::{c, case, text, typed_case, valid};
use rewright_semantics::span::SourceMap;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

mod explain;

pub(crate) fn halide(args: &Halide) -> Outcome {
    match &args.command {
        HalideCommand::Check(c) => check(c),
        HalideCommand::Eval(c) => eval(c),
        HalideCommand::Lower(c) => lowered(c),
        HalideCommand::Schedule(c) => scheduled(c),
        HalideCommand::Bounds(c) => bounds(c),
        HalideCommand::Explain(c) => explain::explained(c),
        HalideCommand::Diff(c) => crate::halide_diff::diff(c),
    }
}

/// How many bytes of one fault, refusal or allocation are told.
const MAX_TOLD: usize = 2_000;
/// How many faults and allocations of one case are told.
const MAX_FAULTS: usize = 20;

fn check(args: &HalideCheck) -> Outcome {
    let effort = Effort { c: !args.no_c, verify: true };
    let texts: Vec<(String, Result<String, String>)> =
        args.files.iter().map(|path| (name_of(path), read(path))).collect();
    let reports: Vec<(String, Result<Checked, String>)> = texts
        .into_par_iter()
        .map(|(name, text)| {
            let report = text.and_then(|text| held(&text, effort).map_err(|why| format!("{name}: {why}")));
            (name, report)
        })
        .collect();
    let (mut worst, mut fine, mut by_rule, mut larger, mut waiting) = (Outcome::Fine, 0, 0, 0, 0);
    let mut rows = Vec::new();
    for (name, report) in &reports {
        match report {
            Err(why) => {
                worst = worst.max(error(&cut(why, MAX_TOLD)));
                rows.push(json!({ "file": name, "ok": false }));
            }
            Ok(Checked::NotCovered(what)) => {
                waiting += 1;
                worst =
                    worst.max(no_answer(&format!("{name}: the model does not have {}", cut(what, MAX_TOLD))));
                rows.push(json!({ "file": name, "ok": false, "not_covered": what }));
            }
            Ok(Checked::Report(report)) => {
                by_rule += usize::from(report.by_rule);
                larger += usize::from(!report.larger.is_empty());
                rows.push(tell(name, report, args.explain));
                if report.faults.is_empty() {
                    fine += 1;
                } else {
                    worst = worst.max(Outcome::Difference);
                }
            }
        }
    }
    put("cases", rows);
    put("fine", fine);
    put("by_rule", by_rule);
    put("larger", larger);
    put("not_covered", waiting);
    let beyond =
        if waiting > 0 { format!(", {waiting} with what the model does not have") } else { String::new() };
    say(&format!(
        "{fine} of {} cases come out as they state; {by_rule} evaluated by the rules themselves, {larger} with larger \
         allocations than recorded{beyond}",
        reports.len()
    ));
    worst
}

/// What became of a case.
enum Checked {
    /// It was held against the model.
    Report(Report),
    /// The model does not have all that is in it.
    NotCovered(String),
}

/// Holds a case against the model, one with types or one without.
fn held(source: &str, effort: Effort) -> Result<Checked, String> {
    let json: Value = serde_json::from_str(source).map_err(|e| e.to_string())?;
    if json.get("schema").and_then(Value::as_i64) != Some(2) {
        return case::read(source).map(|c| Checked::Report(cases::check(&c, effort)));
    }
    let TypedReport { outcome, done, larger, refusal } = typed_cases::check(source, effort);
    let faults = match outcome {
        typed_cases::Outcome::Agrees => Vec::new(),
        typed_cases::Outcome::Differs(faults) => faults,
        typed_cases::Outcome::NotCovered(what) => return Ok(Checked::NotCovered(what)),
    };
    Ok(Checked::Report(Report { faults, done, larger, refusal, by_rule: false }))
}

/// The first of some texts, each cut, and how many more there are.
fn first_of(texts: &[String]) -> Vec<String> {
    let mut out: Vec<String> = texts.iter().take(MAX_FAULTS).map(|t| cut(t, MAX_TOLD)).collect();
    if let Some(more @ 1..) = texts.len().checked_sub(MAX_FAULTS) {
        out.push(format!("… and {more} more"));
    }
    out
}

/// Tells about one case.
fn tell(name: &str, report: &Report, explain: bool) -> Value {
    let (faults, larger) = (first_of(&report.faults), first_of(&report.larger));
    let refusal = report.refusal.as_ref().map(|r| cut(r, MAX_TOLD));
    for fault in &faults {
        error(&format!("{name}: {fault}"));
    }
    for larger in &larger {
        say(&format!("{name}: allocates more, {larger}"));
    }
    if explain {
        say(&format!("{name}: {}", report.done.join(", ")));
        if let Some(refusal) = &refusal {
            say(&format!("{name}: refused\n{refusal}"));
        }
    }
    json!({
        "file": name, "ok": report.faults.is_empty(), "faults": faults, "done": report.done,
        "larger": larger, "refusal": refusal, "by_rule": report.by_rule,
    })
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
    let source = read(path).map_err(|why| error(&why))?;
    let name = name_of(path);
    let mut sources = SourceMap::new();
    // No pipeline begins with a brace.
    let is_case = path.extension().is_some_and(|e| e == "json") || source.trim_start().starts_with('{');
    let as_text = if is_case && source.contains("\"schema\": 2") {
        let case = typed_case::read(&source).map_err(|e| error(&format!("{name}: {e}")))?;
        let p = &case.pipeline;
        text::print::algorithm(&p.algorithm)
            + &schedule::print(&p.schedule)
            + &text::print::input(&p.algorithm, &p.input)
    } else if is_case {
        let case = case::read(&source).map_err(|e| error(&format!("{name}: {e}")))?;
        let p = &case.algorithm;
        text::print::algorithm(p) + &schedule::print(&case.schedule) + &text::print::input(p, &case.input)
    } else {
        source
    };
    let file = sources.add(name, as_text);
    let parsed = text::parse(file, &sources).map_err(|d| {
        diagnose(&[d], &sources);
        Outcome::WrongInput
    })?;
    let found = valid::check(&parsed.algorithm);
    if !found.is_empty() {
        diagnose(&found, &sources);
        return Err(Outcome::WrongInput);
    }
    let place = |span| {
        let (line, column) = sources.line_col(span)?;
        (!is_case).then(|| format!("{}:{line}:{column}", name_of(path)))
    };
    let places = parsed.schedule.iter().filter_map(|(_, span)| place(*span)).collect();
    let schedule = parsed.schedule.into_iter().map(|(d, _)| d).collect();
    Ok(Pipeline { algorithm: Arc::new(parsed.algorithm), schedule, places, input: parsed.input })
}

fn apply(p: &Pipeline, strict: bool) -> Result<Program, Outcome> {
    let sequence = if strict { Sequence::Strict } else { Sequence::Sorted };
    schedule(&p.algorithm, &p.schedule, sequence, Rules::default()).map_err(|refusal| {
        let at = p.schedule.iter().position(|d| Some(d) == refusal.directive.as_ref());
        error(&p.placed(at, &refusal.to_string()));
        Outcome::Refused
    })
}

impl Pipeline {
    /// A refusal with the place of the directive behind its first line.
    fn placed(&self, directive: Option<usize>, text: &str) -> String {
        match (directive.and_then(|i| self.places.get(i)), text.split_once('\n')) {
            (Some(place), Some((first, rest))) => format!("{first}\n --> {place}\n{rest}"),
            (Some(_) | None, _) => text.to_owned(),
        }
    }

    /// What is not proved, with the place of the directive that asks for it.
    fn unmet(&self, why: &Unmet) -> String {
        let slides = why.condition.id.starts_with("slide.");
        let asks = |d: &Directive| {
            let of = |func, var| (func, var) == (why.func, why.var);
            matches!(d, Directive::Slide(d) if slides && of(d.func, d.var))
                || matches!(d, Directive::FoldStorage(d) if !slides && of(d.func, d.var))
        };
        self.placed(self.schedule.iter().position(asks), &why.to_string())
    }
}

fn or_outcome(done: Result<(), Outcome>) -> Outcome {
    done.err().unwrap_or(Outcome::Fine)
}

fn lowered(args: &HalideFile) -> Outcome {
    or_outcome(load(&args.file).map(|p| show(&lower(&p.algorithm))))
}

fn scheduled(args: &HalideFile) -> Outcome {
    or_outcome(load(&args.file).and_then(|p| apply(&p, args.strict)).map(|t| show(&t)))
}

fn show(t: &Program) {
    let text = print::program(t, None);
    say(&text);
    put("program", text);
}

/// The completed program, and whether its bounds are verified. Spec: [rule: cli.codes].
fn bounds(args: &HalideBounds) -> Outcome {
    let pipeline = &args.run.pipeline;
    or_outcome(load(&pipeline.file).and_then(|p| {
        let t = apply(&p, pipeline.strict)?;
        let (completed, none) = args.run.engine.engine().complete(&t);
        let folded = proved(&p, &completed)?;
        match args.c.then(|| c::unit(&folded)) {
            Some(Ok(unit)) => {
                say(&unit);
                put("c", unit);
            }
            // What follows says why.
            Some(Err(c::NoC::Unbounded)) => {}
            Some(Err(why @ (c::NoC::Wide | c::NoC::Circle))) => return Err(no_answer(&why.to_string())),
            None => show(&folded),
        }
        if let Some(none) = none {
            put("verification", "no bounds");
            return Err(no_answer(&none.to_string()));
        }
        if args.proof.no_verify {
            put("verification", "left out");
            return Ok(());
        }
        verified(verify_within(&completed, args.proof.time()))
    }))
}

/// Tells what was to slide, or to be stored in a circle, and may not: [rule: halide.slide], [rule: halide.fold]. A fold that is
/// not decided is asserted when the program runs; what is left of it is the program without the others.
fn proved(p: &Pipeline, completed: &Program) -> Result<Program, Outcome> {
    let (_, unslid) = slide(completed);
    let (folded, unmet) = fold(completed);
    let (refuted, undecided): (Vec<_>, Vec<_>) = unmet.into_iter().partition(|u| !u.model.is_empty());
    for why in undecided {
        complain(&format!("asserted when it runs: {}", p.unmet(&why)));
    }
    let refused = [unslid, refuted].concat();
    for why in &refused {
        error(&p.unmet(why));
    }
    if refused.is_empty() { Ok(folded) } else { Err(Outcome::Refused) }
}

fn verified(v: Verification) -> Result<(), Outcome> {
    match v {
        Verification::Verified(n) => {
            put("verification", "verified");
            put("demands", n);
            complain(&format!("verified: {n} demands are met for all inputs"));
            Ok(())
        }
        Verification::Unknown(what) => {
            put("verification", "unknown");
            Err(no_answer(&format!("not verified: the solver gave up on {what}")))
        }
        Verification::Refuted { demand, model } => {
            put("verification", "refuted");
            let at: Vec<String> = model.iter().map(|(x, v)| format!("{x} = {v}")).collect();
            error(&format!("wrong bounds: {demand} is not met, for example when {}", at.join(", ")));
            Err(Outcome::Difference)
        }
        Verification::OutOfScope(what) => {
            put("verification", "out of scope");
            error(&format!("wrong bounds: {what} is out of scope"));
            Err(Outcome::Difference)
        }
    }
}

/// Windows of more points are not evaluated.
const MOST_POINTS: i64 = 1 << 24;

/// The values of the algorithm, and whether the scheduled program agrees. Spec: [rule: cli.codes].
fn eval(args: &HalideEval) -> Outcome {
    let overflow = if args.checked { Overflow::Check } else { Overflow::Wrap };
    let args = &args.run;
    or_outcome(load(&args.pipeline.file).and_then(|p| {
        let Some(z) = &p.input else { return Err(error("there is no `realize(…)`")) };
        let points = z.window.iter().try_fold(1_i64, |n, (_, len)| n.checked_mul(*len));
        if points.is_none_or(|n| n > MOST_POINTS) {
            return Err(no_answer(&format!("the window has more than {MOST_POINTS} points")));
        }
        let expected = memo::realize(&p.algorithm, z, overflow).map_err(|e| match e {
            EvalError::TooLong => no_answer(&e.to_string()),
            EvalError::Unbound(_)
            | EvalError::Undefined(_)
            | EvalError::Arity
            | EvalError::DoesNotFit(_)
            | EvalError::Input(..)
            | EvalError::Typed(_) => error(&e.to_string()),
        })?;
        let mut values = Vec::new();
        let asked = p.algorithm.points(z);
        let points = asked.iter().flat_map(|(f, points)| points.iter().map(move |y| (f, y)));
        for ((f, point), v) in points.zip(&expected) {
            say(&format!("{f}{point:?} = {v}"));
            values.push(json!({ "func": f.to_string(), "at": point, "value": v.to_string() }));
        }
        put("func", p.algorithm.output.to_string());
        put("values", values);
        let t = apply(&p, args.pipeline.strict)?;
        let (completed, _) = args.engine.engine().complete(&t);
        proved(&p, &completed)?;
        required(&p.algorithm, &completed, z);
        agrees(judge(&completed, z, &expected))
    }))
}

/// Steps until the regions of the inputs are known.
const REQUIRED: u64 = 1 << 22;

/// Tells what is asked of the input buffers. [rule: halide.input]
fn required(p: &Algorithm, completed: &Program, z: &Input) {
    let Ok(regions) = small::required(completed, z, REQUIRED) else { return };
    let mut rows = Vec::new();
    for (i, region) in p.inputs.iter().zip(&regions).filter(|(i, _)| i.rank > 0) {
        let dims: Vec<String> = region.iter().map(|(min, len)| format!("({min}, {len})")).collect();
        complain(&format!("input `{}` must have the region {}", i.name, dims.join(", ")));
        rows.push(json!({ "input": i.name.to_string(), "region": region }));
    }
    if !rows.is_empty() {
        put("required", rows);
    }
}

/// Whether the scheduled program computes what the algorithm says.
fn agrees(v: Verdict) -> Result<(), Outcome> {
    let (word, outcome) = match v {
        Verdict::Equal => {
            complain("the scheduled program computes the same");
            ("equal", Outcome::Fine)
        }
        Verdict::AlgorithmError => ("algorithm error", error("the algorithm has an error value here")),
        Verdict::AssertionFails(s) => ("stops", no_answer(&format!("the scheduled program stops: {s}"))),
        Verdict::Different(d) => {
            error(&d.to_string());
            ("different", Outcome::Difference)
        }
        Verdict::Unknown(why) => ("unknown", no_answer(&why)),
    };
    put("verdict", word);
    if outcome == Outcome::Fine { Ok(()) } else { Err(outcome) }
}
