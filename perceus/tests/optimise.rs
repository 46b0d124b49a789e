//! The optimisations, held against the standard semantics: same result, counts right and nothing alive that is not needed at
//! every state, nothing left at the end.

mod support;

use rewright_base::rng::Rng;
use rewright_base::sym::Name;
use rewright_perceus::code::print;
use rewright_perceus::optimise::agree::{Agreed, Ended, agree};
use rewright_perceus::optimise::campaign;
use rewright_perceus::optimise::{Pass, Passes, code, stages};
use rewright_perceus::stuck::Stuck;
use rewright_perceus::syntax::{Def, Expr, ExprKind, Prim, Program};
use rewright_perceus::tally::Tally;
use std::collections::BTreeMap;
use support::{assert_none, files, leaves, program, text_of};

const STEPS: u64 = 2_000_000;

fn named(name: &str) -> Program {
    program(&text_of(name))
}

/// [rule: perceus.optimise] [rule: perceus.optimise.oracle] [rule: perceus.lower]
#[test]
fn every_program_of_the_corpus_means_the_same_at_every_stage() {
    let (mut runs, mut audited) = (0, 0);
    for (name, text) in files("programs") {
        let p = program(&text);
        for passes in [
            Passes::all(),
            Passes::without(&[Pass::Inline]),
            Passes::without(&[Pass::Inline]).and(Pass::Borrow),
        ] {
            for stage in stages(&p, &passes) {
                let found = agree(&p, &stage.code, STEPS, 300).unwrap_or_else(|why| {
                    panic!("{name}, {}: {why}\n{}", stage.name, print::code(&stage.code))
                });
                assert!(matches!(found.end, Ended::Value(_)), "{name}: {:?}", found.end);
                assert_eq!(found.left, leaves(&text), "{name}: cells on cycles");
                runs += 1;
                audited += found.audited;
            }
        }
    }
    println!("{runs} runs, {audited} states audited");
}

/// [rule: perceus.fusion] [rule: perceus.drop-specialization] [rule: perceus.drop-reuse-specialization]
/// [rule: perceus.reuse-specialization] [rule: perceus.plain] [rule: perceus.inline] [rule: perceus.reuse-drops]
/// [rule: perceus.code] [rule: perceus.code.heap] [rule: perceus.code.owned] [rule: perceus.kinds]
#[test]
fn random_programs_mean_the_same_under_every_selection_of_passes() {
    let (mut tally, mut wrong) = (Tally::new(), Vec::new());
    for seed in 0..800 {
        let found =
            campaign::program(seed, 13).and_then(|p| campaign::examine(&p, &mut Rng::new(seed), &mut tally));
        wrong.extend(found.err().map(|why| format!("seed {seed}, {why}")));
    }
    println!("{tally}");
    assert_none(wrong);
    let all = tally.get("runs");
    for (what, least) in [
        ("reuse memory", 20),
        ("test is-unique", 4),
        ("drop-reuse is specialized", 10),
        ("fields are kept", 20),
        ("tokens are dropped", 10),
        ("share cells", 4),
        ("borrow", 30),
        ("leave a cycle", 100),
        ("read or assign references", 10),
        ("have results of what may throw", 10),
    ] {
        assert!(tally.get(what) * least >= all, "{what}: {} of {all}", tally.get(what));
    }
}

/// A call with fewer arguments than parameters is no program of λ¹: a pass that gave each parameter an argument would leave one
/// without. [rule: perceus.valid]
#[test]
fn a_call_with_too_few_arguments_is_ill_formed() {
    let (p, x, y) = (Name::new("p"), Name::new("x"), Name::new("y"));
    let body = Expr::new(ExprKind::Prim(Prim::Add, vec![Expr::var(x), Expr::var(y)]));
    let call = |args: Vec<Expr>| Expr::new(ExprKind::Call(p, args));
    let program = |main| Program {
        constructors: BTreeMap::new(),
        defs: vec![Def { name: p, params: vec![x, y], body: body.clone() }],
        main,
    };
    let examine = |main| {
        campaign::examine(&program(main), &mut Rng::new(0), &mut Tally::new())
            .map_err(|why| why.lines().next().map_or_else(String::new, str::to_owned))
    };
    assert_eq!(examine(call(vec![Expr::int(1), Expr::int(2)])), Ok(()));
    let applied = Expr::app(call(vec![Expr::int(1)]), Expr::int(2));
    assert_eq!(examine(applied), Err("ill-formed: wrong-arity `p` at program/app/0".to_owned()));
}

