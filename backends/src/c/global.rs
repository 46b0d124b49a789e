//! What stands once in a unit, before its functions, because memories, instructions and externs ask for it. Spec: [rule: c.style].

use crate::c::style::Style;
use crate::c::unit::Unit;
use rewright_semantics::ast::Proc;
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::span::Span;
use rewright_semantics::syntax::memories::memories_of;
use rewright_semantics::types::MemName;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The global code of a unit, each once, in order. `spoken_of` are its procedures and the instructions that they call, by name.
pub(super) fn code(unit: &Unit, spoken_of: &[Arc<Proc>]) -> Vec<String> {
    let found = match unit.style {
        Style::Rewright => in_order_of_use(unit),
        Style::Exo => in_order_of_exo(unit, spoken_of),
    };
    let mut seen = BTreeSet::new();
    let texts = found.into_iter().map(|text| text.trim_end().to_owned());
    texts.filter(|text| !text.trim().is_empty() && seen.insert(text.clone())).collect()
}

/// Memories first: an instruction may bring what its memory has brought.
fn in_order_of_use(unit: &Unit) -> Vec<String> {
    let of_memories = unit.used_memories.iter().filter_map(|m| unit.style.global(&unit.memories, *m));
    let mut found: Vec<String> = of_memories.map(|text| text.trim_end().to_owned()).collect();
    found.sort();
    found.extend(unit.globals.iter().chain(&unit.extern_globals).cloned());
    found
}

/// Instructions, memories, externs, each by their names. The memories are those that anything speaks of, be it in the body of an
/// instruction.
fn in_order_of_exo(unit: &Unit, spoken_of: &[Arc<Proc>]) -> Vec<String> {
    let of_instructions = spoken_of.iter().filter_map(|p| p.instr.as_ref()).map(|i| i.c_global.to_string());
    // Every argument has a memory in Exo: those that are no data, main memory.
    let of_arguments = spoken_of.iter().filter(|p| !p.args.is_empty()).map(|_| MemName::dram());
    let memories: BTreeSet<MemName> =
        spoken_of.iter().flat_map(|p| memories_of(p)).chain(of_arguments).collect();
    let of_memories = memories.into_iter().filter_map(|m| unit.style.global(&unit.memories, m));
    of_instructions.chain(of_memories).chain(unit.extern_globals.iter().cloned()).collect()
}

/// Asks for what the externs that are called need, once for each type, by name.
pub(super) fn ask_externs(unit: &mut Unit) {
    let Some(foreign) = unit.foreign.clone() else { return };
    for (f, t) in unit.externs.values() {
        match foreign.global(*f, *t) {
            Ok(text) => unit.extern_globals.push(text),
            Err(why) => unit.diagnostics.push(Diagnostic::error("backend.extern", Span::NONE, &*why.why)),
        }
    }
}
