//! The last program of a schedule: its text, with what it calls by name.

use crate::program::Definitions;
use crate::record::{Record, Schedule, number_of};
use rewright_primitives::derivation::each_version;
use rewright_semantics::ast::Proc;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Reads the last version of a schedule. A name stands for the version that the steps named last.
pub(crate) fn last_program(
    record: &Record,
    schedule: &Schedule,
    definitions: &Definitions,
) -> Result<(Arc<Proc>, Definitions), String> {
    let mut known = definitions.clone();
    let mut seen = BTreeSet::new();
    // What was extracted is a schedule of its own, and has its name to itself.
    for other in record.schedules.iter().filter(|s| s.extracted) {
        define(record, other.last(), &mut known, &mut seen);
    }
    arguments(record, schedule.last(), &mut known, &mut seen);
    let p = known.read(&record.versions[schedule.last()].text)?;
    Ok((p, known))
}

/// Defines the versions that are arguments on the way to a version.
fn arguments(record: &Record, version: usize, known: &mut Definitions, seen: &mut BTreeSet<usize>) {
    let mut steps = Vec::new();
    let mut at = version;
    while let Some(step) = record.versions[at].step {
        steps.push(step);
        at = record.steps[step].before;
    }
    for step in steps.into_iter().rev() {
        for (_, value) in &record.steps[step].recorded.args {
            each_version(value, &mut |number| {
                if let Some(end) = number_of(number).and_then(|number| record.argument(number)) {
                    define(record, end, known, seen);
                }
            });
        }
    }
}

fn define(record: &Record, version: usize, known: &mut Definitions, seen: &mut BTreeSet<usize>) {
    if seen.insert(version) {
        arguments(record, version, known, seen);
    }
    if let Ok(p) = known.read(&record.versions[version].text) {
        known.define(&p);
    }
}
