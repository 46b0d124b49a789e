//! Holding a case with types against the model: its values by evaluation, by execution and by compiled C; the regions that
//! are asked of its inputs; and when it is refused. Spec: [rule: halide.case].

use super::cases::Effort;
use super::compiled::{self, Ran};
use rewright_halide_model::alg::{Algorithm, Input};
use rewright_halide_model::bounds::verify::{Verification, verify_bounds};
use rewright_halide_model::c;
use rewright_halide_model::case::{Bounds, Kind};
use rewright_halide_model::confluence::{Engine, execute, reference};
use rewright_halide_model::exec::watch::Recorder;
use rewright_halide_model::exec::{Stuck, small, window};
use rewright_halide_model::float::{Float, Precision};
use rewright_halide_model::schedule::{Rules, Sequence, schedule};
use rewright_halide_model::tgt::Program;
use rewright_halide_model::typed_case::{self, Pipeline, Stage, Unread};
use rewright_halide_model::valid;
use rewright_halide_model::value::Value;
use rewright_semantics::sym::Name;
use std::sync::Arc;

/// What became of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It comes out as it states.
    Agrees,
    /// It does not.
    Differs(Vec<String>),
    /// The model does not have all that is in it.
    NotCovered(String),
}

/// What is found of a case.
#[derive(Clone, Debug)]
pub struct TypedReport {
    /// What became of it.
    pub outcome: Outcome,
    /// What was done, a word each.
    pub done: Vec<String>,
    /// Where more is asked of an input, or allocated, than the practical system does.
    pub larger: Vec<String>,
    /// Why it is refused, if it is.
    pub refusal: Option<String>,
}

/// Steps until the regions of the inputs are known.
const FUEL: u64 = 1 << 22;

/// Checks a case.
pub fn check(source: &str, effort: Effort) -> TypedReport {
    let mut report =
        TypedReport { outcome: Outcome::Agrees, done: Vec::new(), larger: Vec::new(), refusal: None };
    let mut faults = Vec::new();
    let (kind, stated) = match typed_case::stated(source) {
        Ok(stated) => stated,
        Err(why) => {
            report.outcome = Outcome::Differs(vec![why]);
            return report;
        }
    };
    let found = match typed_case::read(source) {
        Ok(case) => examined(&case.pipeline, kind, effort, &mut report, &mut faults),
        Err(Unread::Refused(e)) => Some((Stage::Definition, format!("{}: {}", e.rule, e.why))),
        Err(Unread::NotCovered(what)) => {
            report.outcome = Outcome::NotCovered(what);
            return report;
        }
        Err(Unread::Wrong(why)) => {
            report.outcome = Outcome::Differs(vec![why]);
            return report;
        }
    };
    match (stated, &found) {
        (None, None) => {}
        (Some(wanted), Some((at, _))) if wanted == *at => {}
        (Some(wanted), Some((at, why))) => {
            faults.push(format!("refused at {}, not at {}: {why}", at.name(), wanted.name()));
        }
        (Some(wanted), None) => faults.push(format!("must be refused at {}", wanted.name())),
        (None, Some((at, why))) => faults.push(format!("refused at {}: {why}", at.name())),
    }
    report.refusal = found.map(|(_, why)| why);
    if !faults.is_empty() {
        report.outcome = Outcome::Differs(faults);
    }
    report
}

type Refused = Option<(Stage, String)>;

/// When a case is refused; if it is not, what is not as it states.
fn examined(
    p: &Pipeline,
    kind: Kind,
    effort: Effort,
    report: &mut TypedReport,
    faults: &mut Vec<String>,
) -> Refused {
    let completed = match completed(p, effort, report, faults) {
        Ok(t) => t,
        Err(refused) => return Some(refused),
    };
    let mut recorder = Recorder::default();
    let run = execute(&completed, &p.input, &mut recorder);
    match &run {
        Err(why @ (Stuck::Input(..) | Stuck::Assertion(_))) => {
            return Some((Stage::Runtime, why.to_string()));
        }
        Err(other) => faults.push(format!("the program is stuck: {other}")),
        Ok(_) => {}
    }
    if let (Kind::Valid, Ok(realized)) = (kind, run) {
        values(p, window(&realized, &p.input), report, faults);
        in_c(&completed, p, effort, report, faults);
        allocations(p, &recorder, report);
    }
    match small::required(&completed, &p.input, FUEL) {
        Ok(boxes) => {
            let names = p.algorithm.inputs.iter().map(|i| i.name);
            let asked: Vec<(Name, Bounds)> = names.zip(boxes).collect();
            inputs(&asked, &p.required, report);
        }
        Err(why) => faults.push(format!("the regions of the inputs: {why}")),
    }
    None
}

/// The completed program of a pipeline, or when it is refused.
fn completed(
    p: &Pipeline,
    effort: Effort,
    report: &mut TypedReport,
    faults: &mut Vec<String>,
) -> Result<Program, (Stage, String)> {
    if let Some(found) = valid::check(&p.algorithm).first() {
        return Err((Stage::Definition, format!("{}: {}", found.rule, found.message)));
    }
    let t = schedule(&Arc::new(p.algorithm.clone()), &p.schedule, Sequence::Sorted, Rules::default());
    let t = t.map_err(|refusal| {
        // The practical system looks at the whole nest when it lowers.
        let late = refusal.restriction.id == "schedule.shared-storage";
        (if late { Stage::Lowering } else { Stage::Schedule }, refusal.to_string())
    })?;
    let (completed, none) = Engine::Tight.complete(&t);
    if let Some(none) = none {
        return Err((Stage::Lowering, none.to_string()));
    }
    if effort.verify {
        match verify_bounds(&completed) {
            Verification::Verified(_) => report.done.push("verified".to_owned()),
            Verification::Unknown(what) => report.done.push(format!("not verified: {what}")),
            wrong @ (Verification::Refuted { .. } | Verification::OutOfScope(_)) => {
                faults.push(format!("wrong bounds: {wrong:?}"));
            }
        }
    }
    Ok(completed)
}

