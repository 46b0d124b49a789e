//! The cases about reuse.

use super::Reuse;
use super::run::LIMIT;
use crate::algorithm;
use crate::canon::Table;
use crate::heap::machine::Machine;
use crate::reuse;
use crate::stuck::Outcome;
use crate::syntax::Program;

pub(super) fn compare(label: &str, program: &Program, wanted: &Reuse, out: &mut Vec<String>) {
    let translation = algorithm::translate(&reuse::program(program));
    let mut machine = Machine::new(&translation.program);
    let outcome = machine.run(LIMIT, |_, _| {});
    let mut table = Table::of_heads();
    match (&wanted.value, outcome) {
        (Some(v), Outcome::Value(found)) => {
            if table.expr(v) != machine.heap.canonical(&mut table, found) {
                out.push(format!("{label}: the value is not {v}"));
            }
        }
        (Some(_), Outcome::Stuck(why)) => out.push(format!("{label}: stuck, {why}")),
        (Some(_), Outcome::Unfinished) => out.push(format!("{label}: no end within {LIMIT} steps")),
        (None, _) => {}
    }
    let counters = machine.heap.counters;
    for (name, wanted, found) in
        [("fresh", wanted.fresh, counters.fresh), ("reused", wanted.reused, counters.reused)]
    {
        if let Some(wanted) = wanted.filter(|n| *n != found) {
            out.push(format!("{label}.{name}: expected {wanted}, found {found}"));
        }
    }
}
