//! The machines whose memories, configuration and instructions are known by name: a folder each, with definitions in
//! the object language and one record. Spec: [rule: machines].

mod accelerator;
mod amx;
mod avx2;
mod avx512;
mod gemmini;
mod machine;
mod neon;
mod rvv;
mod x86;

pub use machine::{
    Arrays, CrossCompiler, Definitions, Emulation, Machine, Moves, Processor, RegisterFile, RegisterType, Run,
};

use rewright_semantics::ast::{MemoryDef, Module};
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::SourceMap;
use rewright_semantics::sym::Name;
use rewright_semantics::types::MemName;
use std::sync::{Arc, OnceLock};

/// The machines. A new one is a folder and a line here.
pub const MACHINES: &[&Machine] = &[
    &avx2::MACHINE,
    &avx512::MACHINE,
    &neon::MACHINE,
    &rvv::MACHINE,
    &amx::MACHINE,
    &gemmini::MACHINE,
    &accelerator::MACHINE,
];

/// The standard memories, and what every machine defines. The definitions are added to `sources`, so that a message
/// may show them.
pub fn prelude(sources: &mut SourceMap) -> Prelude {
    read(sources, MACHINES).0
}

/// What is known of machines.
#[derive(Debug)]
pub struct Known {
    /// The standard memories, and what the machines define.
    pub prelude: Prelude,
    /// What each machine defines in the object language.
    pub modules: Vec<(&'static Machine, Module)>,
    /// What is wrong with the definitions.
    pub wrong: Vec<Diagnostic>,
}

/// The [`MACHINES`], and after them machines of one's own, without vector registers. The definitions are added to
/// `sources`. C is made of the memories of a machine of one's own where they are a module's. Spec: [rule: machines.own].
pub fn known(sources: &mut SourceMap, more: &[&'static Machine]) -> Known {
    let (prelude, modules, wrong) = read(sources, &[MACHINES, more].concat());
    Known { prelude, modules, wrong }
}

/// What each machine defines in the object language, in the order of [`MACHINES`].
pub fn modules() -> &'static [(&'static Machine, Module)] {
    static MODULES: OnceLock<Vec<(&'static Machine, Module)>> = OnceLock::new();
    MODULES.get_or_init(|| read(&mut SourceMap::new(), MACHINES).1)
}

/// The memories that the machines define in the object language.
pub fn memories() -> impl Iterator<Item = &'static Arc<MemoryDef>> {
    modules().iter().flat_map(|(_, module)| &module.memories)
}

/// The vector registers of the machines that have some.
pub fn register_files() -> impl Iterator<Item = &'static RegisterFile> {
    MACHINES.iter().filter_map(|m| m.registers.as_ref())
}

/// The prelude, what each machine defines, and what is wrong with it: nothing.
fn read(
    sources: &mut SourceMap,
    machines: &[&'static Machine],
) -> (Prelude, Vec<(&'static Machine, Module)>, Vec<Diagnostic>) {
    let mut prelude = Prelude::standard();
    prelude.memories.extend(register_files().map(|r| MemName(Name::new(r.memory))));
    let (mut modules, mut wrong) = (Vec::new(), Vec::new());
    for machine in machines.iter().copied() {
        let mut all = Module::default();
        for definitions in machine.definitions {
            let file = sources.add(definitions.name, machine.source(definitions));
            let parsed = parse_module(file, sources, &prelude);
            let module = parsed.module;
            prelude.procs.extend(module.procs.iter().cloned());
            prelude.configs.extend(module.configs.iter().cloned());
            prelude.memories.extend(module.memories.iter().map(|m| m.name));
            all.memories.extend(module.memories);
            all.configs.extend(module.configs);
            all.procs.extend(module.procs);
            wrong.extend(parsed.diagnostics);
        }
        modules.push((machine, all));
    }
    (prelude, modules, wrong)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rewright_semantics::typecheck::check_proc;
    use std::collections::BTreeSet;

    /// Spec: [rule: machines].
    #[test]
    fn every_definition_is_right() {
        let (prelude, _, wrong) = read(&mut SourceMap::new(), MACHINES);
        assert!(wrong.is_empty(), "{wrong:?}");
        assert!(prelude.procs.len() > 200, "{}", prelude.procs.len());
        for p in &prelude.procs {
            assert!(check_proc(p).is_empty(), "{}", p.name);
            // What is no instruction says how one rounds.
            assert!(p.instr.is_some() || p.name.as_str().contains("_sum_"), "{}", p.name);
        }
    }

    #[test]
    fn machines_and_memories_have_names_of_their_own() {
        let names: BTreeSet<&str> = MACHINES.iter().map(|m| m.name).collect();
        assert_eq!(names.len(), MACHINES.len());
        let prelude = prelude(&mut SourceMap::new());
        let memories: BTreeSet<&MemName> = prelude.memories.iter().collect();
        assert_eq!(memories.len(), prelude.memories.len(), "{:?}", prelude.memories);
    }

    /// The instructions that move registers are defined, and take what they say.
    #[test]
    fn registers_are_moved_by_instructions_that_there_are() {
        let prelude = prelude(&mut SourceMap::new());
        let mut moved = 0;
        for file in register_files() {
            for (t, m) in file.types.iter().filter_map(|t| Some((t, t.moves?))) {
                for (name, register) in [(m.load, 0), (m.store, 1)] {
                    let p = prelude.procs.iter().find(|p| p.name.as_str() == name).expect("a move");
                    let arg = rewright_semantics::pretty::proc_to_string(p);
                    let arg = arg.split(['(', ',', ')']).filter(|a| a.contains(": [")).nth(register);
                    let typ = format!(": [{}][{}] @ {}", t.elem, t.lanes, file.memory);
                    assert!(arg.is_some_and(|a| a.ends_with(&typ)), "{name}: {arg:?}, {typ}");
                    moved += 1;
                }
            }
        }
        assert!(moved >= 8, "{moved}");
    }
}
