//! Folds are proved over all iterations and inputs: what fits its circle runs without an assertion, and what does not is told
//! with values for which it overwrites itself. Spec: [rule: halide.fold].

use crate::scheduled;

use rayon::prelude::*;
use rewright_campaign::halide::{generate, schedules};
use rewright_campaign::rng::Rng;
use rewright_halide_model::alg::Input;
use rewright_halide_model::confluence::{Engine, Verdict, compare, execute, reference};
use rewright_halide_model::exec::Stuck;
use rewright_halide_model::exec::watch::Recorder;
use rewright_halide_model::expr::Expr;
use rewright_halide_model::fold::{FITS, fold};
use rewright_halide_model::schedule::{Directive, FoldStorage, Rules, Sequence, schedule};
use rewright_halide_model::tgt::walk::visit;
use rewright_halide_model::tgt::{Claim, Program, Stmt};
use rewright_semantics::sym::Name;
use scheduled::read;
use std::collections::BTreeMap;
use std::sync::Arc;

fn judge(completed: &Program, z: &Input) -> Verdict {
    let expected = reference(&completed.algorithm, z).expect("values");
    compare(z, &expected, &execute(completed, z, &mut Recorder::default()))
}

/// How many folds a program asserts.
fn assertions(t: &Program) -> usize {
    let mut n = 0;
    visit(&t.body, &mut |s| n += usize::from(is_assertion(s)));
    n
}

fn is_assertion(s: &Stmt) -> bool {
    matches!(s, Stmt::Assert { claim: Claim::Fold, .. })
}

/// A scheduled program that asserts nothing of its folds.
fn unchecked(t: &Program) -> Program {
    let mut t = t.clone();
    while let Some(less) = t.replace_first(&mut |s| is_assertion(s).then(Vec::new)) {
        t = less;
    }
    t
}

/// Programs whose folds hold.
const PROVED: &[(&str, &str)] = &[
    (
        "three rows in three",
        "pipeline f(): fun g(x, y) = x * y; fun f(x, y) = g[x, y - 1] + g[x, y] + g[x, y + 1];
         schedule: compute-at(g, <f, y>); fold-storage(g, y, 3); realize((0, 4), (-3, 10))",
    ),
    (
        "three rows in three, of which two are kept",
        "pipeline f(): fun g(x, y) = x * y; fun f(x, y) = g[x, y - 1] + g[x, y] + g[x, y + 1];
         schedule: compute-at(g, <f, y>); fold-storage(g, y, 3); slide(g, y); realize((0, 4), (-3, 10))",
    ),
    (
        "a window that moves back",
        "pipeline f(): fun g(x, y) = x * y; fun f(x, y) = g[x, 0 - y] + g[x, 1 - y];
         schedule: compute-at(g, <f, y>); fold-storage(g, y, 2); realize((0, 4), (-3, 10))",
    ),
    (
        "tiles of four rows with one around",
        "pipeline f(): fun g(x, y) = x * y; fun f(x, y) = g[x, y - 1] + g[x, y + 1];
         schedule: split(<f, y>, yo, yi, 4, round); compute-at(g, <f, yo>); fold-storage(g, y, 6);
         realize((0, 3), (1, 11))",
    ),
    (
        "a row, whose length is given",
        "pipeline f(): fun g(x, y) = x * y; fun f(x, y) = g[x, y] + g[x + 2, y];
         schedule: compute-at(g, <f, y>); bound-extent(f, x, 6); fold-storage(g, x, 8); realize((-2, 6), (0, 3))",
    ),
    (
        "a tail that is rounded up",
        "pipeline f(): fun g(x, y) = x * y; fun f(x, y) = g[x, y];
         schedule: split(<g, y>, yo, yi, 4, round); compute-at(g, <f, y>); fold-storage(g, y, 4); realize((0, 2), (0, 9))",
    ),
    (
        "two dimensions",
        "pipeline f(): fun g(x, y) = x * y; fun f(x, y) = g[x, y] + g[x + 1, y + 2];
         schedule: compute-at(g, <f, x>); fold-storage(g, x, 2); fold-storage(g, y, 3); realize((0, 4), (5, 4))",
    ),
];

/// [rule: halide.fold]
#[test]
fn a_fold_that_holds_is_not_asserted() {
    for (what, text) in PROVED {
        let (parsed, t) = read(text);
        assert!(assertions(&t) > 0, "{what}");
        let (completed, none) = Engine::Tight.complete(&t);
        assert!(none.is_none(), "{what}: {none:?}");
        let (folded, unmet) = fold(&completed);
        assert_eq!(unmet, [], "{what}");
        assert_eq!(assertions(&folded), 0, "{what}");
        assert_eq!(judge(&folded, parsed.input.as_ref().expect("an input")), Verdict::Equal, "{what}");
    }
}

