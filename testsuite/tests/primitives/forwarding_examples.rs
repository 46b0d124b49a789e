//! What becomes of cursors, in small programs: pieces that are gone though something stands where they stood, and pieces
//! that are found elsewhere. Spec: [rule: edits], [rule: forwarding.values].

use rewright_primitives::error::Result;
use rewright_primitives::ops::{
    Asserts, Indices, Occurrences, Tail, bind_expr, commute_expr, divide_loop, expand_dim, extract_subproc,
    fold_into_reduce, fuse, inline, inline_assign, join_loops, left_reassociate_expr, lift_reduce_constant,
    merge_writes, rearrange_dim, resize_dim, rewrite_expr, simplify, split_write,
};
use rewright_primitives::{Cursor, Proc};
use rewright_semantics::diag::has_errors;
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::render::render;
use rewright_semantics::span::SourceMap;
use rewright_semantics::typecheck::check_module;

fn definition(text: &str) -> Proc {
    let mut sources = SourceMap::new();
    let file = sources.add("example.py", text);
    let mut parsed = parse_module(file, &sources, &Prelude::standard());
    parsed.diagnostics.extend(check_module(&parsed.module));
    assert!(!has_errors(&parsed.diagnostics), "{}", render(&parsed.diagnostics, &sources, false));
    Proc::root(parsed.module.procs.last().expect("a procedure").clone())
}

/// The text of what a cursor points at, on one line, with the statement that an expression is in.
fn shown(c: &Cursor) -> String {
    let line = |c: &Cursor| c.text().lines().next().unwrap_or_default().trim().to_owned();
    let mut up = c.clone();
    while up.kind().is_expr() {
        let Ok(parent) = up.parent() else { break };
        up = parent;
    }
    if c.kind().is_expr() { format!("{} | {}", line(c), line(&up)) } else { line(c) }
}

/// What the cursors of patterns go to; `gone` for those that do not survive.
fn check(old: &Proc, new: Result<Proc>, expected: &[(&str, &str)]) {
    let new = new.unwrap_or_else(|e| panic!("{e}\n{old}"));
    for (pattern, text) in expected {
        let c = old.find(pattern).unwrap_or_else(|e| panic!("{pattern}: {e}\n{old}"));
        let to = new.forward(&c).map_or_else(|_| "gone".to_owned(), |c| shown(&c));
        assert_eq!(to, *text, "{pattern}\n{old}\n{new}");
    }
}

const SUMS: &str = "
@proc
def sums(y: R, a: R, b: R, c: R, d: R):
    y = a * b + c * d + y
";

#[test]
fn terms_go_where_they_are_found() {
    let p = definition(SUMS);
    let sum = "y += a * b + c * d";
    let at = |text: &str| format!("{text} | {sum}");
    check(
        &p,
        fold_into_reduce(&p, "y = _"),
        &[
            ("a * b", &at("a * b")),
            ("c * d", &at("c * d")),
            ("d", &at("d")),
            ("a * b + c * d", &at("a * b + c * d")),
            // The term that is the cell is no more, nor is the sum that has it.
            ("_ + y", "gone"),
            ("y", "gone"),
        ],
    );
}

#[test]
fn the_example_of_a_term_that_is_bound_after_it_moved() {
    let p = definition(SUMS);
    let q = fold_into_reduce(&p, "y = _").expect("a sum with its own cell");
    let c = p.find("c * d").expect("a term");
    let bound = bind_expr(&q, vec![q.forward(&c).expect("it is there").into()], "m", Occurrences::These)
        .expect("a term");
    assert!(bound.to_string().contains("m = c * d"), "{bound}");
}

const WRITES: &str = "
@proc
def writes(x: R[8], a: R, b: R, c: R):
    for i in seq(0, 4):
        x[i + 1] = a * (b * c)
        x[i + 1] += a + b
";

#[test]
fn operands_that_change_sides_are_found_there() {
    let p = definition(WRITES);
    let s = "x[i + 1] = b * c * a";
    let at = |text: &str| format!("{text} | {s}");
    check(
        &p,
        commute_expr(&p, &["a * (b * c)".into()]),
        &[("a * (b * c)", &at("b * c * a")), ("a", &at("a")), ("b * c", &at("b * c")), ("c", &at("c"))],
    );
    let s = "x[i + 1] = a * b * c";
    let at = |text: &str| format!("{text} | {s}");
    check(
        &p,
        left_reassociate_expr(&p, "a * (b * c)"),
        &[
            ("a * (b * c)", &at("a * b * c")),
            ("a", &at("a")),
            ("b", &at("b")),
            ("c", &at("c")),
            ("b * c", "gone"),
        ],
    );
}

