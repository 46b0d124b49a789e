//! Properties of the Halide model on random algorithms and schedules.

use rayon::prelude::*;
use rewright_campaign::halide::{compiled, generate, schedules};
use rewright_campaign::rng::Rng;
use rewright_halide_model::alg::Input;
use rewright_halide_model::bounds::complete::complete;
use rewright_halide_model::bounds::oracle::oracle;
use rewright_halide_model::bounds::query::query;
use rewright_halide_model::bounds::values::Ranges;
use rewright_halide_model::bounds::verify::{Verification, verify_bounds};
use rewright_halide_model::confluence::{Engine, Verdict, compare, execute, reference};
use rewright_halide_model::eval;
use rewright_halide_model::exec::fast::Compiled;
use rewright_halide_model::exec::watch::{Blind, Recorder, Regions};
use rewright_halide_model::exec::{Stuck, small, window};
use rewright_halide_model::expr::{End, Expr, Interval, Region, Var};
use rewright_halide_model::op::Op;
use rewright_halide_model::schedule::{self, Directive, Rules, Sequence, Split, Tail, schedule};
use rewright_halide_model::text::{Parsed, parse, print};
use rewright_halide_model::tgt::invariant::{dominance, loop_names, scoping, shared_storage};
use rewright_halide_model::tgt::walk::map_block;
use rewright_halide_model::valid;
use rewright_halide_model::value::Value;
use rewright_semantics::span::SourceMap;
use rewright_semantics::sym::Name;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

fn read(text: &str) -> Parsed {
    let mut sources = SourceMap::new();
    let file = sources.add("text", text);
    parse(file, &sources).unwrap_or_else(|d| panic!("{}: {text}", d.message))
}

fn applied(parsed: &Parsed) -> rewright_halide_model::tgt::Program {
    let directives: Vec<Directive> = parsed.schedule.iter().map(|(d, _)| d.clone()).collect();
    let p = Arc::new(parsed.algorithm.clone());
    schedule(&p, &directives, Sequence::Sorted, Rules::default()).unwrap_or_else(|r| panic!("{r}"))
}

/// [rule: halide.text] [rule: halide.alg] [rule: halide.expr]
#[test]
fn what_is_printed_parses_back() {
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let p = Arc::new(generate::algorithm(&mut rng));
        let drawn = schedules::draw(&mut rng, &p, Rules::default());
        let z = generate::input(&mut rng, &p);
        let text = print::algorithm(&p) + &schedule::print(&drawn.schedule) + &print::input(&p, &z);
        let parsed = read(&text);
        assert_eq!(parsed.algorithm, *p, "{text}");
        assert_eq!(parsed.schedule.into_iter().map(|(d, _)| d).collect::<Vec<_>>(), drawn.schedule, "{text}");
        assert_eq!(parsed.input, Some(z), "{text}");
    }
}

/// [rule: halide.eval] [rule: halide.memo] [rule: halide.values]
#[test]
fn the_memoised_evaluator_gives_what_the_rules_give() {
    let (mut compared, mut errors) = (0, 0);
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let p = generate::algorithm(&mut rng);
        let mut z = generate::input(&mut rng, &p);
        for (_, len) in &mut z.window {
            *len = (*len).min(2);
        }
        let Ok(by_rule) = eval::realize(&p, &z, 60_000) else { continue };
        assert_eq!(
            Ok(&by_rule),
            reference(&p, &z).as_ref(),
            "{}{}",
            print::algorithm(&p),
            print::input(&p, &z)
        );
        compared += 1;
        errors += usize::from(by_rule.iter().any(Value::is_error));
    }
    assert!(compared > 400 && errors > 5, "{compared} compared, {errors} with errors");
}

