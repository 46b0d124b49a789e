//! Sliding windows: what slides computes each point once and gives what its algorithm says; what may not is refused, with
//! values for which it would go wrong. Spec: [rule: halide.slide], [rule: halide.fold].

use crate::scheduled;

use rayon::prelude::*;
use rewright_campaign::halide::{generate, schedules};
use rewright_campaign::rng::Rng;
use rewright_halide_model::c;
use rewright_halide_model::confluence::{Engine, Verdict, compare, execute, reference};
use rewright_halide_model::exec::Stuck;
use rewright_halide_model::exec::watch::Recorder;
use rewright_halide_model::schedule::{Directive, Rules, Sequence, Slide, schedule};
use rewright_halide_model::slide::{ONWARD, PURE, SERIAL, STORES, slide};
use rewright_halide_model::text::Parsed;
use rewright_halide_model::tgt::{Claim, Program};
use rewright_halide_model::unmet::Unmet;
use rewright_semantics::sym::Name;
use scheduled::read;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The verdict on a program, and how often each func is stored to.
fn judge(parsed: &Parsed, completed: &Program) -> (Verdict, BTreeMap<Name, u64>) {
    let z = parsed.input.as_ref().expect("an input");
    let expected = reference(&parsed.algorithm, z).expect("values");
    let mut recorder = Recorder::default();
    let run = execute(completed, z, &mut recorder);
    let stores = recorder.regions.iter().map(|(f, r)| (*f, r.stores)).collect();
    (compare(z, &expected, &run), stores)
}

fn refused(t: &Program) -> Vec<Unmet> {
    slide(&Engine::Tight.complete(t).0).1
}

/// Programs, how often `g` is stored to, and how often without sliding.
const SLID: &[(&str, &str, [u64; 2])] = &[
    (
        "in iterations that are written out",
        "pipeline f(): fun g(x, y) = x * y + 3; fun f(x, y) = g[x, y - 1] + g[x, y] + g[x, y + 1];
         schedule: split(<f, y>, yo, yi, 4, guard); unroll(<f, yi>); compute-at(g, <f, yi>); store-at(g, <f, yo>); slide(g, y);
         realize((0, 4), (0, 8))",
        [4 * 2 * 6, 4 * 3 * 8],
    ),
    (
        "three rows at once",
        "pipeline f(): fun g(x, y) = x * y + 3; fun f(x, y) = g[x, y - 1] + g[x, y] + g[x, y + 1];
         schedule: compute-at(g, <f, y>); slide(g, y); realize((0, 4), (0, 10))",
        [4 * 12, 4 * 3 * 10],
    ),
    (
        "in a circle of three rows",
        "pipeline f(): fun g(x, y) = x * y + 3; fun f(x, y) = g[x, y - 1] + g[x, y] + g[x, y + 1];
         schedule: compute-at(g, <f, y>); fold-storage(g, y, 3); slide(g, y); realize((0, 4), (0, 10))",
        [4 * 12, 4 * 3 * 10],
    ),
    (
        "along the row, and from anywhere on",
        "pipeline f(): fun g(x, y) = x * y + 3; fun f(x, y) = g[x, y] + g[x + 2, y];
         schedule: compute-at(g, <f, x>); slide(g, x); realize((-3, 7), (5, 3))",
        [3 * 9, 3 * 3 * 7],
    ),
    (
        "rows of tiles: each tile begins anew",
        "pipeline f(): fun g(x, y) = x + 10 * y; fun f(x, y) = g[x, y] + g[x, y + 2];
         schedule: split(<f, y>, yo, yi, 4, guard); compute-at(g, <f, yi>); store-at(g, <f, yo>); slide(g, y);
         realize((0, 3), (0, 8))",
        [3 * 12, 3 * 3 * 8],
    ),
    (
        "steps of two of three rows",
        "pipeline f(): fun g(x, y) = x + y * y; fun f(x, y) = g[x, 2 * y] + g[x, 2 * y + 2];
         schedule: compute-at(g, <f, y>); slide(g, y); realize((0, 2), (0, 6))",
        [2 * 13, 2 * 3 * 6],
    ),
    (
        "what lies apart is computed as before",
        "pipeline f(): fun g(x, y) = x + y * y; fun f(x, y) = g[x, 5 * y] + g[x, 5 * y + 1];
         schedule: compute-at(g, <f, y>); slide(g, y); realize((0, 2), (0, 6))",
        [24, 24],
    ),
    (
        "a producer of what slides slides, too",
        "pipeline f(): fun h(x, y) = x + 7 * y; fun g(x, y) = h[x, y] + h[x, y + 1]; fun f(x, y) = g[x, y] + g[x, y + 1];
         schedule: compute-at(g, <f, y>); compute-at(h, <f, y>); slide(g, y); slide(h, y); realize((0, 2), (0, 6))",
        [2 * 7, 2 * 2 * 6],
    ),
    (
        "rows in vectors, with a tail that is rounded up",
        "pipeline f(): fun g(x, y) = x + 7 * y; fun f(x, y) = g[x, y] + g[x, y + 1];
         schedule: split(<g, x>, xo, xi, 4, round); vectorize(<g, xi>); compute-at(g, <f, y>); slide(g, y);
         realize((0, 6), (0, 5))",
        [8 * 6, 8 * 2 * 5],
    ),
    (
        "what does not move is computed once",
        "pipeline f(): fun g(x) = x * x; fun f(x, y) = g[x] + y; schedule: compute-at(g, <f, y>); slide(g, x);
         realize((0, 4), (0, 5))",
        [4, 4 * 5],
    ),
    (
        "the warm-up that goes wrong in practice",
        "pipeline f(): fun g(x) = x * x; fun f(x) = g[max(x + 1, 4)] + g[x]; schedule: compute-at(g, <f, x>); slide(g, x);
         realize((0, 8))",
        [9, 5 + 4 + 3 + 2 * 5],
    ),
    (
        "a tail that is shifted back over what is kept",
        "pipeline f(): fun h(x, y) = x * y; fun g(x, y) = h[x, y] + h[x, y + 1]; fun f(x, y) = g[x, y] + g[x, y + 2];
         schedule: split(<g, y>, yo, yi, 2, shift); compute-at(g, <f, y>); compute-at(h, <f, y>); slide(g, y); slide(h, y);
         realize((0, 2), (0, 6))",
        [2 * (4 + 2 * 5), 2 * 4 * 6],
    ),
    (
        "a chain that is stored in different places, under a tail that is rounded up",
        "pipeline f(): fun h(x, y) = x * y; fun g(x, y) = h[x, y] + h[x, y + 1]; fun f(x, y) = g[x, y] + g[x, y + 2];
         schedule: split(<f, y>, yo, yi, 4, round); compute-at(g, <f, yi>); compute-at(h, <f, yi>); store-at(g, <f, yo>);
         slide(g, y); slide(h, y); realize((0, 2), (0, 6))",
        [2 * (6 + 4), 2 * (4 * 3 + 3 + 3 + 2 + 1)],
    ),
    (
        "a window that grows",
        "pipeline f(): fun g(x) = x * x; fun f(x, y) = g[min(x, y)]; schedule: compute-at(g, <f, y>); slide(g, x);
         realize((0, 4), (0, 4))",
        [4, 1 + 2 + 3 + 4],
    ),
];

