//! Higher-order schedules. ASPLOS'25 §3.4.

use rewright_primitives::cursor::CursorKind;
use rewright_primitives::error::{Error, Result};
use rewright_primitives::hof::traverse::{Top, filter, lrn, lrn_exprs, matching, nlr, nrl, rln};
use rewright_primitives::hof::*;
use rewright_primitives::ops::divide_loop::{Tail, divide_loop};
use rewright_primitives::ops::fission::fission;
use rewright_primitives::ops::lift_scope::lift_scope;
use rewright_primitives::ops::remove_loop::remove_loop;
use rewright_primitives::ops::reorder_loops::reorder_loops;
use rewright_primitives::ops::reorder_stmts::reorder_stmts;
use rewright_primitives::{Cursor, Proc};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::SourceMap;

fn read(text: &str) -> Proc {
    let mut sources = SourceMap::new();
    let file = sources.add("p.py", text);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    Proc::root(parsed.module.procs.last().unwrap().clone())
}

fn nest() -> Proc {
    read(
        "@proc
def p(A: f32[8, 8, 8]):
    for i in seq(0, 8):
        for j in seq(0, 8):
            for k in seq(0, 8):
                A[i, j, k] = 0.0
",
    )
}

/// The loops from the outside to the inside.
fn loops(p: &Proc) -> String {
    let found = p.find_all("for _ in _: _").unwrap();
    found.iter().map(|c| c.name().unwrap().to_string()).collect::<Vec<_>>().join(" ")
}

fn swap() -> Op {
    lift(|p, c| reorder_loops(p, c))
}

#[test]
fn sequences_go_on_with_the_cursor() {
    let p = nest();
    let i = p.find_loop("i").unwrap();
    let (q, c) = seq([swap(), swap()]).run(&p, &i).unwrap();
    assert_eq!(loops(&q), "j k i");
    assert_eq!(c, q.find_loop("i").unwrap());
    assert_eq!(loops(&p), "i j k");
}

#[test]
fn repeating_ends_where_it_fails() {
    let p = nest();
    let (q, c) = repeat(swap()).run(&p, &p.find_loop("i").unwrap()).unwrap();
    assert_eq!(loops(&q), "j k i");
    assert_eq!(c.parent().unwrap().name().unwrap().as_str(), "k");
    let (q, _) = repeat(swap()).run(&p, &p.find("A[_] = _").unwrap()).unwrap();
    assert_eq!(q.id(), p.id(), "nothing was possible");
    let forth = lift(|p, _| reorder_stmts(p, "A[_] = _ ; A[_] = _"));
    let two = read("@proc\ndef p(A: f32[2]):\n    A[0] = 0.0\n    A[1] = 0.0\n");
    let error = repeat_within(20, forth).run(&two, &two.body().unwrap()).err().unwrap();
    assert!(error.to_string().contains("still possible after 20 times"), "{error}");
}

#[test]
fn the_second_is_tried_where_the_first_fails() {
    let p = read(
        "@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 0.0
",
    );
    let divide = |tail| lift(move |p, c| divide_loop(p, c, 4, ["io", "ii"], tail));
    let i = p.find_loop("i").unwrap();
    assert!(divide(Tail::Perfect).run(&p, &i).is_err());
    let (q, _) = try_else(divide(Tail::Perfect), divide(Tail::Guard)).run(&p, &i).unwrap();
    assert!(q.find("if _: _").is_ok());
    let (q, c) = attempt(divide(Tail::Perfect)).run(&p, &i).unwrap();
    assert_eq!((q.id(), c), (p.id(), i.clone()));
    let both = try_else(divide(Tail::Perfect), swap()).run(&p, &i);
    assert!(matches!(both, Err(Error::Scheduling(e)) if e.primitive == "reorder_loops"));
}

/// [rule: errors], [rule: hof]
#[test]
fn bugs_are_not_caught() {
    let p = nest();
    let bug = Op::new(|_, _| Err(Error::Internal { primitive: "test", what: "a bug".to_owned() }));
    for op in [attempt(bug.clone()), repeat(bug.clone()), top_down(bug.clone()), try_all(bug, lrn())] {
        assert!(matches!(op.run(&p, &p.body().unwrap()), Err(Error::Internal { .. })));
    }
}

#[test]
fn traversals_visit_in_their_order() {
    let p = read(
        "@proc
def p(x: f32[8], y: f32):
    for i in seq(0, 8):
        if i < 4:
            x[i] = 0.0
        else:
            pass
        for j in seq(0, 4):
            x[j] += y * 2.0
",
    );
    let i = p.find_loop("i").unwrap();
    let kinds = |top: Top| top.run(&i).unwrap().iter().map(Cursor::kind).collect::<Vec<_>>();
    assert_eq!(
        kinds(lrn()),
        [CursorKind::Assign, CursorKind::Pass, CursorKind::If, CursorKind::Reduce, CursorKind::For]
    );
    assert_eq!(
        kinds(rln()),
        [CursorKind::Reduce, CursorKind::For, CursorKind::Pass, CursorKind::Assign, CursorKind::If]
    );
    assert_eq!(
        kinds(nlr()),
        [CursorKind::If, CursorKind::Assign, CursorKind::Pass, CursorKind::For, CursorKind::Reduce]
    );
    assert_eq!(
        kinds(nrl()),
        [CursorKind::For, CursorKind::Reduce, CursorKind::If, CursorKind::Pass, CursorKind::Assign]
    );
    assert_eq!(kinds(filter(Cursor::is_loop, lrn())), [CursorKind::For]);
    assert_eq!(kinds(matching("x[_] = _")), [CursorKind::Assign]);
    assert_eq!(kinds(matching("z = _")), []);
    let exprs: Vec<String> = lrn_exprs().run(&i).unwrap().iter().map(Cursor::text).collect();
    assert_eq!(exprs.join(" "), "0 8 i 4 i < 4 i 0.0 0 4 j y 2.0 y * 2.0");
}

