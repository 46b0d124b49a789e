//! What becomes of a pipeline that is given as a text: what the model says of it, as data for others to compare. Spec:
//! [rule: halide.peer.diff].

use rewright_halide_model::alg::{Algorithm, Input};
use rewright_halide_model::confluence::{Engine, Verdict, compare, execute, reference};
use rewright_halide_model::exec::watch::{Recorder, Regions};
use rewright_halide_model::exec::{Stuck, small};
use rewright_halide_model::schedule::{Rules, Sequence, print, schedule};
use rewright_halide_model::text::print as printed;
use rewright_halide_model::tgt::Program;
use rewright_halide_model::typed_case::Stage;
use rewright_halide_model::value::Value;
use rewright_halide_model::{text, typed_case, valid};
use rewright_semantics::span::SourceMap;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// Steps until the regions of the inputs are known.
const FUEL: u64 = 1 << 22;

/// What the model says of a text: either `refused`, `at` and `rule`, or `values` of each output, `regions` of each func
/// that is stored, `required` of each input buffer and the `verdict` of confluence. `unknown` where it gives up.
pub fn of_text(source: &str) -> Json {
    let mut sources = SourceMap::new();
    let file = sources.add("pipeline", source.to_owned());
    let parsed = match text::parse(file, &sources) {
        Ok(parsed) => parsed,
        Err(d) => return refused(Stage::Definition, d.rule, &d.message),
    };
    if let Some(d) = valid::check(&parsed.algorithm).first() {
        return refused(Stage::Definition, d.rule, &d.message);
    }
    let Some(input) = parsed.input else {
        return refused(Stage::Definition, "halide.realize", "there is no `realize(…)`");
    };
    let directives: Vec<_> = parsed.schedule.into_iter().map(|(d, _)| d).collect();
    let algorithm = Arc::new(parsed.algorithm);
    let t = match schedule(&algorithm, &directives, Sequence::Sorted, Rules::default()) {
        Ok(t) => t,
        Err(r) => return refused(Stage::Schedule, r.restriction.id, &r.to_string()),
    };
    let (completed, none) = Engine::Tight.complete(&t);
    match none {
        Some(none) => refused(Stage::Lowering, "halide.no-bounds", &none.to_string()),
        None => ran(&algorithm, &completed, &input),
    }
}

fn refused(at: Stage, rule: &str, why: &str) -> Json {
    json!({ "refused": why, "at": at.name(), "rule": rule })
}

fn ran(p: &Algorithm, completed: &Program, z: &Input) -> Json {
    let mut recorder = Recorder::default();
    let run = execute(completed, z, &mut recorder);
    match &run {
        Err(why @ Stuck::Input(..)) => return refused(Stage::Runtime, "input", &why.to_string()),
        Err(why @ Stuck::Assertion(_)) => return refused(Stage::Runtime, "assertion", &why.to_string()),
        Err(why @ (Stuck::TooMuch | Stuck::Overflow)) => return json!({ "unknown": why.to_string() }),
        Err(Stuck::Rdom | Stuck::Read(..) | Stuck::Write(..) | Stuck::ErrorValue | Stuck::Unbound(_))
        | Ok(_) => {}
    }
    let expected = match reference(p, z) {
        Ok(expected) => expected,
        Err(e) => return json!({ "unknown": format!("the algorithm is not evaluated: {e}") }),
    };
    let verdict = match compare(z, &expected, &run) {
        Verdict::Equal => "equal".to_owned(),
        Verdict::AlgorithmError => {
            return refused(Stage::Runtime, "error-value", "the algorithm has an error value");
        }
        Verdict::AssertionFails(s) => format!("stops: {s}"),
        Verdict::Different(d) => format!("different: {d}"),
        Verdict::Unknown(why) => return json!({ "unknown": why }),
    };
    let regions = recorder.regions.iter().map(|(f, r)| (f.to_string(), region(r)));
    let boxes = small::required(completed, z, FUEL).unwrap_or_default();
    let required =
        p.inputs.iter().zip(&boxes).filter(|(i, _)| i.rank > 0).map(|(i, b)| (i.name.to_string(), json!(b)));
    json!({
        "verdict": verdict,
        "values": values(p, z, &expected),
        "regions": regions.collect::<serde_json::Map<_, _>>(),
        "required": required.collect::<serde_json::Map<_, _>>(),
    })
}

fn region(r: &Regions) -> Json {
    json!({ "allocated": r.allocated, "stored": r.stored, "stores": r.stores, "realizations": r.realizations })
}

/// By output, in their order: the types, and a list of texts for each of its values, the first variable fastest.
fn values(p: &Algorithm, z: &Input, all: &[Value]) -> Json {
    let mut rest = all;
    let mut out = Vec::new();
    for (f, points) in p.points(z) {
        let (here, after) = rest.split_at_checked(points.len()).unwrap_or((rest, &[]));
        rest = after;
        let scalars = p.scalars(f);
        let part = |k: usize| here.iter().map(|v| component(v, k)).collect::<Vec<_>>();
        let parts: Vec<_> = (0..scalars.len()).map(part).collect();
        let types: Vec<String> = scalars.iter().map(ToString::to_string).collect();
        out.push(json!({ "func": f.to_string(), "types": types, "values": parts }));
    }
    Json::Array(out)
}

fn component(v: &Value, k: usize) -> String {
    match v {
        Value::Tuple(parts) => parts.get(k).map(Value::to_string).unwrap_or_default(),
        Value::Int(_) | Value::Float(_) | Value::Error(_) => v.to_string(),
    }
}

/// A text in its normal form: promotions written out, names as they are. Texts that mean the same by their writing
/// alone have the same one.
///
/// # Errors
/// What is wrong with it.
pub fn normal(source: &str) -> Result<String, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("pipeline", source.to_owned());
    let parsed = text::parse(file, &sources).map_err(|d| format!("{}: {}", d.rule, d.message))?;
    let directives: Vec<_> = parsed.schedule.into_iter().map(|(d, _)| d).collect();
    let input = parsed.input.map(|z| printed::input(&parsed.algorithm, &z)).unwrap_or_default();
    Ok(printed::algorithm(&parsed.algorithm) + &print(&directives) + &input)
}

/// A reference case with types, as a text in its normal form.
///
/// # Errors
/// What is wrong with it, or not covered.
pub fn of_case(source: &str) -> Result<String, String> {
    let p = typed_case::read(source).map_err(|e| e.to_string())?.pipeline;
    Ok(printed::algorithm(&p.algorithm) + &print(&p.schedule) + &printed::input(&p.algorithm, &p.input))
}
