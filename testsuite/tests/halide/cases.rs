//! The reference cases: what a practical system does, held against the model.

use rayon::prelude::*;
use rewright_campaign::halide::cases::{Effort, Report, check};
use rewright_halide_model::case;
use std::path::{Path, PathBuf};

fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/halide");
    let mut out = Vec::new();
    for folder in ["valid", "invalid"] {
        let entries = std::fs::read_dir(root.join(folder)).expect("the corpus");
        out.extend(entries.flatten().map(|e| e.path()));
    }
    out.sort();
    out
}

/// [rule: halide.case] [rule: halide.valid] [rule: halide.c] [rule: halide.bounds]
#[test]
fn every_case_comes_out_as_it_states() {
    let reports: Vec<(PathBuf, Report)> = files()
        .into_par_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a readable file");
            let case = case::read(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let report = check(&case, Effort { c: true, verify: true });
            (path, report)
        })
        .collect();
    assert!(reports.len() >= 100, "only {} cases", reports.len());
    let faults: Vec<String> = reports
        .iter()
        .flat_map(|(path, r)| r.faults.iter().map(move |f| format!("{}: {f}", path.display())))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let larger: Vec<String> = reports
        .iter()
        .flat_map(|(path, r)| r.larger.iter().map(move |f| format!("{}: {f}", path.display())))
        .collect();
    assert!(larger.is_empty(), "the tight engine allocates more than was recorded:\n{}", larger.join("\n"));
    let by_rule = reports.iter().filter(|(_, r)| r.by_rule).count();
    assert!(by_rule > 50, "only {by_rule} cases are evaluated by the rules themselves");
}