/// What a run of all the passes' code says.
fn run(text: &str) -> Agreed {
    let p = program(text);
    let found = agree(&p, &code(&p, &Passes::all()), STEPS, 0);
    found.unwrap_or_else(|why| panic!("{why}\n{text}"))
}

/// [rule: perceus.constants] Equal constants are one cell, those in others too; nothing is allocated for them, whoever captures, shares or matches
/// them, and no memory that is matched goes to them.
#[test]
fn constant_constructors_are_built_once() {
    let text = "type expr { Nil; Val(n); Var(x); Pair(a, b) }\n\
                fun d(e) { match(e) { Var(x) -> if x == 0 then Val(0) else Pair(Val(1), Val(0)); _ -> e } }\n\
                fun loop(n, f, acc) { if n == 0 then acc else loop(n - 1, f, f(d(Var(n)))) }\n\
                fun main() {\n  val one = Val(1)\n  loop(9, fn(x) { Pair(one, x) }, Pair(one, Val(0)))\n}";
    let p = program(text);
    let built = code(&p, &Passes::all());
    let statics: Vec<String> =
        print::code(&built).lines().take_while(|l| l.starts_with("static")).map(str::to_owned).collect();
    assert_eq!(statics.len(), 3, "{statics:?}");
    let counters = |passes: &Passes| agree(&p, &code(&p, passes), STEPS, 500).unwrap().counters;
    let (with, without) = (counters(&Passes::all()), counters(&Passes::without(&[Pass::Constants])));
    // The closure; then a Var, and a Pair around what d gives, for each round. Without: a Val and a Pair of two more before, and in
    // each round a Pair and a Val beside the one in the memory of the Var.
    assert_eq!((with.allocs, with.reuses), (19, 0), "{with:?}");
    assert_eq!((without.allocs, without.reuses), (40, 9), "{without:?}");
}

/// The source may need more steps than its code: seed 700074733 of the campaign is stuck after 3630 steps, the source after more than 4000.
#[test]
fn code_that_is_stuck_sooner_than_its_source_agrees() {
    let p = program(
        "fun one(x) { x + 1 }\nfun loop(n) { if n == 0 then 1 else { val m = one(one(n - 3))\n loop(m) } }\n\
         fun main() { val f = loop(50)\n f(1) }",
    );
    let code = code(&p, &Passes::all());
    let ends: Vec<Ended> =
        (1..1_000).map(|n| agree(&p, &code, n, 0).unwrap_or_else(|why| panic!("{n}: {why}")).end).collect();
    let stuck = ends.iter().filter(|e| **e == Ended::Stuck(Stuck::ApplyNonFunction)).count();
    assert!(ends.contains(&Ended::Unfinished) && stuck > 100, "{stuck}");
}

/// Memory that is matched goes past constants to what comes behind them, also to what holds a closure; a constructor that has it already
/// stays, though its field turns out to be constant.
#[test]
fn constants_leave_memory_to_others() {
    let pair = "type pair { Pair(a, b) }\ntype box { Box(n) }\n";
    let counters = |body: &str, main: &str| {
        let text = format!(
            "{pair}fun mk(n) {{ Box(n) }}\nfun f(n, p) {{ if n == 0 then p else f(n - 1, {body}) }}\nfun main() {{ {main} }}"
        );
        let found = run(&text);
        (print::code(&code(&program(&text), &Passes::all())), found.counters.allocs, found.counters.reuses)
    };
    let (_, allocs, reuses) = counters(
        "match(p) { Pair(a, b) -> { val c = Pair(0, 1)\n Pair(b, c) } }",
        "val g = f(0, 1)\nf(5, Pair(g, g))",
    );
    assert_eq!((allocs, reuses), (1, 5));
    let (_, allocs, reuses) =
        counters("match(p) { Box(_) -> Box(fn(x) x) }", "val g = f(0, 1)\nf(5, Box(g))");
    assert_eq!((allocs, reuses), (6, 5));
    let (text, allocs, reuses) = counters("match(p) { Box(_) -> mk(7) }", "val g = f(0, 1)\nf(5, Box(g))");
    assert_eq!((allocs, reuses), (1, 5));
    assert!(text.contains("Box@ru(7)"), "{text}");
}

