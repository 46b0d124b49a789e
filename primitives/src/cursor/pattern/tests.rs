use super::*;
use crate::cursor::path::{Step, stmt_at};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::pretty;
use rewright_semantics::span::SourceMap;

const PROGRAM: &str = "
@config
class Cfg:
    n: size
    s: f32

@proc
def fill(n: size, x: [f32][n], v: f32):
    for i in seq(0, n):
        x[i] = v

@proc
def p(n: size, A: f32[n, n] @ DRAM, x: f32[n], acc: f32):
    for i in seq(0, n):
        for j in seq(0, n):
            A[i, j] += x[i] * 2.0
        x[i] = -x[i]
    a: f32[n, 4]
    for i in par(0, n):
        if i < 4:
            a[i, 0] = sin(x[i])
            pass
        else:
            a[0, 0] = -3.0
        for k in seq(0, 4):
            for j in seq(0, 4):
                acc += a[0, k] + Cfg.s
    w = A[0:n, 2]
    y: [f32] = A[0, 0]
    Cfg.n = n
    fill(n, A[0, 0:n], acc)
    if stride(A, 0) == 1:
        acc = 0.0
        acc += 1.0
        acc = 2.0
";

fn program() -> Proc {
    let mut sources = SourceMap::new();
    let file = sources.add("p.py", PROGRAM);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    Proc::root(parsed.module.proc("p").unwrap().clone())
}

/// The first line of what is found, each.
fn lines(p: &Proc, sort: Option<Sort>, text: &str) -> Vec<String> {
    let found = many(p, None, sort, text).unwrap_or_else(|e| panic!("{e}"));
    found.iter().map(|place| line(p, place)).collect()
}

fn line(p: &Proc, place: &Place) -> String {
    let stmt = |path: &[Step]| {
        let text = pretty::stmt_to_string(stmt_at(p.ast(), path).unwrap());
        text.lines().next().unwrap().to_owned()
    };
    match place {
        Place::Stmt(path) => stmt(path),
        Place::Block(run) => format!("{} +{}", stmt(&run.path), run.len - 1),
        Place::Gap(gap) => format!("after {}", stmt(&gap.anchor)),
        Place::Expr(at) => pretty::expr_to_string(super::super::path::expr_at(p.ast(), at).unwrap()),
        Place::Arg(i) => format!("argument {i}"),
    }
}