/// Programs that overwrite themselves in what is realized.
const REFUTED: &[(&str, &str)] = &[
    (
        "rows that are wanted at once",
        "pipeline f(): fun g(x, y) = x + 10 * y; fun f(x, y) = g[x, y] + g[x, 5 - y];
         schedule: compute-at(g, <f, y>); fold-storage(g, y, 4); realize((0, 2), (0, 6))",
    ),
    (
        "three rows in two",
        "pipeline f(): fun g(x, y) = x + 10 * y; fun f(x, y) = g[x, y] + g[x, y + 2];
         schedule: compute-at(g, <f, y>); fold-storage(g, y, 2); realize((0, 2), (0, 6))",
    ),
    (
        "three rows in two, one of which is kept",
        "pipeline f(): fun g(x, y) = x + 10 * y; fun f(x, y) = g[x, y] + g[x, y + 2];
         schedule: compute-at(g, <f, y>); fold-storage(g, y, 2); slide(g, y); realize((0, 2), (0, 6))",
    ),
    (
        "first iterations that want more than the others",
        "pipeline f(): fun g(x) = x * x; fun f(x) = g[max(x + 1, 4)] + g[x];
         schedule: compute-at(g, <f, x>); fold-storage(g, x, 2); realize((0, 8))",
    ),
    (
        "a tail that is rounded up over what is wanted",
        "pipeline f(): fun g(x, y) = x + 10 * y; fun f(x, y) = g[x, y] + g[x, y + 1];
         schedule: split(<g, y>, yo, yi, 4, round); compute-at(g, <f, y>); fold-storage(g, y, 3); realize((0, 1), (0, 4))",
    ),
    (
        "a tail that is rounded up, below a predicate that is no guard of it",
        "pipeline f(): fun g(x) = {10 * x; (x) <- g[x] + 1 if x < 100}; fun f(x) = g[x] + g[x + 1];
         schedule: split(<g, 1, 0, x>, xo, xi, 4, round); compute-at(g, <f, x>); fold-storage(g, x, 2); realize((0, 3))",
    ),
    (
        "a row as long as the window",
        "pipeline f(): fun g(x, y) = x + 10 * y; fun f(x, y) = g[x, y] + g[x + 2, y];
         schedule: compute-at(g, <f, y>); fold-storage(g, x, 4); realize((0, 6), (0, 3))",
    ),
];

/// Its assertion stays, and without it, it goes wrong. [rule: halide.fold]
#[test]
fn a_fold_that_does_not_hold_is_told_with_values() {
    for (what, text) in REFUTED {
        let (parsed, t) = read(text);
        let z = parsed.input.as_ref().expect("an input");
        let completed = Engine::Tight.complete(&t).0;
        let said = fold(&completed).1;
        let [one] = said.as_slice() else { panic!("{what}: {said:?}") };
        assert!(one.condition == FITS && !one.model.is_empty(), "{what}: {one}");
        assert!(one.to_string().contains("one production may store more than"), "{what}: {one}");
        assert_eq!(judge(&completed, z), Verdict::AssertionFails(Stuck::Assertion(Claim::Fold)), "{what}");
        let wrong = judge(&Engine::Tight.complete(&unchecked(&t)).0, z);
        assert!(matches!(wrong, Verdict::Different(_)), "{what}: {wrong:?}");
    }
}

/// Every dimension of every func of random schedules in a circle of one to five cells: what is proved is right without an
/// assertion, and what is not keeps one. `REWRIGHT_FOLDS=20000` tries more.
/// [rule: halide.fold] [rule: halide.confluence]
#[test]
fn random_folds_that_are_proved_hold() {
    let number = |name: &str| std::env::var(name).ok().and_then(|s| s.parse::<u64>().ok());
    let (wanted, seed) =
        (number("REWRIGHT_FOLDS").unwrap_or(100), number("REWRIGHT_SEED").unwrap_or(1) * 1_000_000);
    let found: Vec<BTreeMap<&'static str, u64>> =
        (0..wanted).into_par_iter().map(|k| random(seed + k)).collect();
    let mut all: BTreeMap<&str, u64> = BTreeMap::new();
    found.iter().flatten().for_each(|(what, n)| *all.entry(what).or_default() += n);
    println!("{wanted} schedules: {all:?}");
    for what in ["proved", "refuted", "equal", "fails its assertion", "goes wrong without"] {
        assert!(all.get(what).is_some_and(|n| *n > 0), "{what} never occurs: {all:?}");
    }
}

