//! What versions share, threads may share, and no verdict depends on it. Spec: [rule: sessions].

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use rewright_campaign::rng::Rng;
use rewright_campaign::{arguments, program_in};
use rewright_primitives::derivation::record;
use rewright_primitives::ops::call_eqv::call_eqv;
use rewright_primitives::ops::divide_loop::{Tail, divide_loop};
use rewright_primitives::ops::reorder_stmts::reorder_stmts;
use rewright_primitives::version::session::Session;
use rewright_primitives::{Proc, ops};
use rewright_semantics::ast::Module;
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::SourceMap;
use std::thread;

const TEXT: &str = "
@proc
def zero(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        x[i] = 0.0
    for j in seq(0, n):
        y[j] = 0.0

@proc
def twice(n: size, x: f32[n], y: f32[n]):
    zero(n, x, y)
    zero(n, y, x)
";

fn module() -> Module {
    let mut sources = SourceMap::new();
    let file = sources.add("test", TEXT);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    parsed.module
}

/// Two versions of a procedure, each made in a thread of its own.
fn versions(first: Proc, second: Proc) -> (Proc, Proc) {
    let divided = thread::spawn(move || divide_loop(&first, "i", 4, ["io", "ii"], Tail::Cut).unwrap());
    let reordered = thread::spawn(move || reorder_stmts(&second, "for i in _: _ ; for j in _: _").unwrap());
    (divided.join().unwrap(), reordered.join().unwrap())
}

#[test]
fn versions_made_in_two_threads_meet() {
    let (m, session) = (module(), Session::new());
    let [zero, twice] = ["zero", "twice"].map(|name| session.root(m.proc(name).unwrap().clone()));
    let (divided, reordered) = versions(zero.clone(), zero);

    // The call of the one gives way to that of the other: both were made of what is called at first.
    let calls_divided = call_eqv(&twice, "zero(_) #0", &divided).unwrap();
    let calls_reordered = thread::spawn(move || call_eqv(&calls_divided, "zero(_) #0", &reordered).unwrap());
    assert_eq!(calls_reordered.join().unwrap().history().len(), 3);
}

#[test]
fn versions_of_two_sessions_do_not_meet() {
    let m = module();
    let root = |name: &str| Proc::root(m.proc(name).unwrap().clone());
    let (divided, reordered) = versions(root("zero"), root("zero"));

    // Each was made of the very procedure that is called.
    let calls_divided = call_eqv(&root("twice"), "zero(_) #0", &divided).unwrap();
    let refused = call_eqv(&calls_divided, "zero(_) #0", &reordered).unwrap_err();
    assert!(refused.to_string().contains("were not made from one procedure"), "{refused}");
}

/// Programs, and threads that work on them in one session.
const PROGRAMS: u64 = 60;
const THREADS: u64 = 4;
/// Rewrites that are tried on each.
const TRIES: usize = 12;

/// The derivation of some rewrites of a random program, as JSON, and each refusal.
fn told(session: &Session, seed: u64) -> String {
    let (mut p, mut rng, mut out) = (program_in(session, seed), Rng::new(seed), String::new());
    for _ in 0..TRIES {
        let primitive = *rng.pick(ops::ALL).unwrap();
        let Some(args) = arguments(&mut rng, &p, primitive) else { continue };
        match (primitive.run)(&p, &args) {
            Ok(new) => p = new,
            Err(refusal) => out.push_str(&format!("{refusal}\n")),
        }
    }
    let derivation = record("", [("p", &p)]);
    format!("{out}{}", serde_json::to_string_pretty(&derivation).unwrap())
}

#[test]
fn no_verdict_depends_on_the_session() {
    let (mut steps, shared) = (0, Session::new());
    let alone: Vec<String> = (0..PROGRAMS).map(|seed| told(&Session::new(), seed)).collect();
    let together: Vec<Vec<(u64, String)>> = thread::scope(|s| {
        // The threads meet the programs in different orders.
        let work = |k: u64| {
            let shared = &shared;
            move || {
                let seeds = (0..PROGRAMS).map(|i| if k.is_multiple_of(2) { i } else { PROGRAMS - 1 - i });
                seeds.map(|seed| (seed, told(shared, seed))).collect()
            }
        };
        let all: Vec<_> = (0..THREADS).map(|k| s.spawn(work(k))).collect();
        all.into_iter().map(|t| t.join().unwrap()).collect()
    });
    for (seed, found) in together.into_iter().flatten() {
        let expected = &alone[usize::try_from(seed).unwrap()];
        assert_eq!(&found, expected, "seed {seed}");
        steps += found.matches("\"primitive\"").count();
    }
    println!("{steps} steps of {THREADS} threads, {:?}", shared.counts());
    assert!(steps > 500, "only {steps} steps");
}
