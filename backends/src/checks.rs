//! What is checked just before C: precisions, memories, windows, parallel loops, configurations.
//!
//! PLDI'22 §3.1.1: front-end checks keep a program safe, these keep its C possible. All findings of a
//! unit are reported at once, in the order of the source.

pub mod config;
pub mod memory;
pub mod parallel;
pub mod precision;
pub mod processor;
pub mod window;

use crate::c::bindings::Bindings;
use crate::c::names::reaching;
use crate::c::usage::Program;
use crate::memory::Memories;
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::types::DataType;

/// Every finding about the procedures of a unit with this global text. Instructions are not compiled, and not checked.
pub fn check(
    program: &Program,
    memories: &Memories,
    global: &[String],
    real: Option<DataType>,
) -> Vec<Diagnostic> {
    let (mut found, mut processor) = (Vec::new(), processor::Processor::default());
    let shared = global.iter().flat_map(|text| reaching(text)).collect();
    for (_, p, _) in program.procs().filter(|(_, p, _)| p.instr.is_none()) {
        let bindings = Bindings::of(p);
        found.extend(precision::check(p, &bindings, real));
        found.extend(memory::check(p, &bindings, memories));
        found.extend(window::check(p, &bindings));
        found.extend(parallel::check(p, &bindings, program, memories, &shared));
        found.extend(config::check(p));
        found.extend(processor.check(p, memories));
    }
    found
}
