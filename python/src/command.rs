//! The command `rewright` for those who install the wheel. Spec: [rule: python.command].

use pyo3::prelude::*;
use rewright_primitives::registry::Registry;
use std::ffi::OsString;

/// The command with these arguments, of which the first is its own name: the code that the process should end with.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, args: Vec<OsString>) -> u8 {
    py.detach(|| rewright_cli::run(args, &Registry::standard()))
}
