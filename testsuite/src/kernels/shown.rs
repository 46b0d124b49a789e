//! A scheduled kernel as text: its program, the primitives and conditions on the way to it, and its C.

use rewright_library::definitions::{by_primitive, steps_of, unit_of};
use rewright_machines::MACHINES;
use rewright_primitives::Proc;
use rewright_primitives::version::Reason;
use rewright_semantics::pretty::proc_to_string;
use std::fmt::Write as _;

/// A program, what was required on the way to it, and its C. The models of machines, which are long, are left out.
///
/// # Panics
/// The back end refuses the program.
pub fn shown(p: &Proc) -> String {
    let mut out = format!("{}\n", proc_to_string(p.ast()));
    for (name, steps, _) in by_primitive([p]) {
        writeln!(out, "{steps:>4} {name}").expect("text");
    }
    let mut required: Vec<String> = Vec::new();
    for step in steps_of([p]) {
        for c in &step.discharged {
            if let Reason::Solver { obligation, .. } = &c.by {
                required.push(format!("{}.{}: {}", step.primitive, c.condition, obligation.sentence));
            }
        }
    }
    writeln!(out, "{} conditions proved by the solver, such as", required.len()).expect("text");
    required.sort();
    required.dedup_by(|a, b| a.split(':').next() == b.split(':').next());
    required.iter().for_each(|r| writeln!(out, "  {r}").expect("text"));
    let c = unit_of(p.name().as_str(), p).source;
    let c = MACHINES.iter().filter_map(|m| m.model).fold(c, |c, model| c.replace(model.trim_end(), "…"));
    out + "\n" + &c
}
