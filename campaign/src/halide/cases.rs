//! Holding a case against the model: by rule, by execution under each engine, by compiled C.
//! Spec: [rule: halide.case].

use super::compiled::{self, Ran};
use rewright_halide_model::alg::Algorithm;
use rewright_halide_model::bounds::verify::{Verification, verify_bounds};
use rewright_halide_model::c::code;
use rewright_halide_model::case::{Case, Formalism, Kind};
use rewright_halide_model::confluence::{Engine, Verdict, compare, execute, reference};
use rewright_halide_model::eval;
use rewright_halide_model::exec::watch::Recorder;
use rewright_halide_model::exec::{Outputs, Stuck, small};
use rewright_halide_model::schedule::{self, Directive, Phase, Rules, Sequence, schedule};
use rewright_halide_model::text::{parse, print};
use rewright_halide_model::tgt::{Claim, Program};
use rewright_halide_model::valid;
use rewright_halide_model::value::Value;
use rewright_semantics::render::render;
use rewright_semantics::span::SourceMap;
use std::sync::Arc;

/// What became of a case.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What is not as the case states.
    pub faults: Vec<String>,
    /// What was done, a word each.
    pub done: Vec<String>,
    /// Where the tight engine allocates more than the practical system: func, ours, theirs.
    pub larger: Vec<String>,
    /// Why it is refused, if it is.
    pub refusal: Option<String>,
    /// Whether the rules were evaluated literally.
    pub by_rule: bool,
}

/// Rules used by literal evaluation, at most.
const FUEL: u64 = 400_000;

/// How a case is checked.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Whether C is compiled and run.
    pub c: bool,
    /// Whether bounds are verified.
    pub verify: bool,
}

/// Checks a case.
pub fn check(case: &Case, effort: Effort) -> Report {
    let mut report = Report::default();
    let refused = refusal(case, &mut report);
    match (case.kind, case.formalism, refused) {
        (Kind::Valid, Formalism::Rejects, Some((_, text))) => report.refusal = Some(text),
        (Kind::Valid, Formalism::Rejects, None) => {
            report.faults.push("the formal rules forbid it, but it is accepted".to_owned());
        }
        (Kind::Valid, _, Some((_, text))) => report.faults.push(format!("refused:\n{text}")),
        (Kind::Valid, _, None) => valid_case(case, effort, &mut report),
        (Kind::Invalid, _, Some((rule, text))) => same_fault(case, &rule, text, &mut report),
        (Kind::Invalid, _, None) => fails_when_run(case, &mut report),
    }
    report
}

/// Which rule refuses a case, and the message.
fn refusal(case: &Case, report: &mut Report) -> Option<(String, String)> {
    let text = print::algorithm(&case.algorithm)
        + &schedule::print(&case.schedule)
        + &print::input(&case.algorithm, &case.input);
    let mut sources = SourceMap::new();
    let file = sources.add(case.name.clone(), text.as_str());
    let (algorithm, found) = match parse(file, &sources) {
        Ok(parsed) => {
            if parsed.algorithm != case.algorithm {
                report.faults.push("the printed algorithm parses to another one".to_owned());
            }
            let found = valid::check(&parsed.algorithm);
            (parsed.algorithm, found)
        }
        // Invalid names of JSON cases need not be printable.
        Err(_) => (case.algorithm.clone(), valid::check(&case.algorithm)),
    };
    if let Some(first) = found.first() {
        return Some((first.rule.to_owned(), render(&found, &sources, false)));
    }
    match schedule(&Arc::new(algorithm), &case.schedule, Sequence::Sorted, Rules::default()) {
        Ok(_) => None,
        Err(refusal) => Some((refusal.restriction.id.to_owned(), refusal.to_string())),
    }
}

/// Words of the practical system's messages, and the rules that are about the same fault.
const FAULTS: &[(&str, &[&str])] = &[
    ("stored outside the parallel", &["schedule.shared-storage"]),
    ("Can't bound variable", &["bound.dimension"]),
    ("invalid location", &["compute-at.dominates", "compute-at.own-loop", "store-at.dominates"]),
    ("both have the name", &["halide.vars-unique"]),
    ("may introduce a race condition", &["traverse.pure"]),
    ("has not yet been defined", &["halide.order", "halide.pure-self"]),
    ("The bounds of the RDom", &["halide.startup"]),
    ("tail strategy", &["split.round-edge", "split.shift-pure-stage"]),
    ("Undefined variable", &["halide.separation", "halide.unbound"]),
    ("recursive references", &["halide.separation"]),
    ("Specialization conditions may not", &["specialize.startup"]),
    ("already used in this Func's schedule", &["schedule.fresh"]),
    ("could not find split dimension", &["schedule.loop"]),
    ("can't reorder RVars", &["swap.reductions"]),
    ("but was defined with", &["halide.arity"]),
];

