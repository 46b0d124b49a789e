//! Which module of a crate stands on which: no circle of files but through a parent's own file.
//! Spec: [rule: layers].

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A module by its path inside its crate; the crate itself has none.
type Module = Vec<String>;
type Graph = BTreeMap<Module, BTreeSet<Module>>;

/// Circles that are known, by the crate and the outermost modules in them. `analysis ↔ eff ↔ valg` is essential: effects,
/// values of globals and what holds at a place are defined by one induction. The others wait to be mended, and one
/// that is must be taken off.
const KNOWN: &[(&str, &str)] = &[
    ("semantics", "ast types"),
    ("semantics", "denote::precision denote::resolve"),
    ("semantics", "inputs::partial inputs::solve"),
    ("semantics", "store value"),
    ("effects", "analysis digest eff valg"),
    ("effects", "env locset"),
    ("primitives", "derivation::audit derivation::replay"),
    ("primitives", "edit forward kept"),
    ("primitives", "script::eval script::methods"),
    ("primitives", "unify::choices unify::solve"),
    ("backends", "c::control c::lower c::range c::unit c::unset c::window"),
    ("backends", "c::overlap c::usage"),
    ("perceus", "case::expr case::read"),
    ("perceus", "case::reuse case::run"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The folders of the crates.
fn crates() -> Vec<String> {
    let entries = std::fs::read_dir(root()).expect("the root").map(|e| e.expect("an entry").path());
    let crates = entries.filter(|path| path.join("Cargo.toml").is_file());
    crates.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect()
}

#[test]
fn circles_of_modules_go_through_a_parent() {
    let known: BTreeSet<(String, String)> =
        KNOWN.iter().map(|(c, modules)| ((*c).to_owned(), (*modules).to_owned())).collect();
    let mut found = BTreeSet::new();
    for krate in crates() {
        let graph = graph(&sources(&root().join(&krate).join("src")));
        found.extend(circles(&graph).into_iter().map(|c| (krate.clone(), c)));
    }
    let new: Vec<_> = found.difference(&known).collect();
    assert!(new.is_empty(), "modules that stand on each other, neither the other's parent: {new:#?}");
    let mended: Vec<_> = known.difference(&found).collect();
    assert!(mended.is_empty(), "no longer there, to be taken off the list: {mended:#?}");
}

/// A library or a command that says `test = false` has no tests beside its code: cargo would leave them out without a word.
#[test]
fn what_is_not_tested_has_no_tests() {
    let mut without = 0;
    for krate in crates() {
        let manifest = std::fs::read_to_string(root().join(&krate).join("Cargo.toml")).expect("a manifest");
        let lib = manifest.split("[lib]").nth(1).and_then(|rest| rest.split("\n[").next());
        let folder = match lib {
            Some(lib) if lib.contains("test = false") => "src",
            Some(_) | None if manifest.contains("test = false") => "src/bin",
            Some(_) | None => continue,
        };
        without += 1;
        for (module, text) in sources(&root().join(&krate).join(folder)) {
            assert!(
                !text.contains("#[test]"),
                "the tests of {krate}/{folder} {} are not run",
                module.join("::")
            );
        }
    }
    assert!(without > 3, "only {without} say so");
}

/// The scanner finds what is used in every way of saying it, and nothing in comments, texts and tests.
#[test]
fn the_scanner_reads_paths() {
    let text = r##"
        //! crate::comment
        use crate::a::{self, b::C, d as e};
        pub(crate) use super::sibling::*;
        mod child;
        fn f<'a>(x: &'a str) -> char {
            child::g("crate::text", r#"crate::raw"#, 'c');
            let y: crate::inline::Type = self::child::h();
            '"'
        }
        macro_rules! m { () => { crate::in_macro::x() } }
        #[cfg(test)]
        mod tests {
            use crate::tested;
        }
    "##;
    let names =
        ["a", "a::b", "m", "m::child", "sibling", "inline", "in_macro", "text", "raw", "comment", "tested"];
    let mut files: BTreeMap<Module, String> = names.iter().map(|n| (module(n), String::new())).collect();
    files.insert(module("m"), text.to_owned());
    files.insert(Module::new(), String::new());
    let used: Vec<String> = graph(&files)[&module("m")].iter().map(|m| m.join("::")).collect();
    assert_eq!(used, ["a", "a::b", "in_macro", "inline", "m::child", "sibling"]);
}

/// A circle through a common parent is none; one beside it is.
#[test]
fn a_circle_of_siblings_is_found() {
    let graph = |edges: &[(&str, &str)]| {
        let mut graph = Graph::new();
        for (a, b) in edges {
            graph.entry(module(a)).or_default().insert(module(b));
            graph.entry(module(b)).or_default();
        }
        graph
    };
    assert!(circles(&graph(&[("p", "p::a"), ("p::a", "p"), ("p", "p::b"), ("p::b", "p")])).is_empty());
    let siblings = [("p", "p::a"), ("p::a", "p::b"), ("p::b", "p::a"), ("p::a", "p")];
    assert_eq!(circles(&graph(&siblings)), ["p::a p::b"]);
    let through_another = [("p", "p::a"), ("p::a", "q"), ("q", "p")];
    assert_eq!(circles(&graph(&through_another)), ["p q"]);
}

fn module(path: &str) -> Module {
    path.split("::").map(str::to_owned).collect()
}

/// The text of each module of a crate.
fn sources(folder: &Path) -> BTreeMap<Module, String> {
    let mut out = BTreeMap::new();
    read(folder, &Module::new(), &mut out);
    out
}

fn read(folder: &Path, at: &Module, out: &mut BTreeMap<Module, String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|n| n.to_str()).expect("a name").to_owned();
        let inside = || at.iter().cloned().chain([name.clone()]).collect::<Module>();
        if path.is_dir() {
            read(&path, &inside(), out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let root = at.is_empty() && (name == "lib" || name == "main");
            let text = std::fs::read_to_string(&path).expect("a text");
            out.entry(if root { Module::new() } else { inside() }).or_default().push_str(&text);
        }
    }
}

/// Which modules each one names.
fn graph(files: &BTreeMap<Module, String>) -> Graph {
    let mut graph = Graph::new();
    for (at, text) in files {
        let code = without_tests(&code(text));
        let mut used: BTreeSet<Module> =
            paths(&tokens(&code)).iter().filter_map(|path| resolved(path, at, files)).collect();
        used.remove(at);
        graph.insert(at.clone(), used);
    }
    graph
}

/// A text without comments and with empty literals.
fn code(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let len = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(len) = literal(rest, out.chars().last()) {
            out.push_str("\"\"");
            len
        } else {
            out.push(c);
            c.len_utf8()
        };
        rest = &rest[len..];
    }
    out
}

