//! Large programs of one shape: no table of one size is built for each row of another.

use rewright_base::span::SourceMap;
use rewright_perceus::optimise::{Passes, code};
use rewright_perceus::{c, surface};
use std::time::{Duration, Instant};

/// How long each part takes: reading and checking, optimising, C.
fn times(text: &str) -> [Duration; 3] {
    let mut sources = SourceMap::new();
    let file = sources.add("large.kk", text);
    let began = Instant::now();
    let program = surface::load(file, &sources).unwrap_or_else(|found| panic!("{}", found[0].message));
    let read = began.elapsed();
    let code = code(&program, &Passes::all());
    let optimised = began.elapsed();
    assert!(c::emit(&code).is_ok());
    [read, optimised - read, began.elapsed() - optimised]
}

fn chain(n: usize) -> String {
    let vals: String = (0..n).map(|i| format!("  val x{i} = f({i})\n")).collect();
    format!("fun f(x) {{ if x < 0 then throw x else x }}\nfun main() {{\n{vals}  x0 + x{}\n}}\n", n - 1)
}

fn large_type(n: usize) -> String {
    let constructors: String = (0..n).map(|i| format!("  C{i}\n")).collect();
    let arms: String = (0..n.min(900)).map(|i| format!("    C{i} -> {i}\n")).collect();
    let last = if n > 900 { "    _ -> 0\n" } else { "" };
    format!(
        "type large {{\n{constructors}}}\nfun f(x) {{\n  match(x) {{\n{arms}{last}  }}\n}}\nfun main() {{ f(C1) + f(C{}) }}\n",
        n - 1
    )
}

/// A chain of statements that may throw nests its matches.
#[test]
fn chains_of_what_may_throw_do_not_grow_with_the_cube() {
    let all = |n: usize| times(&chain(n)).into_iter().sum::<Duration>();
    // The first run fills tables of names.
    let (first, small, large) = (all(10), all(250), all(1_000));
    println!("{first:?} {small:?} {large:?}");
    assert!(large < small * 40, "{small:?} {large:?}");
}

/// Statements that may throw, one behind the other, where each of the matches that they become asks for memory in all that follow.
#[test]
fn thousands_of_statements_that_may_throw_are_optimised() {
    let statements = |n: usize| {
        let all: String = (0..n).map(|i| format!("  f({i})\n")).collect();
        let f = "fun f(x) { if x < 0 then throw x elif x > 100000 then f(x - 1) else x }";
        times(&format!("{f}\nfun main() {{\n{all}  0\n}}\n")).into_iter().sum::<Duration>()
    };
    statements(10);
    // A machine that is busy for a while is not busy each time.
    let is_fine = || {
        let (small, large) = (statements(600), statements(4_800));
        println!("{small:?} {large:?}");
        large < small * 60
    };
    assert!((0..3).any(|_| is_fine()));
}

/// [rule: perceus.surface.check]
#[test]
fn types_of_many_constructors_are_fine_or_refused() {
    let (small, large) = (times(&large_type(4_000)), times(&large_type(16_000)));
    println!("{small:?} {large:?}");
    let all = |times: [Duration; 3]| times.into_iter().sum::<Duration>();
    assert!(all(large) < all(small) * 12, "{small:?} {large:?}");
    let mut sources = SourceMap::new();
    let file = sources.add("large.kk", large_type(66_000));
    let found = surface::load(file, &sources).expect_err("too many");
    assert_eq!(found[0].message, "there are more than 20000 constructors");
    assert_eq!(sources.line_col(found[0].primary.span), Some((20_002, 3)));
}