#[test]
fn statements_of_every_kind() {
    let p = program();
    for (pattern, found) in [
        ("for i in _: _", vec!["for i in seq(0, n):", "for i in par(0, n):"]),
        ("for i in par(_, _): _", vec!["for i in par(0, n):"]),
        ("for _ in seq(0, 4): _", vec!["for k in seq(0, 4):", "for j in seq(0, 4):"]),
        ("for i in _:_ #1", vec!["for i in par(0, n):"]),
        ("for i in _: _ # 1 ", vec!["for i in par(0, n):"]),
        ("for _ in _: A[_] += _", vec!["for j in seq(0, n):"]),
        ("for _ in _: _ ; x = _", vec!["for i in seq(0, n):"]),
        ("for i in _:\n    for j in _: _\n    x[_] = _", vec!["for i in seq(0, n):"]),
        ("\n    for i in _:\n        for j in _: _\n        x[_] = _\n", vec!["for i in seq(0, n):"]),
        ("if _: _", vec!["if i < 4:", "if stride(A, 0) == 1:"]),
        ("if _: _ else: _", vec!["if i < 4:"]),
        ("if i < _: _", vec!["if i < 4:"]),
        ("if stride(_, 0) == 1: _", vec!["if stride(A, 0) == 1:"]),
        ("A[_] += _", vec!["A[i, j] += x[i] * 2.0"]),
        ("A[i, j] += _", vec!["A[i, j] += x[i] * 2.0"]),
        ("A[i] += x[_] * _", vec!["A[i, j] += x[i] * 2.0"]),
        ("acc += _", vec!["acc += a[0, k] + Cfg.s", "acc += 1.0"]),
        ("acc = 0", vec!["acc = 0.0"]),
        ("_[0, 0] = _", vec!["a[0, 0] = -3.0"]),
        ("_ = -_", vec!["x[i] = -x[i]"]),
        ("_ = -3.0", vec!["a[0, 0] = -3.0"]),
        ("a: _", vec!["a: f32[n, 4] @ DRAM"]),
        ("a : f32[_]", vec!["a: f32[n, 4] @ DRAM"]),
        ("_: f32[n, 4] @ DRAM", vec!["a: f32[n, 4] @ DRAM"]),
        ("a: f32", vec!["a: f32[n, 4] @ DRAM"]),
        ("w = _", vec!["w = A[0:n, 2]"]),
        ("w = A[_]", vec!["w = A[0:n, 2]"]),
        ("_ = A[0:n, _]", vec!["w = A[0:n, 2]"]),
        ("y: [f32] = _", vec!["y: [f32] = A[0, 0]"]),
        ("Cfg.n = _", vec!["Cfg.n = n"]),
        ("_._ = n", vec!["Cfg.n = n"]),
        ("fill(_)", vec!["fill(n, A[0, 0:n], acc)"]),
        ("fill()", vec!["fill(n, A[0, 0:n], acc)"]),
        ("_(n, A[0, _], acc)", vec!["fill(n, A[0, 0:n], acc)"]),
        ("pass", vec!["pass"]),
        ("acc = _ ; acc += _", vec!["acc = 0.0 +1"]),
        ("acc = _ ; _ ; acc = _", vec!["acc = 0.0 +2"]),
        ("acc += _ ; _", vec!["acc += 1.0 +1"]),
        ("a: _ ; for i in _: _", vec!["a: f32[n, 4] @ DRAM +1"]),
    ] {
        let got: Vec<String> = lines(&p, None, pattern).iter().map(|l| isolated(l)).collect();
        assert_eq!(got, found, "{pattern}");
    }
}

/// A statement printed by itself knows no element type.
fn isolated(line: &str) -> String {
    line.replace("y: [R]", "y: [f32]")
}

#[test]
fn expressions() {
    let p = program();
    for (pattern, found) in [
        ("A[_]", vec!["A[0, 0:n]"]),
        ("x[i]", vec!["x[i]", "x[i]", "x[i]"]),
        ("_ * _", vec!["x[i] * 2.0"]),
        ("a[_] + _", vec!["a[0, k] + Cfg.s"]),
        ("2.0", vec!["2.0", "2.0"]),
        ("-_", vec!["-x[i]"]),
        ("sin(_)", vec!["sin(x[i])"]),
        ("Cfg.s", vec!["Cfg.s"]),
        ("Cfg._", vec!["Cfg.s"]),
        ("stride(A, 0)", vec!["stride(A, 0)"]),
        ("stride(_, 1) == _ #0", vec![]),
        ("_ < 4", vec!["i < 4"]),
        ("k", vec!["k"]),
    ] {
        match many(&p, None, Some(Sort::Expr), pattern) {
            Ok(places) => {
                let got: Vec<String> = places.iter().map(|place| line(&p, place)).collect();
                assert_eq!(got, found, "{pattern}");
            }
            Err(e) => assert!(found.is_empty(), "{e}"),
        }
    }
    assert_eq!(lines(&p, None, "x[i] * 2.0"), ["x[i] * 2.0"]);
}