/// The length of the string or character that begins here.
fn literal(rest: &str, before: Option<char>) -> Option<usize> {
    let in_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    if let Some(raw) = rest.strip_prefix('r').filter(|_| !in_word || before == Some('b')) {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            let body = &raw[hashes + 1..];
            return Some(2 + hashes + body.find(&end).map_or(body.len(), |at| at + end.len()));
        }
    }
    let quote = rest.chars().next().filter(|c| *c == '"' || *c == '\'')?;
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if !escaped && c == quote {
            return Some(at + 1);
        }
        // One that does not end after one character is a lifetime.
        if quote == '\'' && at > 1 && !rest[1..].starts_with('\\') {
            return None;
        }
        escaped = !escaped && c == '\\';
    }
    None
}

/// Without the modules that are compiled for tests only.
fn without_tests(code: &str) -> String {
    let Some(at) = code.find("#[cfg(test)]\nmod ").or_else(|| {
        let at = code.find("#[cfg(test)]")?;
        code[at..].trim_start_matches("#[cfg(test)]").trim_start().starts_with("mod ").then_some(at)
    }) else {
        return code.to_owned();
    };
    let (before, after) = code.split_at(at);
    let mut depth = 0;
    for (end, c) in after.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return before.to_owned() + &without_tests(&after[end + 1..]),
            '}' => depth -= 1,
            ';' if depth == 0 => return before.to_owned() + &without_tests(&after[end + 1..]),
            _ => {}
        }
    }
    before.to_owned()
}