/// [rule: halide.small-step] [rule: halide.fast] [rule: halide.exec] [rule: halide.tgt]
#[test]
fn both_executors_agree_in_every_interleaving() {
    let (mut equal, mut stuck) = (0, 0);
    for seed in 0..120 {
        let mut rng = Rng::new(seed);
        let p = Arc::new(generate::algorithm(&mut rng));
        let drawn = schedules::draw(&mut rng, &p, Rules::default());
        let mut z = generate::input(&mut rng, &p);
        for (_, len) in &mut z.window {
            *len = (*len).min(5);
        }
        let (completed, _) = Engine::Tight.complete(&drawn.program);
        let fast =
            Compiled::new(&completed).and_then(|c| c.run_watched(&z, 20_000, &mut Recorder::default()));
        let slow = small::run(&completed, &z, 150_000, &mut |n| rng.below(n));
        match (fast, slow) {
            (Err(Stuck::TooMuch), _) | (_, Err(Stuck::TooMuch)) => {}
            (Ok(fast), Ok(slow)) => {
                // Outside of the window garbage may depend on the order.
                assert_eq!(window(&fast, &z), window(&slow, &z), "{}", print::algorithm(&p));
                equal += 1;
            }
            (fast, slow) => {
                assert_eq!(fast.map(|_| ()), slow.map(|_| ()), "seed {seed} {}", print::algorithm(&p));
                stuck += 1;
            }
        }
    }
    assert!(equal > 40 && stuck > 0, "{equal} equal, {stuck} stuck");
}

/// [rule: halide.valid] [rule: halide.separation]
#[test]
fn each_rule_of_validity_is_broken_by_a_program() {
    const BROKEN: &[(&str, &str)] = &[
        ("halide.func-unique", "pipeline f(): fun f(x) = x; fun f(x) = x"),
        ("halide.vars-unique", "pipeline f(): fun f(x, x) = x"),
        ("halide.params-unique", "pipeline f(p, p): fun f(x) = x"),
        (
            "halide.rvars-unique",
            "pipeline f(): fun f(x) = {0; rdom(r = (0, 2), r = (0, 3)) in (x) <- f[x] + r}",
        ),
        ("halide.rvars-unique", "pipeline f(): fun f(x) = {0; rdom(x = (0, 2)) in (x) <- 1}"),
        (
            "halide.startup",
            "pipeline f(): fun g(x) = x; fun f(x) = {0; rdom(r = (0, g[3])) in (x) <- f[x] + r}",
        ),
        ("halide.startup", "pipeline f(): fun f(x) = {0; rdom(r = (0, x)) in (x) <- f[x] + r}"),
        ("halide.separation", "pipeline f(): fun g(x) = x; fun f(x) = {g[x]; (x) <- f[x + 1]}"),
        ("halide.separation", "pipeline f(): fun f(x) = {0; rdom(r = (0, 3)) in (x) <- f[x] + f[r]}"),
        ("halide.separation", "pipeline f(): fun f(x) = {0; rdom(r = (0, 3)) in (r) <- f[r] + x}"),
        ("halide.separation", "pipeline f(): fun f(x) = {0; (x) <- 1 if f[x - 1] > 0}"),
        ("halide.output", "pipeline h(): fun f(x) = x"),
        ("halide.output", "pipeline f(): fun f(x) = x; fun g(x) = f[x]"),
        ("halide.order", "pipeline f(): fun f(x) = g[x]; fun g(x) = x"),
        ("halide.pure-self", "pipeline f(): fun f(x) = f[x - 1] + 1"),
        ("halide.arity", "pipeline f(): fun g(x) = x; fun f(x) = g[x, x]"),
        ("halide.arity", "pipeline f(): fun f(x, y) = {x + y; (x) <- 1}"),
        ("halide.unbound", "pipeline f(): fun f(x) = x + q"),
    ];
    for (rule, text) in BROKEN {
        let found: BTreeSet<&str> = valid::check(&read(text).algorithm).iter().map(|d| d.rule).collect();
        assert!(found.contains(rule), "{rule}: {found:?}\n{text}");
    }
    let legal = "pipeline f(): fun g(x) = x; fun f(x) = {0; rdom(r = (0, 3)) in (x) <- f[x] + g[x] + g[r]}";
    assert!(valid::check(&read(legal).algorithm).is_empty());
}

/// Lemmas 2.4 and 2.5. [rule: halide.loop-names] [rule: halide.dominance] [rule: halide.complete]
#[test]
fn scheduled_programs_keep_their_invariants() {
    for seed in 1000..1300 {
        let mut rng = Rng::new(seed);
        let p = Arc::new(generate::algorithm(&mut rng));
        let t = schedules::draw(&mut rng, &p, Rules::default()).program;
        let broken = loop_names(&t)
            .or_else(|| dominance(&t))
            .or_else(|| shared_storage(&t))
            .or_else(|| scoping(&t, false));
        assert_eq!(broken, None, "{}", print::algorithm(&p));
        let (completed, none) = Engine::Tight.complete(&t);
        if none.is_none() {
            assert_eq!(scoping(&completed, true), None, "{}", print::algorithm(&p));
        }
    }
}

