//! The extension of the Python module `rewright`: handles of procedures, cursors, configurations and memories, and one
//! function that applies any primitive. What users see is written in Python, in `python/rewright`. Spec: [rule: python].
//!
//! What must stay true at this boundary: work is done without the interpreter's lock ([`task`]), no panic crosses, and
//! every failure is an exception that carries its data ([`failure`]).

mod campaign;
mod command;
mod compile;
mod control;
mod cursor;
mod define;
mod definitions;
mod env;
mod equiv;
mod failure;
mod foreign;
mod forward;
mod halide;
mod handles;
mod ledger;
mod line_breaks;
mod named;
mod passed;
mod prefixes;
mod proc;
mod registry;
mod run;
mod signs;
mod task;
mod transpose;
mod uses;
mod value;
mod world;
mod written;

use mimalloc::MiMalloc;
use pyo3::prelude::*;

/// Schedules are many small nodes: the system's allocator takes a fifth of the time to make them.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The module.
#[pymodule]
fn _rewright(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<handles::Proc>()?;
    m.add_class::<handles::Cursor>()?;
    m.add_class::<compile::Compiled>()?;
    m.add_class::<task::Run>()?;
    m.add_class::<handles::Config>()?;
    m.add_class::<handles::Memory>()?;
    m.add_class::<handles::Extern>()?;
    m.add_function(wrap_pyfunction!(registry::apply, m)?)?;
    m.add_function(wrap_pyfunction!(registry::registry, m)?)?;
    m.add_function(wrap_pyfunction!(define::module, m)?)?;
    m.add_function(wrap_pyfunction!(define::filled_in, m)?)?;
    m.add_function(wrap_pyfunction!(define::machines, m)?)?;
    m.add_function(wrap_pyfunction!(define::rerooted, m)?)?;
    m.add_function(wrap_pyfunction!(transpose::transposed, m)?)?;
    m.add_function(wrap_pyfunction!(compile::c_code, m)?)?;
    m.add_function(wrap_pyfunction!(compile::build, m)?)?;
    m.add_function(wrap_pyfunction!(compile::compilers, m)?)?;
    m.add_function(wrap_pyfunction!(run::run, m)?)?;
    m.add_function(wrap_pyfunction!(equiv::equiv, m)?)?;
    m.add_function(wrap_pyfunction!(uses::uses, m)?)?;
    m.add_function(wrap_pyfunction!(ledger::ledger, m)?)?;
    m.add_function(wrap_pyfunction!(line_breaks::broken, m)?)?;
    m.add_function(wrap_pyfunction!(campaign::trials, m)?)?;
    m.add_function(wrap_pyfunction!(campaign::smallest, m)?)?;
    m.add_function(wrap_pyfunction!(campaign::conditions, m)?)?;
    m.add_function(wrap_pyfunction!(campaign::confluence, m)?)?;
    m.add_function(wrap_pyfunction!(campaign::audit, m)?)?;
    m.add_function(wrap_pyfunction!(command::command, m)?)?;
    m.add_function(wrap_pyfunction!(halide::halide_outcome, m)?)?;
    m.add_function(wrap_pyfunction!(halide::halide_normal, m)?)?;
    m.add_function(wrap_pyfunction!(halide::halide_case, m)?)?;
    m.add_function(wrap_pyfunction!(world::version, m)?)?;
    m.add_function(wrap_pyfunction!(foreign::memory, m)?)?;
    m.add_function(wrap_pyfunction!(foreign::extern_, m)?)?;
    m.add_function(wrap_pyfunction!(named::externs, m)?)?;
    m.add_function(wrap_pyfunction!(named::standard_memories, m)?)?;
    Ok(())
}