/// Words, `::`, and other characters one by one.
fn tokens(code: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = code.trim_start();
    while let Some(c) = rest.chars().next() {
        let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let len = match word {
            0 if rest.starts_with("::") => 2,
            0 => c.len_utf8(),
            word => word,
        };
        out.push(&rest[..len]);
        rest = rest[len..].trim_start();
    }
    out
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// All paths of two or more words, and those of `use`, its groups spread out.
fn paths(tokens: &[&str]) -> Vec<Vec<String>> {
    let (mut out, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        if tokens[at] == "use" {
            at = tree(tokens, at + 1, &[], &mut out);
        } else if is_word(tokens[at]) && at.checked_sub(1).is_none_or(|before| tokens[before] != "::") {
            let mut path = vec![tokens[at].to_owned()];
            while tokens.get(at + 1) == Some(&"::") && tokens.get(at + 2).is_some_and(|t| is_word(t)) {
                path.push(tokens[at + 2].to_owned());
                at += 2;
            }
            if path.len() > 1 {
                out.push(path);
            }
            at += 1;
        } else {
            at += 1;
        }
    }
    out
}

/// One branch of what is used, below `prefix`; where it ends.
fn tree(tokens: &[&str], mut at: usize, prefix: &[String], out: &mut Vec<Vec<String>>) -> usize {
    let mut path = prefix.to_vec();
    while let Some(token) = tokens.get(at) {
        match *token {
            "::" => at += 1,
            "{" => {
                at += 1;
                while tokens.get(at).is_some_and(|t| *t != "}") {
                    at = tree(tokens, at, &path, out);
                    at += usize::from(tokens.get(at) == Some(&","));
                }
                return at + 1;
            }
            "as" => at += 2,
            word if is_word(word) => {
                path.push(word.to_owned());
                at += 1;
            }
            "*" => at += 1,
            _ => break,
        }
    }
    out.push(path);
    at
}

/// The innermost module of the crate that a path goes through, as it is written in the module `at`.
fn resolved(path: &[String], at: &Module, files: &BTreeMap<Module, String>) -> Option<Module> {
    let child = |name: &String| at.iter().cloned().chain([name.clone()]).collect::<Module>();
    let mut full: Module = match path.first()?.as_str() {
        "crate" => path[1..].to_vec(),
        "self" => at.iter().chain(&path[1..]).cloned().collect(),
        "super" => {
            let up = path.iter().take_while(|p| *p == "super").count();
            at.iter().take(at.len().saturating_sub(up)).chain(&path[up..]).cloned().collect()
        }
        _ if files.contains_key(&child(&path[0])) => at.iter().chain(path).cloned().collect(),
        _ => return None,
    };
    while !files.contains_key(&full) {
        full.pop()?;
    }
    Some(full)
}

/// The circles in which no module is the ancestor of all others, by their outermost modules.
fn circles(graph: &Graph) -> Vec<String> {
    let mut out = Vec::new();
    broken(graph, &graph.keys().collect(), &mut out);
    out.sort();
    out
}

/// A circle with an ancestor of all its modules is looked at without it.
fn broken(graph: &Graph, among: &BTreeSet<&Module>, out: &mut Vec<String>) {
    for mut circle in components(graph, among) {
        let root = circle.iter().find(|m| circle.iter().all(|other| other.starts_with(m))).copied();
        if let Some(root) = root {
            circle.remove(root);
            broken(graph, &circle, out);
        } else {
            let outermost =
                circle.iter().filter(|m| !circle.iter().any(|other| other != *m && m.starts_with(other)));
            out.push(outermost.map(|m| m.join("::")).collect::<Vec<_>>().join(" "));
        }
    }
}

/// The sets of two or more modules each of which reaches all others.
fn components<'g>(graph: &'g Graph, among: &BTreeSet<&'g Module>) -> Vec<BTreeSet<&'g Module>> {
    let reached = |from: &'g Module| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(m) = open.pop() {
            open.extend(graph[m].iter().filter(|n| among.contains(n) && seen.insert(*n)));
        }
        seen
    };
    let reach: BTreeMap<&Module, BTreeSet<&Module>> = among.iter().map(|m| (*m, reached(m))).collect();
    let mut out: Vec<BTreeSet<&Module>> = Vec::new();
    for (m, to) in &reach {
        let circle: BTreeSet<&Module> = to.iter().filter(|n| reach[*n].contains(m)).copied().collect();
        if circle.len() > 1 && !out.contains(&circle) {
            out.push(circle);
        }
    }
    out
}