#[test]
fn names_alone_mean_what_is_wanted() {
    let p = program();
    let at = |sort, text: &str| lines(&p, Some(sort), text);
    assert_eq!(at(Sort::Loop, "i"), ["for i in seq(0, n):", "for i in par(0, n):"]);
    assert_eq!(at(Sort::Loop, "_ #4"), ["for j in seq(0, 4):"]);
    assert_eq!(at(Sort::Loop, "i j"), ["for i in seq(0, n):"]);
    assert_eq!(at(Sort::Loop, "k; j"), ["for k in seq(0, 4):"]);
    assert_eq!(at(Sort::Scope, "k"), ["for k in seq(0, 4):"]);
    assert_eq!(at(Sort::Alloc, "a"), ["a: f32[n, 4] @ DRAM"]);
    assert_eq!(at(Sort::Buffer, "a"), ["a: f32[n, 4] @ DRAM"]);
    assert_eq!(at(Sort::Buffer, "A"), ["argument 1"]);
    assert_eq!(at(Sort::Buffer, "_: f32[n]"), ["argument 1", "argument 2", "a: f32[n, 4] @ DRAM"]);
    assert_eq!(at(Sort::Write, "acc").len(), 4);
    assert_eq!(at(Sort::Reduce, "acc").len(), 2);
    assert_eq!(at(Sort::Assign, "acc #1"), ["acc = 2.0"]);
    assert_eq!(at(Sort::Call, "fill"), ["fill(n, A[0, 0:n], acc)"]);
    assert_eq!(at(Sort::WindowStmt, "w"), ["w = A[0:n, 2]"]);
    assert_eq!(at(Sort::WriteConfig, "Cfg.n"), ["Cfg.n = n"]);
    assert_eq!(at(Sort::Stmt, "a"), ["a: f32[n, 4] @ DRAM"]);
    assert_eq!(at(Sort::Block, "acc = _ ; _"), ["acc = 0.0 +2", "acc = 2.0 +0"][..1]);
    assert_eq!(at(Sort::Gap, "a: _"), ["after a: f32[n, 4] @ DRAM"]);
    assert_eq!(at(Sort::Block, "a: _"), ["a: f32[n, 4] @ DRAM +0"]);
    assert_eq!(at(Sort::If, "if _: _ #1"), ["if stride(A, 0) == 1:"]);
}

#[test]
fn a_part_is_searched_alone() {
    let p = program();
    let second = find(&p, Sort::Loop, "i #1").unwrap();
    let inside = find_all(&p, Some(&second), Sort::Loop, "_").unwrap();
    assert_eq!(inside.len(), 3, "the statement itself, and what is in it");
    let reads = many(&p, Some(&second), Some(Sort::Expr), "x[_]").unwrap();
    assert_eq!(reads.len(), 1);
    let rhs = find(&p, Sort::Expr, "_ * _").unwrap();
    assert_eq!(many(&p, Some(&rhs), Some(Sort::Expr), "x[_]").unwrap().len(), 1);
    assert!(many(&p, Some(&rhs), None, "acc = _").is_err());
}

#[test]
fn what_is_wrong_is_said() {
    let p = program();
    for (sort, text, why) in [
        (None, "for i in", "at column"),
        (None, "x = _ #a", "after `#` comes a number"),
        (None, "_", "matches anything"),
        (None, "_ ; _", "matches anything"),
        (Some(Sort::Stmt), "_", "matches anything"),
        (None, "", "is empty"),
        (None, "x: int", "`int` is no data type"),
        (None, "x -= 1", "no such statement"),
        (None, "for i in range(0, 4): _", "a loop counts over"),
        (Some(Sort::Loop), "q", "nothing in `p` matches `q`"),
        (Some(Sort::Call), "fil", "did you mean `fill`?"),
        (None, "ac = _", "did you mean `acc`?"),
        (Some(Sort::Loop), "i #2", "only 2 places in `p`"),
        (Some(Sort::Loop), "acc = _", "is not a loop"),
        (Some(Sort::Expr), "acc = _", "not a statement"),
        (Some(Sort::If), "i", "where a statement is looked for"),
        (Some(Sort::Assign), "acc += _", "is not an assignment"),
    ] {
        let error = one(&p, None, sort, text).expect_err(text);
        assert!(error.what.contains(why), "{text}: {error}");
    }
    assert!(one(&p, None, None, &"(".repeat(100_000)).is_err());
    assert!(one(&p, None, None, &"x+".repeat(100_000)).is_err());
    assert!(one(&p, None, None, &"not ".repeat(900)).is_err());
}