#[test]
fn the_order_of_a_traversal_matters() {
    // ASPLOS'25 §6.3.1: lifting j and then k gives j k i or k j i, lifting k and then j leaves i j k.
    let p = nest();
    let i = p.find_loop("i").unwrap();
    let lift_up = || attempt(lift(|p, c| lift_scope(p, c)));
    let inner = |top| filter(Cursor::is_loop, top);
    let (down, _) = reduce(lift_up(), inner(nlr())).run(&p, &i).unwrap();
    let (up, _) = reduce(lift_up(), inner(lrn())).run(&p, &i).unwrap();
    assert_eq!((loops(&down).as_str(), loops(&up).as_str()), ("j k i", "i j k"));
}

#[test]
fn frames_of_reference() {
    let p = nest();
    let k = p.find_loop("k").unwrap();
    // The loop above and the one above that.
    let (q, c) = reframe(|c| c.parent()?.parent(), swap()).run(&p, &k).unwrap();
    assert_eq!(loops(&q), "j i k");
    assert_eq!(c, q.find_loop("k").unwrap());
    let (_, moved) = nav(Cursor::parent).run(&p, &k).unwrap();
    assert_eq!(moved.name().unwrap().as_str(), "j");
    assert!(nav(Cursor::parent).run(&p, &p.find_loop("i").unwrap()).is_err());
    let (q, _) = top_down(lift(|p, c| divide_loop(p, c, 2, ["a", "b"], Tail::Perfect))).run(&p, &k).unwrap();
    assert_eq!(loops(&q), "i j a b");
    let all = apply(swap(), [p.find_loop("i").unwrap(), p.find_loop("i").unwrap()]);
    assert_eq!(loops(&all.on(&p, &k).unwrap()), "j k i");
    assert_eq!(
        loops(&when(|c| c.name().is_ok_and(|n| n.as_str() == "j"), swap()).on(&p, &k).unwrap()),
        "i j k"
    );
}

/// ASPLOS'25 Fig. 5c: a configuring statement is hoisted as far as it goes.
#[test]
fn a_configuration_is_hoisted() {
    let p = read(
        "@config
class Cfg:
    stride: stride

@proc
def p(A: [f32][8, 8], x: f32[8, 8]):
    for i in seq(0, 8):
        for j in seq(0, 8):
            x[i, j] = 1.0
            Cfg.stride = stride(A, 0)
            x[i, j] += A[i, j]
",
    );
    let reorder_before = reframe(|c| c.expand(Some(1), Some(0)), lift(|p, c| reorder_stmts(p, c)));
    let fission_after = reframe(|c| c.after(), lift(|p, c| fission(p, c, 1)));
    let remove_parent_loop = reframe(|c| c.parent(), lift(|p, c| remove_loop(p, c)));
    let hoist = repeat(try_else(seq([fission_after, remove_parent_loop]), reorder_before));
    let (q, c) = hoist.run(&p, &p.find("Cfg.stride = _").unwrap()).unwrap();
    assert_eq!(q.body().unwrap().at(0).unwrap(), c, "{q}");
    assert_eq!(loops(&q), "i j");
}

/// ASPLOS'25 §3.2 and §3.3: tiling, exactly or else with guards.
#[test]
fn tiles_are_made_by_composition() {
    fn tile(
        p: &Proc,
        i: &str,
        j: &str,
        [io, ii]: [&str; 2],
        [jo, ji]: [&str; 2],
        c: i64,
        d: i64,
    ) -> Result<Proc> {
        let p = divide_loop(p, i, c, [io, ii], Tail::Perfect)?;
        let p = divide_loop(&p, j, d, [jo, ji], Tail::Perfect)?;
        lift_scope(&p, jo)
    }
    let gemv = read(
        "@proc
def gemv(M: size, N: size, A: f32[M, N], x: f32[N], y: f32[M]):
    assert M % 8 == 0
    assert N % 8 == 0
    for i in seq(0, M):
        for j in seq(0, N):
            y[i] += A[i, j] * x[j]
",
    );
    let tiled = tile(&gemv, "i", "j", ["io", "ii"], ["jo", "ji"], 8, 8).unwrap();
    assert_eq!(loops(&tiled), "io jo ii ji");

    let guarded = |p: &Proc| {
        let p = divide_loop(p, "i", 8, ["io", "ii"], Tail::Guard)?;
        let p = divide_loop(&p, "j", 8, ["jo", "ji"], Tail::Guard)?;
        lift_scope(&lift_scope(&p, "jo")?, "jo")
    };
    let any = read(
        "@proc
def gemv(M: size, N: size, A: f32[M, N], x: f32[N], y: f32[M]):
    for i in seq(0, M):
        for j in seq(0, N):
            y[i] += A[i, j] * x[j]
",
    );
    assert!(tile(&any, "i", "j", ["io", "ii"], ["jo", "ji"], 8, 8).is_err());
    assert_eq!(loops(&guarded(&any).unwrap()), "io jo ii ji");
}
