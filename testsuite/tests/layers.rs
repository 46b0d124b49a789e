//! Crates depend downwards only.

use std::collections::BTreeMap;
use std::process::Command;

/// From the bottom up. A crate may depend on those before it; the two at the top on everything.
const LAYERS: [&str; 9] = [
    "rewright-base",
    "rewright-perceus",
    "rewright-semantics",
    "rewright-effects",
    "rewright-primitives",
    "rewright-backends",
    "rewright-halide-model",
    "rewright-testsuite",
    "rewright-cli",
];

#[test]
fn crates_depend_only_downwards() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let out = Command::new(cargo)
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let metadata: serde_json::Value = serde_json::from_slice(&out.stdout).expect("cargo prints JSON");
    let mut edges: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in metadata["packages"].as_array().expect("a list of packages") {
        let deps = package["dependencies"].as_array().expect("a list of dependencies");
        let ours = deps.iter().filter_map(|d| d["name"].as_str()).filter(|n| n.starts_with("rewright-"));
        edges.insert(package["name"].as_str().expect("a name").to_owned(), ours.map(str::to_owned).collect());
    }
    assert_eq!(edges.len(), LAYERS.len(), "a crate is missing from the list above");
    let rank = |name: &str| LAYERS.iter().position(|l| *l == name).expect("a listed crate");
    for (from, to) in &edges {
        for dep in to {
            assert!(rank(dep) < rank(from), "{from} must not depend on {dep}");
        }
    }
}
