//! Every entry of `spec/errata.md` about effects has its program executed: most in `corpus/conditions` (the cases
//! whose names begin with its number), the others here. And every entry, those of Halide and Perceus included, is named
//! by the code that does otherwise than is printed, or by the test that shows why.

use rewright_effects::analysis::Analysis;
use rewright_effects::conditions::{commutes, fuse_loops, reorder_loops};
use rewright_effects::context::{Context, Hole, Step};
use rewright_effects::effect::Effect;
use rewright_effects::locset::Base;
use rewright_effects::solver::Solver;
use rewright_semantics::ast::{Proc, Stmt};
use rewright_semantics::build::{
    alloc, assign, block, call, data, for_, int, proc, read, read_config, size_arg, tensor_arg, var,
    write_config,
};
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::denote::{Denotation, Limits};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::SourceMap;
use rewright_semantics::store::Store;
use rewright_semantics::sym::Sym;
use rewright_semantics::types::DataType;
use rewright_testsuite::table::cases;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The numbers of the entries about effects and conditions; those from 21 to 29 are about the language.
fn entries() -> Vec<u32> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/errata.md");
    let text = fs::read_to_string(path).expect("the errata");
    let numbers = text.lines().filter_map(|l| l.strip_prefix("## E-")?.split(' ').next()?.parse().ok());
    numbers.filter(|n| !(21..30).contains(n)).collect()
}

#[test]
fn every_entry_has_its_program() {
    // Tested below: they are about shared symbols, and about the store.
    let here = [17, 33];
    let names: Vec<String> = cases().into_iter().map(|c| c.name).collect();
    let all = entries();
    assert!(all.len() > 20, "{all:?}");
    for n in all {
        let tested = here.contains(&n) || names.iter().any(|name| name.starts_with(&format!("[E-{n}] ")));
        assert!(tested, "no case begins with `[E-{n}] `");
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The numbers of the entries of all three lists.
fn numbers() -> BTreeSet<String> {
    let lists = ["spec/errata.md", "spec/halide/errata.md", "spec/perceus/errata.md"];
    let texts = lists.map(|list| fs::read_to_string(root().join(list)).expect("a list of errata"));
    let headings = texts.iter().flat_map(|text| text.lines()).filter_map(|l| l.strip_prefix("## "));
    headings.filter_map(|h| h.split(' ').next()).filter(|n| is_number(n)).map(str::to_owned).collect()
}

/// Whether a word is the number of an erratum.
fn is_number(word: &str) -> bool {
    let digits = ["E-", "H-", "P-"].iter().find_map(|prefix| word.strip_prefix(prefix));
    digits.is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))
}

/// What files there are below a folder, of code, of machines and of the corpora.
fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() {
            if name != "target" && name != "spec" && !name.to_string_lossy().starts_with('.') {
                sources(&path, out);
            }
        } else if path.extension().is_some_and(|e| e == "rs" || e == "py") {
            out.push(path);
        }
    }
}

/// The errata that comments name, each as it is written: in brackets, or without them.
fn cited(text: &str, comment: &str) -> Vec<(String, bool)> {
    let comments = text.lines().filter(|l| l.trim_start().starts_with(comment));
    let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '-';
    let mut found = Vec::new();
    for line in comments {
        let mut before = ' ';
        for piece in line.split_inclusive(is_end) {
            let end = piece.find(is_end).unwrap_or(piece.len());
            let (name, after) = piece.split_at(end);
            if is_number(name) {
                found.push((name.to_owned(), before == '[' && after == "]"));
            }
            before = piece.chars().last().unwrap_or(' ');
        }
    }
    found
}

