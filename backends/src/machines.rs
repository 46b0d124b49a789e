//! The machines whose memories, configuration and instructions are known by name: definitions in the object
//! language, a folder each. Spec: [rule: machines].

use rewright_semantics::ast::{MemoryDef, Module};
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::SourceMap;
use std::sync::{Arc, OnceLock};

/// The definitions of a machine, or of a part of it.
#[derive(Clone, Copy, Debug)]
pub struct Library {
    /// Its name in messages.
    pub name: &'static str,
    /// The definitions.
    pub text: &'static str,
    /// C that stands for the hardware, as the constant `MODEL` of the definitions.
    pub model: Option<&'static str>,
}

const fn library(name: &'static str, text: &'static str) -> Library {
    Library { name, text, model: None }
}

/// The libraries. A new machine is a folder and a line here.
pub const LIBRARIES: [Library; 5] = [
    library("<avx2, f32>", include_str!("machines/avx2/f32.py")),
    library("<avx2, f64>", include_str!("machines/avx2/f64.py")),
    library("<avx512, f32>", include_str!("machines/avx512/f32.py")),
    library("<avx512, f64>", include_str!("machines/avx512/f64.py")),
    Library {
        name: "<gemmini>",
        text: include_str!("machines/gemmini/instructions.py"),
        model: Some(include_str!("machines/gemmini/model.h")),
    },
];

impl Library {
    /// The definitions as they are read: the model is defined above them.
    fn source(&self) -> String {
        match self.model {
            Some(model) => format!("MODEL = r\"\"\"{model}\"\"\"\n{}", self.text),
            None => self.text.to_owned(),
        }
    }
}

/// The standard memories, and what every machine defines. The libraries are added to `sources`, so that a message
/// may show them.
pub fn prelude(sources: &mut SourceMap) -> Prelude {
    read(sources).0
}

/// The memories that the libraries define.
pub(crate) fn memories() -> &'static [Arc<MemoryDef>] {
    static MEMORIES: OnceLock<Vec<Arc<MemoryDef>>> = OnceLock::new();
    MEMORIES.get_or_init(|| read(&mut SourceMap::new()).1.memories)
}

/// The prelude, all that the libraries define, and what is wrong with them: nothing.
fn read(sources: &mut SourceMap) -> (Prelude, Module, Vec<Diagnostic>) {
    let mut prelude = Prelude::standard();
    let (mut all, mut wrong) = (Module::default(), Vec::new());
    for library in LIBRARIES {
        let file = sources.add(library.name, library.source());
        let parsed = parse_module(file, sources, &prelude);
        prelude.procs.extend(parsed.module.procs.iter().cloned());
        prelude.configs.extend(parsed.module.configs.iter().cloned());
        prelude.memories.extend(parsed.module.memories.iter().map(|m| m.name));
        all.memories.extend(parsed.module.memories);
        all.configs.extend(parsed.module.configs);
        all.procs.extend(parsed.module.procs);
        wrong.extend(parsed.diagnostics);
    }
    (prelude, all, wrong)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rewright_semantics::typecheck::check_proc;

    /// Spec: [rule: machines].
    #[test]
    fn every_library_is_right() {
        let (prelude, _, wrong) = read(&mut SourceMap::new());
        assert!(wrong.is_empty(), "{wrong:?}");
        assert!(prelude.procs.len() > 90, "{}", prelude.procs.len());
        for p in &prelude.procs {
            assert!(check_proc(p).is_empty(), "{}", p.name);
            // What is no instruction says how one rounds.
            assert!(p.instr.is_some() || p.name.as_str().contains("_sum_"), "{}", p.name);
        }
    }
}