/// [rule: halide.slide]
#[test]
fn what_slides_computes_what_is_new() {
    let g = Name::new("g");
    for (what, text, [slid, whole]) in SLID {
        let (parsed, t) = read(text);
        let (completed, none) = Engine::Tight.complete(&t);
        assert_eq!((none, refused(&t)), (None, Vec::new()), "{what}");
        let (verdict, stores) = judge(&parsed, &completed);
        assert_eq!((verdict, stores.get(&g)), (Verdict::Equal, Some(slid)), "{what}");
        let plain = Program { slides: [].into(), ..t };
        let (verdict, stores) = judge(&parsed, &Engine::Tight.complete(&plain).0);
        assert_eq!((verdict, stores.get(&g)), (Verdict::Equal, Some(whole)), "{what}");
        let unit = c::unit(&completed).unwrap_or_else(|e| panic!("{what}: {e}"));
        let ran = rewright_campaign::halide::compiled::execute(
            &completed,
            parsed.input.as_ref().expect("an input"),
        );
        assert!(ran.is_ok(), "{what}: {ran:?}\n{unit}");
    }
}

/// Programs that may not slide, and what is told.
const REFUSED: &[(&str, &str, &str, &str)] = &[
    (
        "a window that moves back",
        "pipeline f(): fun g(x, y) = x + y; fun f(x, y) = g[x, 0 - y] + g[x, 1 - y];
         schedule: compute-at(g, <f, y>); slide(g, y); realize((0, 2), (0, 4))",
        ONWARD.id,
        "its region may begin before that of the iteration before, in `y`",
    ),
    (
        "one that moves both ways",
        "pipeline f(): fun g(x, y) = x + y; fun f(x, y) = g[x, y] + g[x, 9 - y];
         schedule: compute-at(g, <f, y>); slide(g, y); realize((0, 2), (0, 6))",
        ONWARD.id,
        "begin before",
    ),
    (
        "along the row, while the column moves",
        "pipeline f(): fun g(x, y) = x + y; fun f(x, y) = g[x, y] + g[x, y + 1];
         schedule: compute-at(g, <f, y>); slide(g, x); realize((0, 2), (0, 6))",
        ONWARD.id,
        "its region may end behind that of the iteration before, in `y`",
    ),
    (
        "rows that become longer",
        "pipeline f(): fun g(x, y) = x + y; fun f(x, y) = g[min(x, y), y] + g[min(x, y), y + 1];
         schedule: compute-at(g, <f, y>); slide(g, y); realize((0, 6), (0, 6))",
        ONWARD.id,
        "in `x`",
    ),
    (
        "a tail that is rounded up",
        "pipeline f(): fun g(x, y) = x + y; fun f(x, y) = g[x, y] + g[x, y + 1];
         schedule: split(<g, y>, yo, yi, 4, round); compute-at(g, <f, y>); slide(g, y); realize((0, 2), (0, 6))",
        STORES.id,
        "`g` may be stored to at a point that is not asked for",
    ),
    (
        "a tail that is shifted back in front of what is kept",
        "pipeline f(): fun g(x, y) = x + y; fun f(x, y) = g[x, y] + g[x, y + 1];
         schedule: split(<g, y>, yo, yi, 4, shift); compute-at(g, <f, y>); slide(g, y); realize((0, 2), (0, 6))",
        STORES.id,
        "not asked for",
    ),
    (
        "a parallel loop",
        "pipeline f(): fun g(x, y) = x + y; fun f(x, y) = g[x, y] + g[x, y + 1];
         schedule: traverse(<f, y>, parallel); compute-at(g, <f, y>); store-at(g, <f, y>); slide(g, y);
         realize((0, 2), (0, 6))",
        SERIAL.id,
        "is not serial",
    ),
    (
        "memory of each iteration's own",
        "pipeline f(): fun g(x, y) = x + y; fun f(x, y) = g[x, y] + g[x, y + 1];
         schedule: compute-at(g, <f, y>); store-at(g, <f, y>); slide(g, y); realize((0, 2), (0, 6))",
        SERIAL.id,
        "it is stored inside loop <f, 0, 0, y>",
    ),
    (
        "a diagonal window",
        "pipeline f(): fun g(x, y) = x + 7 * y; fun f(x) = g[x, x] + g[x, x + 1];
         schedule: compute-at(g, <f, x>); slide(g, y); realize((0, 5))",
        ONWARD.id,
        "its region may end behind that of the iteration before, in `x`",
    ),
    (
        "a shifted tile over what is kept, of which the producer is not computed again",
        "pipeline f(): fun h(x) = x + 1; fun g(x) = h[x]; fun f(x) = g[x] + g[x + 2];
         schedule: split(<g, x>, xo, xi, 2, shift); compute-at(g, <f, x>); compute-at(h, <g, xo>); slide(g, x);
         realize((0, 6))",
        PURE.id,
        "`h` is computed inside of it",
    ),
    (
        "a tail in a circle",
        "pipeline f(): fun g(x, y) = x + 10 * y; fun f(x, y) = g[x, y] + g[x, y + 1] + g[x, y + 2];
         schedule: split(<g, y>, yo, yi, 2, round); compute-at(g, <f, y>); fold-storage(g, y, 4); slide(g, y);
         realize((0, 2), (0, 5))",
        STORES.id,
        "not asked for",
    ),
    (
        "sums, which would be added to twice",
        "pipeline f(): fun g(x, y) = {x; rdom(r = (0, 3)) in (x, y) <- g[x, y] + r * y}; fun f(x, y) = g[x, y] + g[x, y + 1];
         schedule: compute-at(g, <f, y>); slide(g, y); realize((0, 2), (0, 6))",
        PURE.id,
        "it has updates",
    ),
];

