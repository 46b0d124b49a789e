//! The machines whose instructions are known by name: definitions in the object language, one file each.
//! Spec: [rule: machines].

use rewright_semantics::diag::Diagnostic;
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::SourceMap;

/// The libraries: a name for messages, and the definitions. A new machine is a file and a line here.
pub const LIBRARIES: [(&str, &str); 2] =
    [("<avx2>", include_str!("machines/avx2.py")), ("<avx512>", include_str!("machines/avx512.py"))];

/// The standard memories, and the instructions of every machine. The libraries are added to `sources`, so that a
/// message may show them.
pub fn prelude(sources: &mut SourceMap) -> Prelude {
    read(sources).0
}

/// The prelude, and what is wrong with the libraries: nothing.
fn read(sources: &mut SourceMap) -> (Prelude, Vec<Diagnostic>) {
    let mut prelude = Prelude::standard();
    let mut wrong = Vec::new();
    for (name, text) in LIBRARIES {
        let file = sources.add(name, text);
        let parsed = parse_module(file, sources, &prelude);
        prelude.procs.extend(parsed.module.procs);
        wrong.extend(parsed.diagnostics);
    }
    (prelude, wrong)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rewright_semantics::typecheck::check_proc;

    /// Spec: [rule: machines].
    #[test]
    fn every_library_is_right() {
        let (prelude, wrong) = read(&mut SourceMap::new());
        assert!(wrong.is_empty(), "{wrong:?}");
        assert!(prelude.procs.len() > 30);
        for p in &prelude.procs {
            assert!(check_proc(p).is_empty(), "{}", p.name);
            assert!(p.instr.is_some(), "{}", p.name);
        }
    }
}