/// How the allocations of two engines compare in one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    /// No func has more points, and none reaches outside of what the other engine allocates.
    Inside,
    /// No func has more points, but some are others.
    Moved,
    /// Some func has more points.
    More,
}

fn order(tight: &Recorder, baseline: &Recorder) -> Order {
    let points = |b: &[(i64, i64)]| b.iter().map(|(_, n)| (*n).max(0)).product::<i64>();
    let compare = |(func, mine): (&Name, &Regions)| {
        let mine = mine.allocated.as_ref().filter(|b| points(b) > 0)?;
        let theirs = baseline.regions.get(func)?.allocated.as_ref()?;
        let within = |((m, n), (k, l)): (&(i64, i64), &(i64, i64))| m >= k && m + n <= k + l;
        Some(match (points(mine) > points(theirs), mine.iter().zip(theirs).all(within)) {
            (true, _) => Order::More,
            (false, true) => Order::Inside,
            (false, false) => Order::Moved,
        })
    };
    tight.regions.iter().filter_map(compare).max().unwrap_or(Order::Inside)
}

/// Runs of one random program, by whether tails reach outside of their region and whether the window is empty.
type Compared = BTreeMap<(bool, bool, Order), usize>;

fn compare_engines(seed: u64) -> Compared {
    let mut out = Compared::new();
    let mut rng = Rng::new(seed);
    let p = Arc::new(generate::algorithm(&mut rng));
    let drawn = schedules::draw(&mut rng, &p, Rules::default());
    let (loose, none) = Engine::Baseline.complete(&drawn.program);
    if none.is_some() {
        return out;
    }
    let (close, _) = Engine::Tight.complete(&drawn.program);
    let reaches_out = drawn
        .schedule
        .iter()
        .any(|d| matches!(d, Directive::Split(Split { tail: Tail::Round | Tail::Shift, .. })));
    for _ in 0..4 {
        let mut z = generate::input(&mut rng, &p);
        for (_, len) in &mut z.window {
            *len = [*len, 0, 1, *len, *len][rng.below(5)];
        }
        let Ok(expected) = reference(&p, &z) else { continue };
        let run = |t| {
            let mut recorder = Recorder::default();
            let run = Compiled::new(t).and_then(|c| c.run_watched(&z, 1 << 18, &mut recorder));
            (compare(&z, &expected, &run), recorder)
        };
        let (baseline, theirs) = run(&loose);
        if baseline != Verdict::Equal {
            continue;
        }
        let (tight, mine) = run(&close);
        let shown = || format!("seed {seed}\n{}{}", print::algorithm(&p), print::input(&p, &z));
        assert_eq!(tight, Verdict::Equal, "{}", shown());
        let empty = z.window.iter().any(|(_, len)| *len == 0);
        let order = order(&mine, &theirs);
        assert!(reaches_out || empty || order != Order::More, "{}", shown());
        *out.entry((reaches_out, empty, order)).or_default() += 1;
    }
    out
}

/// The bounds quality constraint (Def. 2.5): where the baseline computes what the algorithm says, so does the tight
/// engine. It allocates no more, but for the two cases of [rule: halide.smaller-is-not-less]: a tail that reaches
/// outside of its region, and a window without points. [rule: halide.baseline] [rule: halide.tight]
#[test]
fn the_tight_engine_is_at_least_as_good_as_the_baseline() {
    let mut all = Compared::new();
    for one in (5000..7500_u64).into_par_iter().map(compare_engines).collect::<Vec<_>>() {
        for (k, n) in one {
            *all.entry(k).or_default() += n;
        }
    }
    let count = |tail: Option<bool>, empty: Option<bool>, order: Option<Order>| -> usize {
        let is = |(t, e, o): &(bool, bool, Order)| {
            tail.is_none_or(|x| x == *t) && empty.is_none_or(|x| x == *e) && order.is_none_or(|x| x == *o)
        };
        all.iter().filter(|(k, _)| is(k)).map(|(_, n)| n).sum()
    };
    for (tail, empty) in [(false, false), (false, true), (true, false), (true, true)] {
        let of = |order| count(Some(tail), Some(empty), order);
        let (runs, moved, more) = (of(None), of(Some(Order::Moved)), of(Some(Order::More)));
        println!("{runs:6} runs, round or shift: {tail}, empty window: {empty}; others {moved}, more {more}");
    }
    assert!(count(None, None, None) > 5000);
    assert_eq!(count(Some(false), Some(false), Some(Order::More)), 0);
    // One percent, and four.
    assert!(count(Some(true), Some(false), Some(Order::More)) * 100 <= count(Some(true), Some(false), None));
    assert!(count(None, Some(true), Some(Order::More)) * 25 <= count(None, Some(true), None));
}

