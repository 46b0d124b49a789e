//! Comparing two procedures on random inputs. Spec: [rule: equiv].

use crate::failure::{Failure, to_py};
use crate::handles::Proc;
use crate::task::work;
use pyo3::prelude::*;
use rewright_effects::solver::nobody_waits;
use rewright_primitives::equivalence::Equivalence;
use rewright_primitives::tools::buffers::declared::with_types_of;
use rewright_semantics::ast;
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::data::symbolic::SymbolicDomain;
use rewright_semantics::denote::{Interpreted, Limits};
use rewright_semantics::equiv::{Comparer, Difference, Verdict};
use rewright_semantics::inputs::{Given, Input, Search, Subject};
use rewright_semantics::store::ConfigKey;
use rewright_semantics::sym::Name;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// After so many inputs in a row whose polynomials decide nothing, no more of them are made: those of a program that multiplies again and
/// again take seconds each.
const MOST_TOO_LARGE: u64 = 3;

/// Candidates tried to make a counterexample smaller.
const SHRINKS: u64 = 2_000;
/// Inputs of at most so many cells are compared for all data at once, too.
const SYMBOLIC_CELLS: u64 = 64;
/// Statements that one run may take.
const STATEMENTS: u64 = 1_000_000;
/// Cells of one argument.
const CELLS: u64 = 1 << 16;

/// What came of all trials.
#[derive(Default)]
struct Tally {
    equal: u64,
    refined: u64,
    for_all_data: u64,
    skipped: u64,
    /// Inputs in a row whose polynomials decided nothing.
    too_large: u64,
}

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
        compare(first, &second, &modulo, promise.restricted, (trials, seed))
    })?;
    to_py(py, &told)
}

fn compare(
    old: &ast::Proc,
    new: &ast::Proc,
    modulo: &BTreeSet<ConfigKey>,
    restricted: bool,
    (trials, seed): (u64, u64),
) -> Result<Value, Failure> {
    let limits = Limits { stop: Some(nobody_waits), ..Limits::statements(STATEMENTS) };
    let mismatch = |e: rewright_semantics::equiv::SignatureMismatch| Failure::argument(e.to_string());
    let exact = Comparer::<RationalDomain>::new(old, new, modulo.clone(), limits).map_err(mismatch)?;
    let symbolic = Comparer::<SymbolicDomain>::new(old, new, modulo.clone(), limits).map_err(mismatch)?;
    // Where the new one admits fewer inputs, these are the ones that are tried.
    let admitted = Subject::pair(new, old);
    let subject = if restricted { &admitted } else { exact.subject() };
    let search = Search { max_cells: CELLS, ..Search::default() };
    let mut tally = Tally::default();
    for trial in 0..trials {
        if nobody_waits() {
            break;
        }
        let input = subject
            .generate(&Given::default(), seed.wrapping_add(trial), search)
            .map_err(|e| Failure::argument(e.to_string()))?;
        let mut found = trial_in(&exact, subject, &input, &mut tally, false);
        let for_all_data = input.cells() <= SYMBOLIC_CELLS && tally.too_large < MOST_TOO_LARGE;
        if found.is_none() && for_all_data {
            found = trial_in(&symbolic, subject, &input, &mut tally, true);
        }
        if let Some((difference, input)) = found {
            return Ok(json!({ "verdict": "different", "difference": difference, "input": input }));
        }
    }
    let Tally { equal, refined, for_all_data, skipped, too_large: _ } = tally;
    let verdict = match (equal + refined, refined) {
        (0, _) => "none",
        (_, 0) => "equal",
        (_, _) => "refines",
    };
    let fields: Vec<String> = modulo.iter().map(ToString::to_string).collect();
    Ok(json!({
        "verdict": verdict, "compared": equal + refined, "refined": refined, "for_all_data": for_all_data,
        "skipped": skipped, "modulo": fields,
    }))
}

/// One comparison; how the two differ, and on which input, where they do.
fn trial_in<D: Interpreted>(
    comparer: &Comparer<'_, D>,
    subject: &Subject<'_>,
    input: &Input,
    tally: &mut Tally,
    all_data: bool,
) -> Option<(String, String)> {
    match comparer.compare(input) {
        Verdict::Equal if all_data => {
            tally.for_all_data += 1;
            tally.too_large = 0;
        }
        Verdict::Equal => tally.equal += 1,
        Verdict::Refines { .. } if all_data => {}
        Verdict::Refines { .. } => tally.refined += 1,
        Verdict::Differs(_) => {
            let mut still = |i: &Input| matches!(comparer.compare(i), Verdict::Differs(_));
            let small = subject.shrink(input, &mut still, SHRINKS);
            if let Verdict::Differs(difference) = comparer.compare(&small) {
                let words = match *difference {
                    Difference::Values { at, old, new } => {
                        format!("{at} is {old} in the first and {new} in the second")
                    }
                    Difference::NewFails(fault) => format!("the second fails: {fault}"),
                };
                return Some((words, small.to_string()));
            }
        }
        // Polynomials decide less than numbers do.
        Verdict::Undecided { .. } | Verdict::InputRejected(_) | Verdict::OldFails(_) | Verdict::GaveUp(_) => {
            tally.skipped += u64::from(!all_data);
            tally.too_large += u64::from(all_data);
        }
    }
    None
}