/// A constant's variable goes, and another pass gives its name to a cell: seed 20261797 of the campaign.
#[test]
fn names_of_constants_are_free_for_others() {
    let p = program(
        "type list { Nil; Cons(head, tail) }\ntype nat { Zero; Succ(n) }\n\
         fun build(n) { if n == 0 then Nil else Cons(n, build(n - 1)) }\n\
         fun length(xs) { match(xs) { Nil -> 0; Cons(_, xx) -> 1 + length(xx) } }\n\
         fun nat(xs) { match(xs) { Nil -> Zero; Cons(_, xx) -> Succ(nat(xx)) } }\n\
         fun main() {\n  val r = Cons(5, Nil)\n  val ys = build(2)\n  if length(r) == 1 then nat(ys) else Zero\n}",
    );
    let code = code(&p, &Passes::all().and(Pass::Borrow));
    let found = agree(&p, &code, STEPS, 500).unwrap_or_else(|why| panic!("{why}\n{}", print::code(&code)));
    assert_eq!(found.end, Ended::Value("Succ(Succ(Zero))".to_owned()));
}

/// A static cell is not unique: whoever matches it builds in other memory, and it is as it was the next time.
#[test]
fn static_cells_are_not_reused() {
    let found = run("type list { Nil; Cons(head, tail) }\n\
                     fun inc(xs) { match(xs) { Cons(x, xx) -> Cons(x + 1, inc(xx)); Nil -> Nil } }\n\
                     fun twice(n) { if n == 0 then Nil else { val ys = twice(n - 1); inc(Cons(1, Cons(2, ys))) } }\n\
                     fun main() { Cons(inc(Cons(1, Cons(2, Nil))), Cons(inc(Cons(1, Cons(2, Nil))), twice(1))) }");
    assert_eq!(
        found.end,
        Ended::Value(
            "Cons(Cons(2, Cons(3, Nil)), Cons(Cons(2, Cons(3, Nil)), Cons(2, Cons(3, Nil))))".to_owned()
        )
    );
    // Two cells for each `inc` of a static list; the two of `twice` are updated in place.
    assert_eq!((found.counters.allocs, found.counters.reuses), (2 + 2 + 2 + 2, 2), "{:?}", found.counters);
}

/// [rule: perceus.fusion] A branch that drops the scrutinee, which another one uses, finds it unique.
#[test]
fn scrutinees_that_another_branch_uses_are_updated_in_place() {
    let found = run("type expr { Val(n); Add(l, r) }\n\
                     fun append(a, b) { match(a) { Add(l, r) -> Add(l, append(r, b)); _ -> Add(a, b) } }\n\
                     fun grow(n, e) { if n == 0 then e else grow(n - 1, append(e, Val(n))) }\n\
                     fun size(e) { match(e) { Add(l, r) -> size(l) + size(r); Val(_) -> 1 } }\n\
                     fun main() { size(grow(20, Val(0))) }");
    // A Val and an Add in each round.
    assert_eq!(found.counters.allocs, 40, "{:?}", found.counters);
}

/// Thesis §4.2.5: in a unique tree each insertion of a new key allocates its node and nothing else, one of a key that is
/// there allocates nothing; a tree that is kept is copied along the path alone.
#[test]
fn red_black_insertion_allocates_nothing_but_the_new_node() {
    let text = text_of("rbtree");
    let (before, _) = text.split_once("fun main()").unwrap();
    let with = |main: &str| run(&format!("{before}fun main() {{ {main} }}"));
    let once = with("count(fill(31, Leaf))");
    assert_eq!((once.counters.allocs, once.counters.peak), (31, 31), "{:?}", once.counters);
    let again = with("count(fill(31, fill(31, Leaf)))");
    assert_eq!(again.counters.allocs, 31, "{:?}", again.counters);
    // Every test of a unique tree says yes: nothing is duplicated.
    assert_eq!(again.counters.dups, 0, "{:?}", again.counters);
    let kept = with("{\n  val t = fill(31, Leaf)\n  count(insert(t, 4, True)) + count(t)\n}");
    assert!((32..=31 + 9).contains(&kept.counters.allocs), "{:?}", kept.counters);
}

/// Thesis Fig. 4.3: no allocation, and no frame, whatever the depth.
#[test]
fn the_fbip_traversal_allocates_nothing_and_needs_no_stack() {
    let text = text_of("tmap-fbip");
    let (before, _) = text.split_once("fun full").unwrap();
    let spine = "fun left(n, t) { if n == 0 then t else left(n - 1, Bin(t, n, Tip)) }\n\
                 fun depth(t, n) { match(t) { Bin(l, _, _) -> depth(l, n + 1); Tip -> n } }\n";
    for n in [10, 2_000] {
        let main = format!("fun main() {{ depth(tmap(fn(x) {{ x + 1 }}, left({n}, Tip), Done, Down), 0) }}");
        let found = run(&format!("{before}{spine}{main}"));
        assert_eq!(found.end, Ended::Value(n.to_string()));
        // The tree and the closure.
        assert_eq!(found.counters.allocs, n + 1, "{:?}", found.counters);
        assert_eq!(found.counters.peak, n + 1, "{:?}", found.counters);
        assert!(found.deepest <= 2, "{} frames", found.deepest);
    }
}

