//! Every question has a bound in work: programs of a dozen lines that are hard to decide. Spec: [rule: solving].
//!
//! Nothing is said about the time, which depends on the machine; without the bound this test does not end.

use rewright_effects::frontend::check_module;
use rewright_effects::obligation::Verdict;
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::SourceMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

#[test]
fn hard_questions_have_an_answer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/hard");
    let (mut programs, mut unknown) = (0, 0);
    for entry in fs::read_dir(folder).expect("the corpus") {
        let path = entry.expect("a file").path();
        let mut sources = SourceMap::new();
        let file = sources.add(path.display().to_string(), fs::read_to_string(&path).expect("a program"));
        let parsed = parse_module(file, &sources, &Prelude::standard());
        assert!(parsed.diagnostics.is_empty(), "{}", path.display());
        let start = Instant::now();
        let checked = check_module(&parsed.module);
        let findings: Vec<_> = checked.iter().flat_map(|c| &c.findings).collect();
        let open = findings.iter().filter(|f| matches!(f.verdict, Verdict::Unknown { .. })).count();
        println!("{}: {} questions, {open} open, {:?}", path.display(), findings.len(), start.elapsed());
        programs += 1;
        unknown += open;
    }
    assert!(programs >= 4, "{programs} programs");
    println!("{unknown} questions are open");
}
