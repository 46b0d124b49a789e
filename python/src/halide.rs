//! The Halide model: what becomes of a pipeline. Spec: [rule: halide.peer].

use crate::failure::Failure;
use crate::task::work;
use pyo3::prelude::*;
use rewright_campaign::halide::outcome;

/// What the model says of a text, as JSON.
///
/// # Errors
/// Work is interrupted.
#[pyfunction]
pub(crate) fn halide_outcome(py: Python<'_>, text: &str) -> PyResult<String> {
    work(py, || Ok(outcome::of_text(text).to_string()))
}

/// The normal form of a text.
///
/// # Errors
/// What is wrong with the text.
#[pyfunction]
pub(crate) fn halide_normal(py: Python<'_>, text: &str) -> PyResult<String> {
    work(py, || outcome::normal(text).map_err(Failure::argument))
}

/// A reference case, as a text.
///
/// # Errors
/// What is wrong with the case.
#[pyfunction]
pub(crate) fn halide_case(py: Python<'_>, json: &str) -> PyResult<String> {
    work(py, || outcome::of_case(json).map_err(Failure::argument))
}
