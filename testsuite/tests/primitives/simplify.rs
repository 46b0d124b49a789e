//! Simplifying twice is simplifying once, statements that stay keep their cursors, and what can be shorter is.

use rewright_campaign::holes::paths;
use rewright_campaign::program;
use rewright_primitives::cursor::path::{Place, stmt_at};
use rewright_primitives::ops::simplify::{SIMPLIFY, simplify};
use rewright_primitives::registry::{Args, Value};
use rewright_primitives::tools::syntax::simplify::{differences, size};
use rewright_primitives::{Cursor, Proc};
use rewright_semantics::ast::{Expr, Module};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::pretty::{proc_to_string, stmt_to_string};
use rewright_semantics::span::SourceMap;
use rewright_semantics::syntax::fold::Form;

fn module(text: &str) -> Module {
    let mut sources = SourceMap::new();
    let file = sources.add("p.py", text);
    parse_module(file, &sources, &Prelude::standard()).module
}

/// The body of the procedure, simplified, without its first line.
fn simplified(args: &str, asserts: &[&str], body: &str) -> String {
    let asserts: String = asserts.iter().map(|a| format!("    assert {a}\n")).collect();
    let m = module(&format!("@proc\ndef p({args}):\n{asserts}{body}\n"));
    let p = Proc::root(m.procs.last().expect("one procedure").clone());
    let new = simplify(&p).expect("it never refuses");
    proc_to_string(new.ast()).lines().skip(1 + asserts.lines().count()).map(|l| format!("{l}\n")).collect()
}

/// [rule: simplify]
#[test]
fn twice_is_once_and_cursors_stay() {
    let mut changed = 0;
    for seed in 0..150 {
        let p = program(seed);
        let once = simplify(&p).expect("it never refuses");
        let twice = simplify(&once).expect("it never refuses");
        assert_eq!(proc_to_string(once.ast()), proc_to_string(twice.ast()), "seed {seed}: {p}");
        changed += usize::from(proc_to_string(p.ast()) != proc_to_string(once.ast()));
        for path in paths(p.ast()) {
            let c = Cursor::new(&p, Place::Stmt(path.clone())).expect("it exists");
            let Ok(there) = once.forward(&c) else { continue };
            let Place::Stmt(at) = there.place() else { panic!("a statement became {:?}", there.place()) };
            let (old, new) = (stmt_at(p.ast(), &path), stmt_at(once.ast(), at));
            let sort = |s: Option<&rewright_semantics::ast::Stmt>| {
                s.map(|s| std::mem::discriminant(s.kind.as_ref()))
            };
            assert_eq!(sort(old), sort(new), "seed {seed}: {}", old.map(stmt_to_string).unwrap_or_default());
        }
    }
    assert!(changed > 10, "only {changed} programs could be shortened");
}

/// As for Exo's users, where a pass leaves out what the one before it found nothing in.
///
/// [rule: simplify]
#[test]
fn in_order_twice_is_once_too() {
    let mut changed = 0;
    let ordered = |p: &Proc| {
        let args = Args::bind(&SIMPLIFY, vec![Value::Bool(true)], Vec::new()).expect("a truth value");
        (SIMPLIFY.run)(&p.writing(Form::Literal), &args).expect("it never refuses")
    };
    // The equation of a condition is read word for word, and in the second pass it is another one.
    let guarded = "@proc\ndef p(n: size, m: size, x: f32[n + 8]):\n    for i in seq(0, n):\n        if i == m - m:\n            x[i] = 1.0\n";
    let m = module(guarded);
    let simple = ordered(&Proc::root(m.procs.last().expect("one procedure").clone()));
    assert!(
        proc_to_string(simple.ast()).ends_with("        if i == 0:\n            x[0] = 1.0\n"),
        "{simple}"
    );
    for seed in 0..400 {
        let p = program(seed);
        let once = ordered(&p);
        let twice = ordered(&once);
        assert_eq!(proc_to_string(once.ast()), proc_to_string(twice.ast()), "seed {seed}: {p}");
        changed += usize::from(proc_to_string(p.ast()) != proc_to_string(once.ast()));
    }
    assert!(changed > 30, "only {changed} programs could be shortened");
}

/// [rule: simplify], [rule: conditions.cells]
#[test]
fn divisions_by_what_is_known() {
    let loops = "    for i in seq(0, n):\n        for j in seq(0, 4):\n            x[{}] = 1.0";
    let index = |e: &str| {
        let text = simplified("n: size, x: f32[4 * n + 8] @ DRAM", &[], &loops.replace("{}", e));
        text.split_once("x[").and_then(|(_, rest)| rest.split_once(']')).map(|(e, _)| e.to_owned())
    };
    let short = |e: &str, wanted: &str| assert_eq!(index(e).as_deref(), Some(wanted), "{e}");
    short("(4 * i + j) / 4", "i");
    short("(4 * i + j) % 4", "j");
    short("(4 * i - j + 3) / 4", "i");
    short("(8 * i + 4) / 4", "2 * i + 1");
    short("(6 * i + 2 * j) / 4", "(3 * i + j) / 2");
    short("(i / 2) / 3", "i / 6");
    short("(i % 8) % 4", "i % 4");
    short("4 * (i / 4) + i % 4", "i");
    short("4 * ((4 * i + j) / 4) + j % 4", "4 * i + j");
    short("j / 4 + 1 - 1 + 0 * n", "0");
    short("i + 2 * j - i - j", "j");
    short("i % 4", "i % 4");
    short("(i + j) / 4", "(i + j) / 4");
    short("5 - j + i - i", "5 - j");
    short("2 * (n + j - i / 4) - (j - j)", "2 * (n + j - i / 4)");
}

/// [rule: simplify]
#[test]
fn differences_are_small() {
    let m = module("@proc\ndef p(n: size, x: f32[n + 4]):\n    x[n + 1 - 1] = x[0] + x[n + 2 - 2]\n");
    let p = Proc::root(m.procs.last().expect("one procedure").clone());
    let new = simplify(&p).expect("it never refuses");
    let rhs = |p: &Proc| -> Expr {
        rewright_primitives::tools::syntax::stmt_views::Write::of(&p.ast().body[0]).expect("a write").rhs
    };
    let parts = differences(&rhs(&p), &rhs(&new), &mut |_, _| true);
    assert_eq!(parts.len(), 1);
    assert_eq!(parts[0].0.len(), 2, "the index of the second operand");
    // Parts of other values are no parts: the whole differs.
    let parts = differences(&rhs(&p), &rhs(&new), &mut |_, _| false);
    assert_eq!(parts.iter().map(|(at, _)| at.len()).collect::<Vec<_>>(), [0]);
    assert!(size(&rhs(&new)) < size(&rhs(&p)));
}
