//! Cursors over long histories: 10,000 edits in 1,000 versions; and in a rewritten program of some size, finding by
//! pattern and printing.

use divan::{Bencher, black_box};
use rewright_primitives::cursor::path::{Hole, Place, Step};
use rewright_primitives::kept::Kept;
use rewright_primitives::registry::{Exact, Primitive};
use rewright_primitives::{Cursor, Proc, Rewrite};
use rewright_semantics::build::{assign, block, data, for_, pass, proc, tensor_arg, var};
use rewright_semantics::sym::Sym;
use rewright_semantics::types::DataType;

fn main() {
    divan::main();
}

/// Edits without a meaning.
static NOTHING: Primitive = Primitive {
    name: "nothing",
    summary: "puts statements that do nothing in and out",
    source: "the benchmark",
    params: &[],
    conditions: &[],
    exact: Exact::Never,
    run: |p, _| Ok(p.clone()),
};

fn program(loops: usize) -> Proc {
    let x = Sym::fresh("x");
    let nest = |_| {
        let i = Sym::fresh("i");
        for_(i, 0, 8, [for_(Sym::fresh("j"), 0, 8, [assign(x, [var(i)], data(1, 0)), pass()])])
    };
    Proc::root(proc("p", [tensor_arg(x, DataType::F32, [8.into()])], [], (0..loops).map(nest)))
}

/// A thousand versions, each ten edits from the one before.
fn history(p: &Proc) -> Proc {
    let mut p = p.clone();
    for _ in 0..1000 {
        let mut rw = Rewrite::new(&p, &NOTHING);
        for _ in 0..5 {
            let at = [Step::Body(0), Step::Body(0), Step::Body(1)];
            rw.insert(&at, block([pass()]));
            rw.delete(&Hole::stmt(at.as_slice()));
        }
        p = rw.finish().expect("a program like the one before");
    }
    p
}

#[divan::bench]
fn a_statement_across_10_000_edits(bencher: Bencher<'_, '_>) {
    let first = program(1);
    let last = history(&first);
    let place = Place::Stmt(vec![Step::Body(0), Step::Body(0), Step::Body(1)]);
    let c = Cursor::new(&first, place).expect("a statement");
    bencher.bench(|| last.forward(black_box(&c)));
}

#[divan::bench]
fn a_block_across_10_000_edits(bencher: Bencher<'_, '_>) {
    let first = program(1);
    let last = history(&first);
    let run = Hole { path: vec![Step::Body(0), Step::Body(0), Step::Body(0)], len: 2 };
    let c = Cursor::new(&first, Place::Block(run)).expect("a block");
    bencher.bench(|| last.forward(black_box(&c)));
}

#[divan::bench]
fn an_expression_across_10_000_edits(bencher: Bencher<'_, '_>) {
    let first = program(1);
    let last = history(&first);
    let c = first.find("x[_] = _").and_then(|c| c.rhs()).expect("an expression");
    bencher.bench(|| last.forward(black_box(&c)));
}

/// A thousand versions, each ten edits from the one before, each of which spells the statement anew.
fn respelt(p: &Proc) -> Proc {
    let mut p = p.clone();
    let at = [Step::Body(0), Step::Body(0), Step::Body(0)];
    for _ in 0..1000 {
        let mut rw = Rewrite::new(&p, &NOTHING);
        for _ in 0..10 {
            rw.reshape_stmt(&at, Kept::unchanged(), Clone::clone);
        }
        p = rw.finish().expect("a program like the one before");
    }
    p
}

#[divan::bench]
fn an_expression_that_is_spelt_anew_10_000_times(bencher: Bencher<'_, '_>) {
    let first = program(1);
    let last = respelt(&first);
    let write = first.find("x[_] = _").expect("a write");
    let c = write.idx().expect("indices").into_iter().next().expect("an index");
    bencher.bench(|| last.forward(black_box(&c)));
}

#[divan::bench(args = [10, 100, 1000])]
fn finding_the_last_loop(bencher: Bencher<'_, '_>, loops: usize) {
    let p = program(loops);
    let pattern = format!("for i in seq(0, _): _ #{}", loops - 1);
    bencher.bench(|| p.find(black_box(&pattern)));
}

#[divan::bench(args = [10, 100, 1000])]
fn printing_a_cursor(bencher: Bencher<'_, '_>, loops: usize) {
    let p = program(loops);
    let c = p.find_loop("j").expect("a loop");
    bencher.bench(|| black_box(&c).to_string());
}