/// [rule: halide.slide]
#[test]
fn what_may_not_slide_is_refused_and_computed_as_a_whole() {
    for (what, text, condition, words) in REFUSED {
        let (parsed, t) = read(text);
        let said = refused(&t);
        let [one] = said.as_slice() else { panic!("{what}: {said:?}") };
        assert_eq!(one.condition.id, *condition, "{what}: {one}");
        assert!(one.to_string().contains(words), "{what}: {one}");
        if [ONWARD.id, STORES.id].contains(condition) {
            assert!(!one.model.is_empty(), "{what}: {one}");
        }
        assert_eq!(judge(&parsed, &Engine::Tight.complete(&t).0).0, Verdict::Equal, "{what}");
    }
}

/// Two rows in a circle of two are alive at once, of three one would be lost. [rule: halide.fold]
#[test]
fn a_circle_holds_what_is_kept() {
    let text = "pipeline f(): fun g(x, y) = x * y; fun f(x, y) = g[x, y] + g[x, y + 2];
        schedule: compute-at(g, <f, y>); fold-storage(g, y, 2); slide(g, y); realize((0, 2), (0, 6))";
    let (parsed, t) = read(text);
    let (verdict, _) = judge(&parsed, &Engine::Tight.complete(&t).0);
    assert_eq!(verdict, Verdict::AssertionFails(Stuck::Assertion(Claim::Fold)));
}

