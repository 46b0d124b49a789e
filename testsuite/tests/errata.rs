//! Every entry of `spec/errata.md` about effects has its program executed: most in `corpus/conditions` (the cases
//! whose names begin with its number), the others here.

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
use std::fs;
use std::path::Path;

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
        let tested = here.contains(&n) || names.iter().any(|name| name.starts_with(&format!("E-{n}: ")));
        assert!(tested, "no case begins with `E-{n}: `");
    }
}

fn proved(obligations: &[rewright_effects::obligation::Obligation]) -> bool {
    let solver = Solver::new();
    obligations.iter().all(|ob| solver.decide(ob).is_proved())
}

fn context(p: &Proc, len: usize) -> Context {
    Context::of(&Analysis::new(), p, &Hole { path: vec![Step::Body(0)], len }).expect("a place")
}

/// E-2: a callee that was extracted from its caller has the caller's symbols.
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

/// E-17: copying a field that was never set is fine; deciding on it is an error.
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

/// E-33: one symbol for two loops.
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

/// E-33: one symbol for two buffers, of which the later one is meant by what follows.
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

/// E-33: the second loop mentions an outer variable of the first one's symbol.
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
