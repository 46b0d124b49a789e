//! Comparing two procedures on random inputs. Spec: [rule: equiv].

use crate::failure::{Failure, to_py};
use crate::handles::Proc;
use crate::task::work;
use pyo3::prelude::*;
use rewright_effects::solver::nobody_waits;
use rewright_primitives::equivalence::Equivalence;
use rewright_primitives::tools::buffers::declared::with_types_of;
use rewright_semantics::ast;
use rewright_semantics::denote::Limits;
use rewright_semantics::equiv::{Compared, Trials, on_trials};
use rewright_semantics::store::ConfigKey;
use rewright_semantics::sym::Name;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Statements that one run may take.
const STATEMENTS: u64 = 1_000_000;

/// Compares two procedures on random inputs, but for some fields; where one was made from the other, but for those that
/// its steps may change, too.
///
/// # Errors
/// They do not take the same arguments, or no input is found.
#[pyfunction]
pub(crate) fn equiv<'py>(
    py: Python<'py>,
    old: &Proc,
    new: &Proc,
    modulo: Vec<(String, String)>,
    trials: u64,
    seed: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let told = work(py, || {
        let open: Vec<_> = [old, new].iter().flat_map(|p| p.proc.left_open()).collect();
        if !open.is_empty() {
            return Err(Failure::findings("RunError", &open));
        }
        let mut modulo: BTreeSet<ConfigKey> = modulo
            .iter()
            .map(|(config, field)| ConfigKey { config: Name::new(config), field: Name::new(field) })
            .collect();
        let promised = Equivalence::of_versions(&old.proc, &new.proc)
            .or_else(|_| Equivalence::of_versions(&new.proc, &old.proc))
            .ok();
        let promise = promised.clone().unwrap_or_default();
        modulo.extend(promise.modulo.iter().map(|f| ConfigKey { config: f.config, field: f.field }));
        let first = old.proc.ast();
        // That steps changed the types of arguments, which are notes in exact arithmetic, does not make it another
        // procedure.
        let second = match &promised {
            Some(_) => with_types_of(new.proc.ast(), first),
            None => ast::Proc::clone(new.proc.ast()),
        };
        let limits = Limits { stop: Some(nobody_waits), ..Limits::statements(STATEMENTS) };
        let trials = Trials { count: trials, seed, limits, restricted: promise.restricted };
        compare(first, &second, &modulo, trials)
    })?;
    to_py(py, &told)
}

fn compare(
    old: &ast::Proc,
    new: &ast::Proc,
    modulo: &BTreeSet<ConfigKey>,
    trials: Trials,
) -> Result<Value, Failure> {
    let compared = on_trials(old, new, modulo, trials).map_err(|e| Failure::argument(e.to_string()))?;
    let tally = match compared {
        Compared::Differ(found) => {
            let (what, input) = (found.what, found.input.to_string());
            return Ok(json!({ "verdict": "different", "difference": what, "input": input }));
        }
        Compared::Agree(tally) => tally,
    };
    let verdict = match (tally.equal + tally.refined, tally.refined) {
        (0, _) => "none",
        (_, 0) => "equal",
        (_, _) => "refines",
    };
    let fields: Vec<String> = modulo.iter().map(ToString::to_string).collect();
    Ok(json!({
        "verdict": verdict, "compared": tally.equal + tally.refined, "refined": tally.refined,
        "for_all_data": tally.for_all_data, "unset": tally.unset, "skipped": tally.skipped, "modulo": fields,
    }))
}