/// An erratum is found by its number in brackets, `[E-4]`, wherever the code or a test departs from what is printed.
#[test]
fn every_entry_is_cited_and_every_citation_has_its_entry() {
    let (all, mut files) = (numbers(), Vec::new());
    sources(&root(), &mut files);
    let (mut met, mut wrong) = (BTreeSet::new(), Vec::new());
    for path in &files {
        let text = fs::read_to_string(path).expect("a file of code");
        let comment = if path.extension().is_some_and(|e| e == "rs") { "//" } else { "#" };
        for (name, bracketed) in cited(&text, comment) {
            if !all.contains(&name) {
                wrong.push(format!("{}: there is no {name}", path.display()));
            } else if !bracketed {
                wrong.push(format!("{}: {name} is not in brackets", path.display()));
            }
            met.insert(name);
        }
    }
    wrong.extend(all.difference(&met).map(|n| format!("no comment of code or tests has [{n}]")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(all.len() > 50 && files.len() > 300, "{} entries, {} files", all.len(), files.len());
}

#[test]
fn citations_are_told_from_words() {
    let text =
        "/// A rule [E-4], (H-3) and X-1; E-mail.\nlet x = \"[P-2]\"; // no: [P-1]\n//! [P-11]: the end";
    let shown: Vec<String> = cited(text, "//").iter().map(|(n, b)| format!("{n} {b}")).collect();
    assert_eq!(shown, ["E-4 true", "H-3 false", "P-11 true"]);
}

fn proved(obligations: &[rewright_effects::obligation::Obligation]) -> bool {
    let solver = Solver::new();
    obligations.iter().all(|ob| solver.decide(ob).is_proved())
}

fn context(p: &Proc, len: usize) -> Context {
    Context::of(&Analysis::new(), p, &Hole { path: vec![Step::Body(0)], len }).expect("a place")
}

/// [E-2] a callee that was extracted from its caller has the caller's symbols.
#[test]
fn a_callees_buffer_does_not_hide_its_callers_of_the_same_symbol() {
    let (t, a) = (Sym::fresh("t"), Sym::fresh("a"));
    let callee = proc(
        "callee",
        [tensor_arg(a, DataType::F32, [int(4)])],
        [],
        [
            alloc(t, DataType::F32, [int(4)]),
            assign(t, [int(0)], data(1, 0)),
            assign(a, [int(0)], read(t, [int(0)])),
        ],
    );
    let caller = proc("caller", [tensor_arg(t, DataType::F32, [int(4)])], [], [call(&callee, [var(t)])]);
    let effect: Effect = Analysis::new().effect(&caller);
    let written = effect.modified().bases();
    assert!(written.contains_key(&Base::Buffer(t)), "{effect}");
    assert!(effect.rd().bases().is_empty(), "{effect}");
}

/// [E-17] copying a field that was never set is fine; deciding on it is an error.
#[test]
fn a_field_that_was_never_set_may_be_copied() {
    let text = "@config\nclass Cfg:\n    a: index\n    b: index\n\n@proc\ndef p(x: f32):\n    x = 1.0\n";
    let mut sources = SourceMap::new();
    let file = sources.add("fields.py", text);
    let module = parse_module(file, &sources, &Prelude::standard()).module;
    let config = module.configs.first().expect("the class");
    let run = |body: Vec<Stmt>| {
        let p = proc("p", [], [], body);
        Denotation::<RationalDomain>::of(&p).call(&[], Store::new(), Limits::statements(100)).map(|_| ())
    };
    assert!(run(vec![write_config(config, "b", read_config(config, "a"))]).is_ok());
    let x = Sym::fresh("i");
    assert!(run(vec![for_(x, int(0), read_config(config, "a"), [])]).is_err());
}

/// [E-33] one symbol for two loops.
#[test]
fn loops_of_one_symbol_do_not_change_places() {
    let (n, m, i, x) = (Sym::fresh("n"), Sym::fresh("m"), Sym::fresh("i"), Sym::fresh("x"));
    let write = |at: Sym| assign(x, [var(at)], data(1, 0));
    let args = [size_arg(n), size_arg(m), tensor_arg(x, DataType::F32, [var(m)])];
    let inner = |y: Sym| for_(y, int(0), var(m), [write(y)]);
    let outer = |y: Sym| for_(i, int(0), var(n), [inner(y)]);
    for (y, fine) in [(Sym::fresh("j"), true), (i, false)] {
        let p = proc("p", args.clone(), [], [outer(y)]);
        let s = p.body.get(0).expect("a loop");
        assert_eq!(proved(&reorder_loops(&context(&p, 1), s)), fine, "{y}");
    }
}

/// [E-33] one symbol for two buffers, of which the later one is meant by what follows.
#[test]
fn binders_of_one_symbol_do_not_change_places() {
    let (t, x) = (Sym::fresh("t"), Sym::fresh("x"));
    for (second, fine) in [(Sym::fresh("u"), true), (t, false)] {
        let p = proc(
            "p",
            [tensor_arg(x, DataType::F32, [int(8)])],
            [],
            [
                alloc(t, DataType::F32, [int(4)]),
                alloc(second, DataType::F32, [int(8)]),
                assign(second, [int(7)], data(1, 0)),
            ],
        );
        let [s1, s2] = [0, 1].map(|k| block([p.body.get(k).expect("an allocation").clone()]));
        assert_eq!(proved(&commutes(&context(&p, 2), &s1, &s2)), fine, "{second}");
    }
}

/// [E-33] the second loop mentions an outer variable of the first one's symbol.
#[test]
fn fusing_does_not_capture() {
    let (n, i, j, x) = (Sym::fresh("n"), Sym::fresh("i"), Sym::fresh("j"), Sym::fresh("x"));
    let args = [size_arg(n), tensor_arg(x, DataType::F32, [var(n)])];
    let first = for_(i, int(0), var(n), [rewright_semantics::build::pass()]);
    let second = for_(j, int(0), var(n), [assign(x, [var(i)], data(1, 0))]);
    let body = for_(i, int(0), var(n), [first.clone(), second.clone()]);
    let p = proc("p", args, [], [body]);
    let hole = Hole { path: vec![Step::Body(0), Step::Body(0)], len: 2 };
    let ctx = Context::of(&Analysis::new(), &p, &hole).expect("a place");
    assert!(!proved(&fuse_loops(&ctx, &first, &second)));
}