fn same_fault(case: &Case, rule: &str, text: String, report: &mut Report) {
    let message = case.message.clone().unwrap_or_default();
    let about = FAULTS.iter().find(|(words, _)| message.contains(words));
    match about {
        Some((_, rules)) if rules.contains(&rule) => {}
        Some((_, rules)) => {
            report.faults.push(format!("refused by {rule}, expected one of {rules:?}\n{text}"))
        }
        None => report.faults.push(format!("refused by {rule}, but the case is about: {message}")),
    }
    report.refusal = Some(text);
}

/// An invalid case that only running can refuse: bounds that do not cover what is needed.
fn fails_when_run(case: &Case, report: &mut Report) {
    let Some((t, expected)) = prepared(case, report) else { return };
    let (completed, _) = Engine::Tight.complete(&t);
    let run = execute(&completed, &case.input, &mut Recorder::default());
    let about = case.message.as_deref().is_some_and(|m| m.contains("do not cover"));
    match compare(&case.input, &expected, &run) {
        Verdict::AssertionFails(Stuck::Assertion(Claim::Bounds)) if about => {
            let given = case.schedule.iter().filter(|d| d.phase() == Phase::Bounds);
            let given: Vec<String> = given.map(|d| format!("`{d}`")).collect();
            report.refusal =
                Some(format!("assertion failure: {} does not cover what is needed", given.join(", ")));
        }
        other @ (Verdict::Equal | Verdict::AlgorithmError | Verdict::AssertionFails(_)) => {
            report.faults.push(format!("must be refused, but: {other:?}"));
        }
        other @ (Verdict::Different(_) | Verdict::Unknown(_)) => {
            report.faults.push(format!("must be refused, but: {other:?}"));
        }
    }
}

fn prepared(case: &Case, report: &mut Report) -> Option<(Program, Vec<Value>)> {
    let p: Arc<Algorithm> = Arc::new(case.algorithm.clone());
    let expected = match reference(&p, &case.input) {
        Ok(values) => values,
        Err(e) => {
            report.faults.push(format!("no reference values: {e}"));
            return None;
        }
    };
    let t = schedule(&p, &case.schedule, Sequence::Sorted, Rules::default()).ok()?;
    Some((t, expected))
}

fn valid_case(case: &Case, effort: Effort, report: &mut Report) {
    let Some((t, expected)) = prepared(case, report) else { return };
    values(case, &expected, report);
    for engine in Engine::ALL {
        under(case, engine, &t, &expected, effort, report);
    }
    if effort.c {
        in_c(case, &t, report);
    }
}

/// The algorithm's own values: by rule where that is short, memoised always.
fn values(case: &Case, expected: &[Value], report: &mut Report) {
    match eval::realize(&case.algorithm, &case.input, FUEL) {
        Ok(by_rule) => {
            report.by_rule = true;
            if by_rule != expected {
                report.faults.push("the rules and the memoised evaluator differ".to_owned());
            }
        }
        Err(eval::EvalError::TooLong) => {}
        Err(e) => report.faults.push(format!("evaluation: {e}")),
    }
    let stated: Vec<Value> = match (&case.algorithm_value, &case.expected) {
        (Some(word), _) if word == "rdom-error" => expected.iter().map(|_| Value::RDOM).collect(),
        (_, Some(values)) => values.iter().map(|v| Value::int(*v)).collect(),
        _ => return report.faults.push("the case states no values".to_owned()),
    };
    if stated != expected {
        report.faults.push(format!("the algorithm gives {expected:?}, the case states {stated:?}"));
    }
    report.done.push("evaluated".to_owned());
}