/// Each pass does what it is for, on a program of the corpus: the counter it makes smaller.
#[test]
fn each_pass_pays() {
    let with = |name: &str, passes: &Passes| {
        let p = named(name);
        let found = agree(&p, &code(&p, passes), STEPS, 0).unwrap_or_else(|why| panic!("{name}: {why}"));
        found.counters
    };
    let all = with("rbtree", &Passes::all());
    for pass in Pass::ALL {
        let (name, all) = match pass {
            Pass::DropSpecialize => ("shared-tree", with("shared-tree", &Passes::all())),
            Pass::Constants => ("deriv", with("deriv", &Passes::all())),
            Pass::Inline
            | Pass::Reuse
            | Pass::Fuse
            | Pass::Plain
            | Pass::DropReuseSpecialize
            | Pass::ReuseSpecialize
            | Pass::Borrow => ("rbtree", all),
        };
        let but = with(name, &Passes::without(&[pass]));
        println!("{name} without {pass}: {but:?}\n  with all {all:?}");
        let (less, more) = match pass {
            Pass::Inline | Pass::Constants | Pass::Reuse => (all.allocs, but.allocs),
            Pass::Fuse | Pass::DropReuseSpecialize | Pass::DropSpecialize => {
                (all.dups + all.drops, but.dups + but.drops)
            }
            // What it leaves out is not counted: it did nothing.
            Pass::Plain => {
                let ops = |passes: &Passes| print::code(&code(&named(name), passes)).matches("dup(").count();
                let few = |n: usize| u64::try_from(n).unwrap();
                (few(ops(&Passes::all())), few(ops(&Passes::without(&[pass]))))
            }
            Pass::ReuseSpecialize => (all.writes, but.writes),
            Pass::Borrow => unreachable!("it is not one of all"),
        };
        assert!(less < more, "{pass}: {less}, {more}");
    }
}

/// [rule: perceus.borrow] What it saves, and what it costs: `safe` of nqueens only looks at its list; a list of which only the
/// length is asked for stays as long as that takes.
#[test]
fn borrowing_saves_counting_and_keeps_garbage() {
    let both = |p: &Program| {
        let run = |passes: &Passes| {
            agree(p, &code(p, passes), STEPS, u64::MAX).unwrap_or_else(|why| panic!("{why}"))
        };
        (run(&Passes::all()), run(&Passes::all().and(Pass::Borrow)))
    };
    let (owned, borrowed) = both(&named("nqueens"));
    println!("nqueens\n{:?}\n{:?}", owned.counters, borrowed.counters);
    assert!(owned.counters.dups > 3 * borrowed.counters.dups.max(1), "{:?}", borrowed.counters);
    assert!(owned.counters.peak < borrowed.counters.peak, "{:?}", borrowed.counters);
    // The last call of main has something to drop behind it; loops stay loops.
    assert!(borrowed.deepest <= owned.deepest + 1, "{} {}", borrowed.deepest, owned.deepest);
    let p = program(
        "type list { Nil; Cons(head, tail) }\n\
         fun upto(n, xs) { if n == 0 then xs else upto(n - 1, Cons(n, xs)) }\n\
         fun length(xs, n) { match(xs) { Nil -> n; Cons(_, xx) -> length(xx, n + 1) } }\n\
         fun main() { length(upto(20, Nil), 0) }",
    );
    let (owned, borrowed) = both(&p);
    println!("length: {} states with garbage of {}", borrowed.garbage, borrowed.audited);
    assert!(owned.garbage == 0 && borrowed.garbage > 20, "{borrowed:?}");
    assert!(borrowed.deepest <= owned.deepest + 1, "{} {}", borrowed.deepest, owned.deepest);
    // A loop that gives itself new cells would have to drop each behind its tail call.
    let p = program(
        "type t { A(x); B(x, y) }\n\
         fun go(n, s) {\n  match(s) {\n    A(x) -> if n == 0 then x else go(n - 1, B(x, 1))\n    \
         B(x, y) -> if n == 0 then x + y else go(n - 1, A(x + y))\n  }\n}\n\
         fun main() { go(200, A(0)) }",
    );
    let (owned, borrowed) = both(&p);
    assert_eq!(
        (owned.deepest, owned.counters.peak),
        (borrowed.deepest, borrowed.counters.peak),
        "{borrowed:?}"
    );
}