/// Many iterations at once are what one after the other is. [rule: halide.fast]
#[test]
fn rows_compute_what_single_iterations_do() {
    let (mut equal, mut stuck) = (0, 0);
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let p = Arc::new(generate::algorithm(&mut rng));
        let drawn = schedules::draw(&mut rng, &p, Rules::default());
        let mut z = generate::input(&mut rng, &p);
        if let Some((_, len)) = z.window.first_mut() {
            *len *= [1, 1, 30, 70][rng.below(4)];
        }
        let (mut completed, _) = Engine::Tight.complete(&drawn.program);
        if seed % 3 == 0 {
            // A buffer that is too small.
            completed.body = map_block(&completed.body, &mut |e| match e {
                Expr::Var(Var::Hole(h)) if matches!(h.region, Region::Mem(_)) && h.end == End::Len => {
                    Expr::binary(Op::Sub, e.clone(), Expr::int(1))
                }
                Expr::Var(_) | Expr::Const(_) | Expr::Access(_) | Expr::Op(..) => e.clone(),
            });
        }
        let Ok(code) = Compiled::new(&completed) else { continue };
        let one_by_one = code.run_watched(&z, 1 << 17, &mut Recorder::default());
        assert_eq!(code.run_watched(&z, 1 << 17, &mut Blind), one_by_one, "{}", print::algorithm(&p));
        if one_by_one.is_ok() { equal += 1 } else { stuck += 1 }
    }
    assert!(equal > 200 && stuck > 200, "{equal} equal, {stuck} stuck");
}

fn plus(e: &Expr, k: i64) -> Expr {
    Expr::binary(Op::Add, e.clone(), Expr::int(k))
}

/// The bounds of a region, each way a little wrong: what an engine that is off by one would answer.
fn wrong_bounds(dims: &[Interval]) -> Vec<(String, Vec<Interval>)> {
    let mut out = Vec::new();
    for (d, i) in dims.iter().enumerate() {
        let mut with = |what: &str, min: Expr, len: Expr| {
            let mut wrong = dims.to_vec();
            wrong[d] = Interval { min, len };
            out.push((format!("dimension {d}: {what}"), wrong));
        };
        with("moved up", plus(&i.min, 1), i.len.clone());
        with("moved down", plus(&i.min, -1), i.len.clone());
        with("without its first point", plus(&i.min, 1), plus(&i.len, -1));
        with("without its last point", i.min.clone(), plus(&i.len, -1));
        let window = Expr::Var(Var::Window(d, End::Len));
        let when = |op, n| Expr::binary(op, window.clone(), Expr::int(n));
        let short = Expr::op(Op::Select, [when(Op::Eq, 1), plus(&i.len, -1), i.len.clone()]);
        with("short for an extent of 1", i.min.clone(), short);
        let negative = Expr::op(Op::Select, [when(Op::Lt, 1), Expr::int(-1), i.len.clone()]);
        with("negative for an extent of 0", i.min.clone(), negative);
    }
    if let [x, y] = dims {
        out.push(("dimensions swapped".to_owned(), vec![y.clone(), x.clone()]));
    }
    out
}