/// The values of evaluation, of execution, and those that are stated.
fn values(p: &Pipeline, ran: Option<Vec<Value>>, report: &mut TypedReport, faults: &mut Vec<String>) {
    let expected = match reference(&p.algorithm, &p.input) {
        Ok(values) => values,
        Err(e) => return faults.push(format!("no reference values: {e}")),
    };
    if ran.as_ref() != Some(&expected) {
        faults.push(format!("the program computes {ran:?}, the algorithm says {expected:?}"));
    }
    let mut pairs = expected.iter().zip(&p.expected).zip(&p.ulps);
    let apart = pairs.position(|((a, b), ulps)| !is_close(a, b, *ulps));
    match apart {
        _ if expected.len() != p.expected.len() => faults.push("another number of values".to_owned()),
        Some(i) => {
            let (a, b) = (expected.get(i), p.expected.get(i));
            faults.push(format!("value {i} of {} is {a:?}, the case states {b:?}", p.algorithm.output));
        }
        None => report.done.push("equal".to_owned()),
    }
}

/// Whether two values are at most this many units in the last place apart.
fn is_close(a: &Value, b: &Value, ulps: u64) -> bool {
    match (a, b) {
        (Value::Float(a), Value::Float(b)) => {
            a == b || rank(*a).abs_diff(rank(*b)) <= ulps && !a.value().is_nan()
        }
        (Value::Int(a), Value::Int(b)) => {
            a == b || a.sub(b).abs().to_i64().is_some_and(|d| d.unsigned_abs() <= ulps)
        }
        (Value::Tuple(a), Value::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_close(a, b, ulps))
        }
        (Value::Int(_) | Value::Float(_) | Value::Tuple(_) | Value::Error(_), _) => false,
    }
}

/// The place of a number among all of its precision.
fn rank(v: Float) -> i64 {
    let bits = match v.precision {
        Precision::Single => i64::from(v.single().to_bits().cast_signed()) << 32,
        Precision::Double => v.value().to_bits().cast_signed(),
    };
    let bits = if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits };
    if v.precision == Precision::Single { bits >> 32 } else { bits }
}

/// A value as compiled programs print it.
fn printed(v: &Value) -> Option<i64> {
    match v {
        Value::Float(f) => Some(f.value().to_bits().cast_signed()),
        Value::Int(v) => v.to_i64().or_else(|| v.low_bits()),
        Value::Tuple(_) | Value::Error(_) => None,
    }
}

/// The values of the windows as compiled programs print them: of several values one after the other.
pub fn in_order(p: &Algorithm, z: &Input, values: &[Value]) -> Option<Vec<i64>> {
    let mut out = Vec::new();
    let mut rest = values;
    for (f, points) in p.points(z) {
        let (here, after) = rest.split_at_checked(points.len())?;
        rest = after;
        for k in 0..p.scalars(f).len() {
            for v in here {
                out.push(match v {
                    Value::Tuple(parts) => printed(parts.get(k)?)?,
                    Value::Int(_) | Value::Float(_) | Value::Error(_) => printed(v)?,
                });
            }
        }
    }
    Some(out)
}

fn in_c(t: &Program, p: &Pipeline, effort: Effort, report: &mut TypedReport, faults: &mut Vec<String>) {
    if !effort.c {
        return;
    }
    let Ok(expected) = reference(&p.algorithm, &p.input) else { return };
    let wanted = in_order(&p.algorithm, &p.input, &expected);
    match compiled::execute(t, &p.input) {
        Ok(Ran::Values(found)) if Some(&found) == wanted.as_ref() => report.done.push("C equal".to_owned()),
        Ok(other) => faults.push(format!("C: {other:?}, expected {wanted:?}")),
        Err(e) => faults.push(format!("C: {e}\n{}", c::unit(t).unwrap_or_default())),
    }
}

fn inside(ours: &Bounds, theirs: &Bounds) -> bool {
    ours.iter().any(|(_, n)| *n <= 0)
        || ours.iter().zip(theirs).all(|((m, n), (k, l))| k <= m && m + n <= k + l)
}

fn inputs(asked: &[(Name, Bounds)], stated: &[(Name, Bounds)], report: &mut TypedReport) {
    for (name, ours) in asked {
        let Some((_, theirs)) = stated.iter().find(|(n, _)| n == name) else { continue };
        if !inside(ours, theirs) {
            report.larger.push(format!("input {name}: {ours:?} for {theirs:?}"));
        }
        report.done.push(if ours == theirs { "required equal" } else { "required otherwise" }.to_owned());
    }
}

fn allocations(p: &Pipeline, recorder: &Recorder, report: &mut TypedReport) {
    for theirs in &p.regions {
        let Some(ours) = recorder.regions.get(&theirs.func).and_then(|r| r.allocated.as_ref()) else {
            continue;
        };
        if !inside(ours, &theirs.allocated) {
            report.larger.push(format!("{}: {ours:?} for {:?}", theirs.func, theirs.allocated));
        }
    }
}