/// All funcs of random schedules are to slide in all dimensions. What does gives the algorithm's values; each condition
/// refuses some. `REWRIGHT_SLIDES=20000` tries more.
/// [rule: halide.slide] [rule: halide.confluence]
#[test]
fn random_programs_compute_what_their_algorithm_says() {
    let wanted = std::env::var("REWRIGHT_SLIDES").ok().and_then(|s| s.parse::<u64>().ok()).unwrap_or(400);
    let seed =
        std::env::var("REWRIGHT_SEED").ok().and_then(|s| s.parse::<u64>().ok()).unwrap_or(1) * 1_000_000;
    let found: Vec<BTreeMap<&'static str, u64>> =
        (0..wanted).into_par_iter().map(|k| random(seed + k)).collect();
    let mut all: BTreeMap<&str, u64> = BTreeMap::new();
    found.iter().flatten().for_each(|(what, n)| *all.entry(what).or_default() += n);
    println!("{wanted} schedules: {all:?}");
    for id in ["slid", "fewer stores", PURE.id, SERIAL.id, ONWARD.id, STORES.id] {
        assert!(all.get(id).is_some_and(|n| *n > 0), "{id} never occurs: {all:?}");
    }
}

fn random(seed: u64) -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::new();
    let mut rng = Rng::new(seed);
    let p = Arc::new(generate::algorithm(&mut rng));
    let drawn = schedules::draw(&mut rng, &p, Rules::default());
    let mut directives = drawn.schedule.clone();
    for f in &p.funcs {
        directives.extend(f.vars.iter().map(|v| Directive::from(Slide { func: f.name, var: *v })));
    }
    // Those that are computed in no loop are refused as directives.
    let mut t = drawn.program.clone();
    for d in directives.split_off(drawn.schedule.len()) {
        let with = [drawn.schedule.clone(), vec![d]].concat();
        if let Ok(new) = schedule(&p, &with, Sequence::Sorted, Rules::default()) {
            t.slides.extend(new.slides);
        }
    }
    let (completed, none) = Engine::Tight.complete(&t);
    if none.is_some() {
        return counts;
    }
    let slid = t.slides.len() - completed.slides.len();
    *counts.entry("slid").or_default() += u64::try_from(slid).expect("a small number");
    for why in slide(&completed).1 {
        *counts.entry(why.condition.id).or_default() += 1;
    }
    let (plain, _) = Engine::Tight.complete(&drawn.program);
    for _ in 0..3 {
        let z = generate::input(&mut rng, &p);
        let Ok(expected) = reference(&p, &z) else { continue };
        let [(verdict, stores), (unslid, before)] = [&completed, &plain].map(|t| {
            let mut recorder = Recorder::default();
            let run = execute(t, &z, &mut recorder);
            let stores: u64 = recorder.regions.values().map(|r| r.stores).sum();
            (compare(&z, &expected, &run), stores)
        });
        let text = || rewright_halide_model::tgt::print::program(&completed, None);
        let wrong = matches!(unslid, Verdict::Different(_));
        assert!(!wrong, "seed {seed}, without sliding: {unslid:?}\n{z:?}\n{}", text());
        assert!(unslid != Verdict::Equal || verdict == unslid, "seed {seed}: {verdict:?}\n{z:?}\n{}", text());
        if verdict == Verdict::Equal {
            assert!(stores <= before, "seed {seed}: {stores} stores, {before} before\n{}", text());
            *counts.entry("equal").or_default() += 1;
            *counts.entry("fewer stores").or_default() += u64::from(stores < before);
        }
    }
    counts
}