/// [rule: halide.verify] [rule: halide.query]
#[test]
fn a_wrong_engine_is_caught() {
    const PROGRAMS: &[&str] = &[
        "pipeline f(): fun g(x) = x * x; fun f(x) = g[x] + g[x + 1];
         schedule: split(<f, x>, xo, xi, 3, guard); compute-at(g, <f, xo>); store-at(g, <f, xo>); realize((0, 6))",
        "pipeline f(): fun g(x, y) = x * y; fun f(x, y) = g[x - 1, y] + g[x + 1, y + 2]; realize((0, 6), (1, 3))",
        "pipeline f(): fun g(x, y) = {x; (x, y) <- g[x, y] + y}; fun f(x, y) = g[x, y] + g[x + 1, y + 2];
         schedule: compute-at(g, <f, y>); realize((0, 6), (1, 3))",
    ];
    let (mut caught, mut negative) = (0, 0);
    for text in PROGRAMS {
        let t = applied(&read(text));
        let right = Engine::Tight.solve(&t, &query(&t)).expect("bounds");
        assert!(verify_bounds(&complete(&t, &right)).is_verified());
        for (region, dims) in &right.regions {
            for (what, wrong) in wrong_bounds(dims) {
                let mut solution = right.clone();
                solution.regions.insert(*region, wrong);
                let answer = verify_bounds(&complete(&t, &solution));
                // A negative extent of an allocation or of a loop that is split is no fault: there are no points.
                if what.contains("negative") {
                    negative += usize::from(matches!(answer, Verification::Refuted { .. }));
                    continue;
                }
                assert!(
                    matches!(answer, Verification::Refuted { .. }),
                    "{region:?} {what}: {answer:?}\n{text}"
                );
                caught += 1;
            }
        }
    }
    println!("{caught} wrong answers are caught, and {negative} with negative extents");
    assert!(caught > 60 && negative > 5, "{caught}, {negative}");
}

/// The range of a func's values is needed, and a wrong one is not believed. [rule: halide.values-range]
#[test]
fn ranges_of_values_are_needed_and_are_proved() {
    // With what it holds of `h` and one point less, which is too little.
    const PROGRAMS: &[(&str, &str)] = &[
        ("pipeline f(): fun g(x) = min(max(x, 0), 7); fun h(x) = x; fun f(x) = h[g[x]]; realize((0, 6))", "8"),
        ("pipeline f(): fun g(x): uint8 = 300 * x; fun h(x) = x; fun f(x) = h[g[x]]; realize((0, 6))", "256"),
        (
            "pipeline f(): fun g(x) = {x mod 4; (x) <- min(max(g[x] + x, 0), 9)}; fun h(x) = x; fun f(x) = h[g[x]];
             realize((0, 6))",
            "10",
        ),
        (
            "pipeline f(): fun g(x) = x mod 6; fun h(x) = x; fun f(x) = h[g[2 * x]];
             schedule: split(<f, x>, xo, xi, 4, round); compute-at(g, <f, xo>); realize((0, 6))",
            "6",
        ),
    ];
    for (text, len) in PROGRAMS {
        let t = applied(&read(text));
        let right = Engine::Tight.solve(&t, &query(&t)).expect("bounds");
        assert!(verify_bounds(&complete(&t, &right)).is_verified(), "{text}");
        let (h, mut wrong) = (Name::new("h"), right.clone());
        let found = &right.regions[&Region::Mem(h)][0];
        assert_eq!(print::expr(&found.len), *len, "{text}");
        wrong.regions.get_mut(&Region::Mem(h)).expect("it is there")[0].len = plus(&found.len, -1);
        let answer = verify_bounds(&complete(&t, &wrong));
        assert!(matches!(answer, Verification::Refuted { .. }), "{answer:?}: {text}");
    }
}

/// `x mod max(p, 0)` is 0 for `p = 0`, and so is `x div max(p, 0)`: a range that forgets it lets an index out of a
/// buffer without points, and whoever assumes the range finds nothing wrong. [rule: halide.values-range]
#[test]
fn a_divisor_that_can_be_zero() {
    const PROGRAMS: &[&str] = &[
        "pipeline f(p): fun g(x) = x mod max(p, 0); fun h(x) = x; fun f(x) = h[g[x]]",
        "pipeline f(p): fun g(x) = (max(p, 0) * 7 + min(max(x, 0), 0)) div max(p, 0); fun h(x) = x; fun f(x) = h[g[x]]",
        "pipeline f(p): fun h(x) = x; fun f(x) = h[x mod max(p, 0)]",
    ];
    for text in PROGRAMS {
        let parsed = read(text);
        let t = applied(&parsed);
        let solution = Engine::Tight.solve(&t, &query(&t)).expect("bounds");
        let completed = complete(&t, &solution);
        let answer = verify_bounds(&completed);
        assert!(!matches!(answer, Verification::Refuted { .. }), "{answer:?}: {text}");
        for p in [-1, 0, 1, 3] {
            let z = Input::new(vec![p], vec![(-2, 7)]);
            let expected = reference(&parsed.algorithm, &z).expect("values");
            let run = execute(&completed, &z, &mut Recorder::default());
            assert_eq!(compare(&z, &expected, &run), Verdict::Equal, "p = {p}: {text}");
        }
        let mut wrong = solution.clone();
        let none = Interval { min: Expr::int(0), len: Expr::binary(Op::Max, param("p"), Expr::int(0)) };
        wrong.regions.insert(Region::Mem(Name::new("h")), vec![none]);
        assert!(!verify_bounds(&complete(&t, &wrong)).is_verified(), "{text}");
    }
}