fn under(case: &Case, engine: Engine, t: &Program, expected: &[Value], effort: Effort, report: &mut Report) {
    let (completed, none) = engine.complete(t);
    let name = engine.name();
    if effort.verify {
        match verify_bounds(&completed) {
            Verification::Verified(_) => report.done.push(format!("{name} verified")),
            Verification::Unknown(what) => report.done.push(format!("{name} not verified: {what}")),
            wrong @ (Verification::Refuted { .. } | Verification::OutOfScope(_)) => {
                report.faults.push(format!("{name}: wrong bounds: {wrong:?}"));
            }
        }
    }
    let mut recorder = Recorder::default();
    let run = execute(&completed, &case.input, &mut recorder);
    if let Some(race) = &recorder.race {
        report.faults.push(format!("{name}: a race: {race:?}"));
    }
    let weaker = engine != Engine::Tight;
    let claims = case.schedule.iter().any(|d: &Directive| d.phase() == Phase::Bounds);
    match compare(&case.input, expected, &run) {
        Verdict::Equal if engine == Engine::Baseline && case.formalism == Formalism::BaselineWeaker => {
            report.faults.push("the baseline engine bounds it, and must not".to_owned());
        }
        Verdict::Equal => report.done.push(format!("{name} equal")),
        Verdict::AlgorithmError if run == Err(Stuck::Assertion(Claim::Rdom)) || run == Err(Stuck::Rdom) => {
            report.done.push(format!("{name} rdom failure"));
        }
        Verdict::AssertionFails(Stuck::Assertion(Claim::NoBounds))
            if weaker && case.formalism == Formalism::BaselineWeaker =>
        {
            report.done.push(format!("{name} assert false, as it must"));
        }
        // Synthesis may find no template.
        Verdict::AssertionFails(Stuck::Assertion(Claim::NoBounds)) if engine == Engine::Oracle => {
            report.done.push("oracle finds no template".to_owned());
        }
        // β₀ does not read assertions: its windows need not be those that a directive gives.
        Verdict::AssertionFails(Stuck::Assertion(Claim::Bounds)) if weaker && claims => {
            report.done.push(format!("{name} ignores bounds directives"));
        }
        other @ (Verdict::AlgorithmError
        | Verdict::AssertionFails(_)
        | Verdict::Different(_)
        | Verdict::Unknown(_)) => report
            .faults
            .push(format!("{name}: {other:?} {}", none.map_or_else(String::new, |n| n.to_string()))),
    }
    if engine == Engine::Tight {
        regions(case, &recorder, report);
        step_by_step(case, &completed, &run, report);
    }
}

/// The small steps on programs that are short.
fn step_by_step(case: &Case, completed: &Program, fast: &Result<Outputs, Stuck>, report: &mut Report) {
    let mut turn = 0;
    let small = small::run(completed, &case.input, 300_000, &mut |n| {
        turn += 1;
        (turn * 7) % n
    });
    match small {
        Err(Stuck::TooMuch) => {}
        small if small == *fast => report.done.push("stepped".to_owned()),
        small => report.faults.push(format!("small steps give {small:?}, the fast executor {fast:?}")),
    }
}

fn regions(case: &Case, recorder: &Recorder, report: &mut Report) {
    for theirs in &case.regions {
        let Some(ours) = recorder.regions.get(&theirs.func).and_then(|r| r.allocated.as_ref()) else {
            continue;
        };
        let dims = ours.iter().zip(&theirs.allocated);
        let inside = ours.iter().any(|(_, n)| *n <= 0)
            || dims.clone().all(|((m, n), (k, l))| k <= m && m + n <= k + l);
        if !inside {
            report.larger.push(format!("{}: {ours:?} for {:?}", theirs.func, theirs.allocated));
        }
    }
}

fn in_c(case: &Case, t: &Program, report: &mut Report) {
    let (completed, _) = Engine::Tight.complete(t);
    let wanted = match (&case.algorithm_value, &case.expected) {
        (Some(_), _) => None,
        (None, values) => values.clone(),
    };
    match (compiled::execute(&completed, &case.input), wanted) {
        (Ok(Ran::Values(found)), Some(wanted)) if found == wanted => report.done.push("C equal".to_owned()),
        (Ok(Ran::Failed(Some(c), _)), None) if c == code(Claim::Rdom) => {
            report.done.push("C rdom failure".to_owned())
        }
        (Ok(other), wanted) => report.faults.push(format!("C: {other:?}, expected {wanted:?}")),
        (Err(e), _) => report.faults.push(format!("C: {e}")),
    }
}