#[test]
fn writes_that_are_split_and_merged_take_their_terms_along() {
    let p = definition(WRITES);
    check(
        &p,
        split_write(&p, "x[_] += _"),
        &[
            ("x[_] += _", "x[i + 1] += a"),
            ("a + b", "gone"),
            ("a #1", "a | x[i + 1] += a"),
            ("b #1", "b | x[i + 1] += b"),
            ("i + 1 #1", "i + 1 | x[i + 1] += a"),
        ],
    );
    let both = p.find("x[_] = _; x[_] += _").expect("two writes");
    let one = "x[i + 1] = a * (b * c) + (a + b)";
    let at = |text: &str| format!("{text} | {one}");
    check(
        &p,
        merge_writes(&p, both),
        &[
            ("x[_] = _", one),
            ("x[_] += _", one),
            ("x[_] = _; x[_] += _", one),
            ("a * (b * c)", &at("a * (b * c)")),
            ("b * c", &at("b * c")),
            ("a + b", &at("a + b")),
            ("b #1", &at("b")),
            ("i + 1 #1", &at("i + 1")),
        ],
    );
}

const BUFFERS: &str = "
@proc
def buffers(n: size, x: R[n]):
    for i in seq(0, n):
        t: R[4, 9]
        t[i % 4, 3] = x[i]
        x[i] = t[0, 3] + t[1 - 1, 2 + 1]
";

#[test]
fn an_index_is_in_the_dimension_that_it_was_in_or_gone() {
    let p = definition(BUFFERS);
    // What is new in front of the others is the same text as what was there.
    check(
        &p,
        expand_dim(&p, "t", "4", "i % 4"),
        &[
            ("3", "3 | t[i % 4, i % 4, 3] = x[i]"),
            ("t: _", "t: R[4, 4, 9] @ DRAM"),
            ("t[0, 3]", "t[i % 4, 0, 3] | x[i] = t[i % 4, 0, 3] + t[i % 4, 1 - 1, 2 + 1]"),
            ("2 + 1", "2 + 1 | x[i] = t[i % 4, 0, 3] + t[i % 4, 1 - 1, 2 + 1]"),
        ],
    );
    let q = expand_dim(&p, "t", "4", "i % 4").expect("a place that exists");
    let (alloc, write) = (p.find("t: _").expect("it"), p.find("t[_] = _").expect("it"));
    let idx = |c: &Cursor, d: usize| c.idx().expect("indices").into_iter().nth(d).expect("an index");
    let extent = |c: &Cursor, d: usize| c.shape().expect("extents").into_iter().nth(d).expect("an extent");
    let (new_alloc, new_write) = (q.find("t: _").expect("it"), q.find("t[_] = _").expect("it"));
    for d in 0..2 {
        assert_eq!(q.forward(&idx(&write, d)), Ok(idx(&new_write, d + 1)));
        assert_eq!(q.forward(&extent(&alloc, d)), Ok(extent(&new_alloc, d + 1)));
    }
    check(
        &p,
        rearrange_dim(&p, "t", &[1, 0]),
        &[("3", "3 | t[3, i % 4] = x[i]"), ("i % 4", "i % 4 | t[3, i % 4] = x[i]")],
    );
    check(
        &p,
        resize_dim(&p, "t", 1, 3, 2, Indices::Shifted),
        &[
            ("t[_] = _", "t[i % 4, 1] = x[i]"),
            ("3", "gone"),
            ("2 + 1", "gone"),
            ("i % 4", "i % 4 | t[i % 4, 1] = x[i]"),
            ("t[0, 3]", "t[0, 1] | x[i] = t[0, 1] + t[1 - 1, 1]"),
        ],
    );
}

const LOOPS: &str = "
@proc
def loops(n: size, x: R[n + 8], s: R):
    assert n > 4
    for i in seq(0, 4):
        x[i] = 1.0
    for i in seq(4, n):
        x[i] = 1.0
    for j in seq(4, n):
        s += 2.0 * x[j + 1]
";