fn param(name: &str) -> Expr {
    Expr::Var(Var::Param(Name::new(name)))
}

/// [rule: halide.oracle]
#[test]
fn the_oracle_finds_templates_that_are_verified() {
    const PROGRAMS: &[&str] = &[
        "pipeline f(): fun g(x) = x * x; fun f(x) = g[x] + g[x + 1]; realize((0, 6))",
        "pipeline f(): fun g(x) = x * x; fun f(x) = g[x - 3] + g[x + 4]; realize((2, 5))",
        "pipeline f(): fun g(x) = x * x; fun f(x) = g[x] + g[x + 1];
         schedule: split(<f, x>, xo, xi, 3, guard); compute-at(g, <f, xo>); store-at(g, <f, xo>); realize((0, 6))",
        "pipeline f(): fun g(x) = x * x; fun t(x) = x; fun f(x) = t[g[x] mod 5]; realize((0, 6))",
    ];
    for text in PROGRAMS {
        let parsed = read(text);
        let t = applied(&parsed);
        let solution = oracle(&t).unwrap_or_else(|none| panic!("{none}: {text}"));
        let completed = complete(&t, &solution);
        assert!(verify_bounds(&completed).is_verified(), "{text}");
        let z = parsed.input.as_ref().expect("an input");
        let expected = reference(&parsed.algorithm, z).expect("values");
        assert_eq!(compare(z, &expected, &execute(&completed, z, &mut Recorder::default())), Verdict::Equal);
    }
}

/// [rule: halide.values-range]
#[test]
fn values_lie_in_the_range_that_is_found() {
    let mut bounded = 0;
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let p = generate::algorithm(&mut rng);
        let z = generate::input(&mut rng, &p);
        let ranges = Ranges::of(&p);
        let Ok(values) = reference(&p, &z) else { continue };
        let end = |up| ranges.end(p.output, up).and_then(|e| e.as_i64());
        let (Some(lo), Some(hi)) = (end(false), end(true)) else { continue };
        bounded += 1;
        assert!(
            values.iter().filter_map(Value::to_i64).all(|v| lo <= v && v <= hi),
            "{}",
            print::algorithm(&p)
        );
    }
    assert!(bounded > 50, "{bounded}");
}

/// [rule: halide.typed]
#[test]
fn fixed_width_values_wrap_alike_everywhere() {
    let text =
        "pipeline f(): fun g(x): uint8 = 37 * x - 100; fun h(x): int16 = {300 * g[x]; (x) <- h[x] * 5};
         fun f(x) = h[x] + g[x + 1]; realize((-3, 9))";
    let parsed = read(text);
    let (completed, _) = Engine::Tight.complete(&applied(&parsed));
    assert!(verify_bounds(&completed).is_verified());
    let z = parsed.input.as_ref().expect("an input");
    let expected = reference(&parsed.algorithm, z).expect("values");
    assert!(expected.iter().any(|v| v.to_i64().is_some_and(|v| v < 0)), "something wrapped");
    let fast = execute(&completed, z, &mut Recorder::default());
    assert_eq!(compare(z, &expected, &fast), Verdict::Equal);
    assert_eq!(compare(z, &expected, &small::run(&completed, z, 1 << 20, &mut |_| 0)), Verdict::Equal);
    let in_c: Vec<i64> = expected.iter().filter_map(Value::to_i64).collect();
    assert_eq!(compiled::execute(&completed, z), Ok(compiled::Ran::Values(in_c)));
}
