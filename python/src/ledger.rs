//! The page of a procedure's derivation. Spec: [rule: ledger].

use crate::definitions::written;
use crate::failure::Failure;
use crate::handles::Proc;
use crate::task::work;
use pyo3::prelude::*;
use rewright_ledger::page;
use rewright_primitives::derivation::{Times, record_with};
use rewright_primitives::registry::Registry;

/// The page, as HTML; `times` says whether it tells how long each step took.
///
/// # Errors
/// What the schedule begins with cannot be read.
#[pyfunction]
pub(crate) fn ledger(py: Python<'_>, proc: &Proc, binding: &str, times: bool) -> PyResult<String> {
    work(py, || {
        let times = if times { Times::Told } else { Times::Untold };
        let (text, called) = written(proc)?;
        let derivation = record_with(text, [(binding, &proc.proc)], times).calling(called);
        page(&derivation, &Registry::standard()).map_err(|why| Failure::internal(&why.to_string()))
    })
}