#[test]
fn bounds_of_loops_that_become_others_are_gone() {
    let p = definition(LOOPS);
    check(
        &p,
        divide_loop(&p, "for i in seq(0, _): _", 2, ["io", "ii"], Tail::Perfect),
        &[
            ("for i in seq(0, 4): _", "for io in seq(0, 2):"),
            ("4", "gone"),
            ("0", "0 | for io in seq(0, 2):"),
            ("i", "2 * io + ii | x[2 * io + ii] = 1.0"),
        ],
    );
    let joined = join_loops(&p, "for i in seq(0, _): _", "for i in seq(4, _): _");
    check(
        &p,
        joined,
        &[
            ("for i in seq(0, 4): _", "for i in seq(0, n):"),
            ("for i in seq(4, _): _", "for i in seq(0, n):"),
            ("4", "gone"),
            ("n", "n | for i in seq(0, n):"),
            ("1.0 #1", "1.0 | x[i] = 1.0"),
        ],
    );
    let second = p.find("for i in seq(4, _): _").expect("it");
    let third = p.find("for j in _: _").expect("it");
    let fused = fuse(&p, second.clone(), third.clone());
    if let Ok(q) = &fused {
        assert_eq!(q.forward(&third), q.forward(&second));
        let (lo, hi) = (third.lo().expect("it"), third.hi().expect("it"));
        assert_eq!(q.forward(&hi).map(|c| c.text()), Ok("n".to_owned()));
        assert_eq!(q.forward(&lo).map(|c| c.text()), Ok("4".to_owned()));
    }
}

#[test]
fn a_part_that_has_another_value_is_gone() {
    let p = definition(
        "
@proc
def parts(n: size, x: R[n]):
    for i in seq(0, n):
        for j in seq(0, 4):
            x[(4 * i + j) / 4] = 0.0 + (x[i] + x[(4 * i + j) % 4 * 0 + i])
",
    );
    check(
        &p,
        rewrite_expr(&p, "4 * i + j", "4 * i"),
        &[
            ("4 * i + j", "gone"),
            ("(4 * i + j) / 4", "4 * i / 4 | x[4 * i / 4] = 0.0 + (x[i] + x[(4 * i + j) % 4 * 0 + i])"),
        ],
    );
    // The sum that is left is no literal and no term of itself.
    check(
        &p,
        simplify(&p),
        &[("0.0", "gone"), ("x[i]", "gone"), ("0.0 + _", "x[i] + x[i] | x[i] = x[i] + x[i]")],
    );
}

#[test]
fn factors_and_values_go_where_they_are_computed() {
    let p = definition(
        "
@proc
def factors(n: size, x: R[n], y: R, c: R):
    y = 0.0
    for i in seq(0, n):
        y += x[i] * c * x[n - i - 1]
",
    );
    let pair = p.find("y = _; for i in _: _").expect("both");
    check(
        &p,
        lift_reduce_constant(&p, pair),
        &[
            ("x[i]", "x[i] | y += x[i] * x[n - i - 1]"),
            ("x[n - i - 1]", "x[n - i - 1] | y += x[i] * x[n - i - 1]"),
            ("x[i] * c", "gone"),
            ("c", "gone"),
        ],
    );
    check(
        &p,
        bind_expr(&p, vec!["x[i] * c".into()], "t", Occurrences::These),
        &[
            ("x[i] * c", "t | y += t * x[n - i - 1]"),
            ("x[i]", "x[i] | t = x[i] * c"),
            ("c", "c | t = x[i] * c"),
        ],
    );
    let bound = bind_expr(&p, vec!["x[i] * c".into()], "t", Occurrences::These).expect("a value");
    check(
        &bound,
        inline_assign(&bound, "t = _"),
        &[
            ("t", "x[i] * c | y += x[i] * c * x[n - i - 1]"),
            ("x[i] * c", "x[i] * c | y += x[i] * c * x[n - i - 1]"),
            ("t = _", "gone"),
        ],
    );
}

#[test]
fn a_block_is_the_call_that_it_becomes_and_a_call_its_body() {
    let p = definition(LOOPS);
    let pair = p.find("for i in _: _; for i in _: _").expect("two loops");
    let (q, _) = extract_subproc(&p, pair.clone(), "both", Asserts::Included).expect("a block");
    let to = q.forward(&pair).expect("the call");
    assert_eq!((to.kind().is_stmt(), to.text().starts_with("both(")), (false, true), "{to}");
    let first = p.find("for i in _: _").expect("a loop");
    assert!(q.forward(&first).is_err(), "one of two is no call");
    let three = p.body().expect("a body");
    assert_eq!(q.forward(&three).and_then(|c| c.length()), Ok(2));
    // Back again.
    let call = q.find("both(_)").expect("a call");
    let back = inline(&q, call.clone()).expect("a body");
    assert!(back.forward(&call).is_err());
    assert_eq!(back.forward(&to).and_then(|c| c.length()), Ok(2));
    // One statement is the call.
    let (one, _) = extract_subproc(&p, first.clone(), "first", Asserts::Included).expect("a statement");
    assert!(one.forward(&first).is_ok_and(|c| c.text().starts_with("first(")));
}
