//! Parts of campaigns, as a worker does them: what comes of one depends on its seeds alone. Spec: [rule: python.campaigns].

use crate::failure::{Failure, to_py};
use crate::task::work;
use crate::world::World;
use pyo3::prelude::*;
use rewright_campaign::halide::campaign as halide;
use rewright_campaign::{Plan, Report, cases, saved, shrunk};
use rewright_effects::solver::nobody_waits;
use rewright_primitives::derivation::Derivation;
use rewright_primitives::derivation::audit::{Options, audit as check};
use rewright_primitives::ops;
use rewright_primitives::registry::{Guards, Primitive, Registry};
use rewright_primitives::version::session::Session;
use serde_json::{Value, json};

/// Candidates when a failure is made small.
const SHRINK: usize = 2_000;
/// Applications on each program where a condition is left out.
const ATTEMPTS: usize = 8;

/// A condition that is not asked for: the primitive's name, and the condition's id.
type Without = Option<(String, String)>;

/// Applies primitives, all where none is named, to the programs of so many seeds: what was covered, and each failure
/// with its seed and `PRIMITIVE.CONDITION`. With `first_alone`, the first failure of a named primitive is the last.
///
/// # Errors
/// There is no such primitive or condition.
#[pyfunction]
pub(crate) fn trials(
    py: Python<'_>,
    primitives: Vec<String>,
    without: Without,
    first: u64,
    programs: u64,
    first_alone: bool,
) -> PyResult<Bound<'_, PyAny>> {
    let told = work(py, || {
        let plan = plan(&primitives, without.as_ref())?;
        let (mut report, mut failures) = (Report::default(), Vec::new());
        for seed in (0..programs).map(|k| first.wrapping_add(k)) {
            if nobody_waits() {
                break;
            }
            let found = cases(seed, &plan, &mut report);
            let named = |f: &&rewright_campaign::Failure| primitives.iter().any(|p| p == f.primitive.name);
            if let Some(failure) = found.iter().find(named).filter(|_| first_alone) {
                failures.push(told(seed, failure));
                break;
            }
            if !first_alone {
                failures.extend(found.iter().map(|f| told(seed, f)));
            }
        }
        Ok(json!({ "rows": report.rows, "failures": failures }))
    })?;
    to_py(py, &told)
}

fn told(seed: u64, failure: &rewright_campaign::Failure) -> Value {
    json!({ "seed": seed, "name": saved(failure).name, "what": failure.what })
}

/// The failure of this name among those of a seed, made small: as text, and as a case of the corpus.
///
/// # Errors
/// The seed has none.
#[pyfunction]
pub(crate) fn smallest<'py>(
    py: Python<'py>,
    primitives: Vec<String>,
    without: Without,
    seed: u64,
    name: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let told = work(py, || {
        let plan = plan(&primitives, without.as_ref())?;
        let found = cases(seed, &plan, &mut Report::default()).into_iter().find(|f| saved(f).name == name);
        let Some(found) = found else {
            return Err(Failure::argument(format!("seed {seed} has no failure {name}")));
        };
        let small = shrunk(found, SHRINK);
        let case = saved(&small);
        Ok(json!({ "text": small.to_string(), "case": case.text, "shows_it": case.shows_it }))
    })?;
    to_py(py, &told)
}

fn plan(primitives: &[String], without: Option<&(String, String)>) -> Result<Plan, Failure> {
    let known = |name: &String| {
        ops::by_name(name).ok_or_else(|| Failure::argument(format!("there is no primitive `{name}`")))
    };
    let drawn = primitives.iter().map(known).collect::<Result<Vec<_>, Failure>>()?;
    let plan = Plan::of(if drawn.is_empty() { ops::ALL.to_vec() } else { drawn });
    match without {
        None => Ok(plan),
        Some((name, id)) => {
            let primitive = known(name)?;
            let condition = primitive.conditions.iter().find(|c| c.id == id);
            let Some(condition) = condition else {
                return Err(Failure::argument(format!("`{name}` has no condition `{id}`")));
            };
            Ok(Plan { session: session_without(primitive, condition.id)?, attempts: ATTEMPTS, ..plan })
        }
    }
}

/// No version that is made in it leaves this module.
#[cfg(feature = "mutants")]
#[expect(clippy::unnecessary_wraps, reason = "it fails where the feature is not there")]
fn session_without(primitive: &Primitive, condition: &'static str) -> Result<Session, Failure> {
    Ok(Session::for_mutants([(primitive.name, condition)]))
}

#[cfg(not(feature = "mutants"))]
fn session_without(primitive: &Primitive, condition: &'static str) -> Result<Session, Failure> {
    let name = primitive.name;
    Err(Failure::argument(format!(
        "this build cannot leave out `{name}.{condition}`: it is without `mutants`"
    )))
}

/// Every condition that guards the meaning: of which primitive, and which.
#[pyfunction]
pub(crate) fn conditions() -> Vec<(&'static str, &'static str)> {
    let guards = |p: &'static Primitive| {
        p.conditions.iter().filter(|c| c.guards == Guards::Meaning).map(move |c| (p.name, c.id))
    };
    ops::ALL.iter().copied().flat_map(guards).collect()
}

/// Random pairs of algorithm and schedule, one for each seed, whose programs must compute what the algorithm says: what
/// was covered, and each counterexample. The bounds of each seed that `verify_every` divides are verified, too.
///
/// # Errors
/// None but bugs.
#[pyfunction]
pub(crate) fn confluence(
    py: Python<'_>,
    first: u64,
    schedules: u64,
    inputs: usize,
    verify_every: u64,
) -> PyResult<Bound<'_, PyAny>> {
    let told = work(py, || {
        let (mut coverage, mut found) = (halide::Coverage::default(), Vec::new());
        for seed in (0..schedules).map(|k| first.wrapping_add(k)) {
            if nobody_waits() {
                break;
            }
            let verified = verify_every > 0 && seed.is_multiple_of(verify_every);
            match halide::run(halide::Plan::of_seed(seed, inputs, verified)) {
                Ok(covered) => coverage.add(covered),
                Err(e) => found.push(json!({ "seed": seed, "what": e.what, "text": e.to_string() })),
            }
        }
        Ok(json!({ "coverage": coverage, "counterexamples": found }))
    })?;
    to_py(py, &told)
}

/// Checks a derivation.
///
/// # Errors
/// The text is no derivation.
#[pyfunction]
pub(crate) fn audit<'py>(
    py: Python<'py>,
    derivation: &str,
    trials: u64,
    statements: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let told = work(py, || {
        let derivation = Derivation::of_json(derivation)
            .map_err(|why| Failure::argument(format!("this is no derivation: {why}")))?;
        let primitives = Registry::standard();
        let options =
            Options { inputs: trials, statements, ..Options::new(World::get().prelude(), &primitives) };
        Ok(match check(&derivation, &options) {
            Ok(s) => json!({
                "finding": null, "schedules": s.chains, "steps": s.steps, "conditions": s.conditions,
                "solved": s.solved, "compared": s.compared,
                "not_compared": s.open.iter().map(ToString::to_string).collect::<Vec<_>>(),
            }),
            Err(finding) => json!({
                "finding": finding.to_string(), "schedules": 0, "steps": 0, "conditions": 0, "solved": 0,
                "compared": 0, "not_compared": [],
            }),
        })
    })?;
    to_py(py, &told)
}
