//! The reference cases with types: what a practical system does, held against the model.

use rayon::prelude::*;
use rewright_campaign::halide::cases::Effort;
use rewright_campaign::halide::typed_cases::{Outcome, TypedReport, check};
use std::path::{Path, PathBuf};

/// Where more is asked for than in practice, and why.
const LARGER: &[(&str, &str)] = &[
    ("clamp_crossed", "there the value is folded to a constant, and the input is not read at all"),
    (
        "app_local_laplacian",
        "a round tail of `oG1` reads `iP1` where there nothing has been stored; here it is computed, from `gray`",
    ),
];

fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/halide_typed");
    let mut out = Vec::new();
    for folder in ["valid", "invalid"] {
        let entries = std::fs::read_dir(root.join(folder)).expect("the corpus");
        out.extend(entries.flatten().map(|e| e.path()));
    }
    out.sort();
    out
}

fn name(path: &Path) -> String {
    path.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}

/// [rule: halide.case] [rule: halide.wrap] [rule: halide.promotion] [rule: halide.input] [rule: halide.math]
#[test]
fn every_case_agrees_or_waits() {
    let reports: Vec<(String, TypedReport)> = files()
        .into_par_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a readable file");
            (name(&path), check(&text, Effort { c: true, verify: true }))
        })
        .collect();
    let (mut agree, mut wrong) = (0, Vec::new());
    for (name, report) in &reports {
        match &report.outcome {
            Outcome::Agrees => agree += 1,
            Outcome::Differs(faults) => wrong.push(format!("{name}: {}", faults.join("\n  "))),
            Outcome::NotCovered(what) => wrong.push(format!("{name}: not covered: {what}")),
        }
        let allowed = LARGER.iter().any(|(case, _)| case == name);
        if allowed == report.larger.is_empty() {
            wrong.push(format!("{name}: larger: {:?}", report.larger));
        }
        if !report.done.iter().all(|d| !d.starts_with("not verified")) {
            eprintln!("{name}: {}", report.done.join(", "));
        }
    }
    eprintln!("{agree} of {} cases agree", reports.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