fn random(seed: u64) -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::new();
    let mut count = |what| *counts.entry(what).or_default() += 1;
    let mut rng = Rng::new(seed);
    let p = Arc::new(generate::algorithm(&mut rng));
    let drawn = schedules::draw(&mut rng, &p, Rules::default());
    let folds =
        p.funcs.iter().flat_map(|f| f.vars.iter().map(|v| (f.name, *v))).collect::<Vec<(Name, Name)>>();
    for (func, var) in folds {
        let factor = Expr::int(rng.between(1, 5));
        let with =
            [drawn.schedule.clone(), vec![Directive::from(FoldStorage { func, var, factor })]].concat();
        let Ok(t) = schedule(&p, &with, Sequence::Sorted, Rules::default()) else { continue };
        let (completed, none) = Engine::Tight.complete(&t);
        if none.is_some() {
            continue;
        }
        let (completed, unmet) = fold(&completed);
        let is_proved = assertions(&t) > 0 && assertions(&completed) == 0;
        count(if is_proved { "proved" } else { "not proved" });
        if unmet.iter().any(|u| !u.model.is_empty()) {
            count("refuted");
        }
        let bare = Engine::Tight.complete(&unchecked(&t)).0;
        let plain = Engine::Tight.complete(&drawn.program).0;
        for _ in 0..3 {
            let z = generate::input(&mut rng, &p);
            if reference(&p, &z).is_err() || judge(&plain, &z) != Verdict::Equal {
                continue;
            }
            let text = || rewright_halide_model::tgt::print::program(&completed, None);
            match judge(&completed, &z) {
                Verdict::Equal => count("equal"),
                Verdict::AssertionFails(_) if !is_proved => {
                    count("fails its assertion");
                    if matches!(judge(&bare, &z), Verdict::Different(_)) {
                        count("goes wrong without");
                    }
                }
                other @ (Verdict::AlgorithmError
                | Verdict::AssertionFails(_)
                | Verdict::Different(_)
                | Verdict::Unknown(_)) => {
                    panic!("seed {seed}, {func} along {var}: {other:?}\n{z:?}\n{}", text())
                }
            }
        }
    }
    counts
}

/// A folded func whose loop is tiled twice, with whatever tails, in whatever order: tiles that are shifted over tiles begin
/// before the first point, and tiles that are rounded up end behind the last.
/// [rule: halide.fold]
#[test]
fn nested_tiles_store_into_the_cells_that_are_theirs() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..600 {
        let rng = &mut Rng::new(seed);
        let (reach, cells) = (rng.between(0, 5), rng.between(1, 8));
        let mut tail = || *rng.pick(&["guard", "round", "shift"]).expect("some");
        let (first, second) = (tail(), tail());
        let (of, e1, e2) = (*rng.pick(&["yo", "yi"]).expect("some"), rng.between(1, 4), rng.between(1, 4));
        let more = *rng
            .pick(&[
                "",
                "swap(<g, a>);",
                "swap(<g, b>);",
                "traverse(<g, a>, parallel);",
                "traverse(<g, b>, parallel);",
            ])
            .expect("some");
        let text = format!(
            "pipeline f(): fun g(y) = y; fun f(y) = g[y] + g[y + {reach}];
             schedule: split(<g, y>, yo, yi, {e1}, {first}); split(<g, {of}>, a, b, {e2}, {second}); {more}
             compute-at(g, <f, y>); fold-storage(g, y, {cells}); realize((0, {}))",
            rng.between(1, 6),
        );
        let (parsed, t) = scheduled::tried(&text);
        let z = parsed.input.expect("an input");
        let what = match t {
            Err(refused) if refused.restriction.id == "fold-storage.tail" => "not known",
            Err(_) => "refused",
            Ok(t) => match judge(&fold(&Engine::Tight.complete(&t).0).0, &z) {
                Verdict::Equal => "equal",
                Verdict::AssertionFails(_) => "asserted",
                other @ (Verdict::AlgorithmError | Verdict::Different(_) | Verdict::Unknown(_)) => {
                    panic!("{seed}: {other:?}\n{text}")
                }
            },
        };
        *counts.entry(what).or_default() += 1;
    }
    println!("{counts:?}");
    assert!(["not known", "equal", "asserted"].iter().all(|what| counts[what] >= 60), "{counts:?}");
}
