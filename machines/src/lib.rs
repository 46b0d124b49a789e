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
use rewright_semantics::parse::{Parsed, Prelude, parse_module};
use rewright_semantics::span::{FileId, SharedFiles, SourceFile, SourceMap};
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

/// The standard memories, and what every machine defines. A message of `sources` may show the definitions.
pub fn prelude(sources: &mut SourceMap) -> Prelude {
    let (own, files) = own();
    sources.share(files);
    own.prelude.clone()
}

/// What is known of machines.
#[derive(Clone, Debug)]
pub struct Known {
    /// The standard memories, and what the machines define.
    pub prelude: Prelude,
    /// What each machine defines in the object language.
    pub modules: Vec<(&'static Machine, Module)>,
    /// What is wrong with the definitions.
    pub wrong: Vec<Diagnostic>,
}

impl Known {
    /// The standard memories, and those of vector registers, which are not defined in the object language.
    fn nothing() -> Known {
        let mut prelude = Prelude::standard();
        prelude.memories.extend(register_files().map(|r| MemName(Name::new(r.memory))));
        Known { prelude, modules: Vec::new(), wrong: Vec::new() }
    }

    /// Reads what one more machine defines, in these files; it sees what was read before.
    fn read(&mut self, machine: &'static Machine, files: &[FileId], sources: &SourceMap) {
        let mut all = Module::default();
        for file in files {
            let Parsed { module, diagnostics } = parse_module(*file, sources, &self.prelude);
            self.prelude.procs.extend(module.procs.iter().cloned());
            self.prelude.configs.extend(module.configs.iter().cloned());
            self.prelude.memories.extend(module.memories.iter().map(|m| m.name));
            all.memories.extend(module.memories);
            all.configs.extend(module.configs);
            all.procs.extend(module.procs);
            self.wrong.extend(diagnostics);
        }
        self.modules.push((machine, all));
    }
}

/// The [`MACHINES`], and after them machines of one's own, without vector registers. A message of `sources` may show the
/// definitions. C is made of the memories of a machine of one's own where they are a module's. Spec: [rule: machines.own].
pub fn known(sources: &mut SourceMap, more: &[&'static Machine]) -> Known {
    let (own, files) = own();
    sources.share(files);
    let mut known = own.clone();
    for machine in more {
        let files: Vec<FileId> =
            machine.definitions.iter().map(|d| sources.add(d.name, machine.source(d))).collect();
        known.read(machine, &files, sources);
    }
    known
}

/// What is known of the [`MACHINES`], read once, and where it is written.
fn own() -> &'static (Known, SharedFiles) {
    static OWN: OnceLock<(Known, SharedFiles)> = OnceLock::new();
    OWN.get_or_init(|| {
        let written = |m: &&Machine| m.definitions.iter().map(|d| source_file(m, d)).collect::<Vec<_>>();
        let files = SharedFiles::of(MACHINES.iter().flat_map(written));
        let mut sources = SourceMap::new();
        sources.share(&files);
        let mut known = Known::nothing();
        let mut ids = files.ids();
        for machine in MACHINES {
            let own: Vec<FileId> = ids.by_ref().take(machine.definitions.len()).collect();
            known.read(machine, &own, &sources);
        }
        (known, files)
    })
}

fn source_file(machine: &Machine, definitions: &Definitions) -> SourceFile {
    SourceFile { name: definitions.name.to_owned(), text: machine.source(definitions).into() }
}

/// What each machine defines in the object language, in the order of [`MACHINES`].
pub fn modules() -> &'static [(&'static Machine, Module)] {
    &own().0.modules
}

/// The memories that the machines define in the object language.
pub fn memories() -> impl Iterator<Item = &'static Arc<MemoryDef>> {
    modules().iter().flat_map(|(_, module)| &module.memories)
}

/// The vector registers of the machines that have some.
pub fn register_files() -> impl Iterator<Item = &'static RegisterFile> {
    MACHINES.iter().filter_map(|m| m.registers.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rewright_semantics::typecheck::check_proc;
    use std::collections::BTreeSet;

    /// Spec: [rule: machines].
    #[test]
    fn every_definition_is_right() {
        let Known { prelude, wrong, .. } = known(&mut SourceMap::new(), &[]);
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
