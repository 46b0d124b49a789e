//! The tables of `spec/README.md` are what Cargo knows: which crate may depend on which, and what comes from others.
//! Spec: [rule: layers].

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

type Edges = BTreeMap<String, BTreeSet<String>>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn packages() -> Vec<Value> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let out = Command::new(cargo)
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&out.stdout).expect("cargo prints JSON");
    metadata["packages"].as_array().expect("a list of packages").clone()
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// The names of the packages that each of ours depends on, tests included, as far as they are wanted.
fn edges(wanted: impl Fn(&str) -> bool) -> Edges {
    let of = |package: &Value| {
        let deps = package["dependencies"].as_array().expect("a list of dependencies");
        let names = deps.iter().map(|d| text(&d["name"])).filter(|name| wanted(name));
        (text(&package["name"]), names.collect())
    };
    packages().iter().map(of).collect()
}

/// The rows of the table below a heading, cell by cell.
fn rows(heading: &str) -> Vec<Vec<String>> {
    let page = std::fs::read_to_string(root().join("spec/README.md")).expect("the page");
    let below = page.split_once(&format!("\n## {heading}\n")).expect("the heading").1;
    let below = below.split("\n## ").next().unwrap_or(below);
    let lines = below.lines().filter(|l| l.starts_with('|')).skip(2);
    lines.map(|l| l.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

/// The words in backquotes.
fn quoted(cell: &str) -> BTreeSet<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn a_crate_depends_on_what_the_table_says() {
    let mut told = Edges::new();
    for row in rows("Crates") {
        let on = row[1].split(", ").filter(|c| *c != "nothing of ours");
        told.insert(row[0].replace('`', ""), on.map(|c| format!("rewright-{c}")).collect());
    }
    assert_eq!(edges(|name| name.starts_with("rewright-")), told);
    // In the order of the table, each stands on what comes before it.
    let order: Vec<String> = rows("Crates").iter().map(|row| row[0].replace('`', "")).collect();
    for (k, name) in order.iter().enumerate() {
        let above: Vec<_> = told[name].iter().filter(|dep| !order[..k].contains(dep)).collect();
        assert!(above.is_empty(), "{name} stands on {above:?}");
    }
}

#[test]
fn what_comes_from_others_is_in_the_table() {
    let ours = edges(|name| !name.starts_with("rewright-"));
    let used: BTreeSet<String> = ours.into_values().flatten().collect();
    let mut told: BTreeSet<String> =
        rows("Third-party crates").iter().flat_map(|row| quoted(&row[0])).collect();
    // Under the name that it was published by.
    assert!(told.remove("im") && told.contains("imbl"));
    assert_eq!(used, told);
}

/// How many lines are a screen.
const SCREEN: usize = 50;

/// Words of the table of definitions, with the symbol that stands above what computes it.
const TEN_DEFINITIONS: [(&str, &str); 10] = [
    ("Lift", "Lift"),
    ("ValG", "ValG"),
    ("Eff", "Eff"),
    ("Commutes", "Commutes"),
    ("Shadows", "Shadows"),
    ("CtrlPred", "CtrlPred"),
    ("PreValG", "PreValG"),
    ("PostEff", "PostEff"),
    ("≅_𝓛", "≅ modulo fields"),
    ("𝓑", "the bounds query 𝓑"),
];

/// Who looks one of these up by its name in the papers finds, in the place that the table says, one function with the
/// symbol above it, on one screen.
#[test]
fn each_definition_is_one_function_on_a_screen() {
    let table = rows("Where to find a definition");
    for (name, word) in TEN_DEFINITIONS {
        let row = table.iter().find(|row| row[0] == word).unwrap_or_else(|| panic!("no row {word}"));
        let [_, file, _, function, ..] = row[2].split('`').collect::<Vec<_>>()[..] else { panic!("{row:?}") };
        let place = format!("{file}: {function}");
        let text = std::fs::read_to_string(root().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
        let lines: Vec<&str> = text.lines().collect();
        let starts = |l: &&str| {
            l.trim_start_matches("pub(super) ")
                .trim_start_matches("pub ")
                .starts_with(&format!("fn {function}("))
        };
        let at: Vec<usize> = (0..lines.len()).filter(|k| starts(&lines[*k])).collect();
        let [at] = at[..] else { panic!("{place} is there {} times", at.len()) };
        let words: Vec<&str> =
            lines[..at].iter().rev().take_while(|l| l.starts_with("///")).copied().collect();
        assert!(words.iter().any(|l| l.contains(name)), "`{name}` does not stand above {place}");
        let length = lines[at..].iter().position(|l| *l == "}").expect("the end of the function");
        assert!(length <= SCREEN, "{place} has {length} lines");
    }
}

/// What a crate declares, it uses.
#[test]
fn no_dependency_is_idle() {
    let mut idle = Vec::new();
    for package in packages() {
        let folder = PathBuf::from(text(&package["manifest_path"])).parent().expect("a folder").to_owned();
        let mut code = String::new();
        for part in ["src", "tests", "benches", "build.rs"] {
            read(&folder.join(part), &mut code);
        }
        for dep in package["dependencies"].as_array().expect("a list") {
            let name = dep["rename"].as_str().unwrap_or(dep["name"].as_str().expect("a name"));
            if !code.contains(&name.replace('-', "_")) {
                idle.push(format!("{} does not use {name}", package["name"]));
            }
        }
    }
    assert!(idle.is_empty(), "{idle:#?}");
}

/// All Rust below a path.
fn read(path: &Path, out: &mut String) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).expect("a folder") {
            read(&entry.expect("an entry").path(), out);
        }
    } else if path.is_file() && path.extension().is_some_and(|e| e == "rs") {
        out.push_str(&std::fs::read_to_string(path).expect("a file"));
    }
}
