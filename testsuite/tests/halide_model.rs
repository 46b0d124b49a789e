//! Properties of the Halide model on random algorithms and schedules.

use rewright_halide_model::bounds::complete::complete;
use rewright_halide_model::bounds::oracle::oracle;
use rewright_halide_model::bounds::query::query;
use rewright_halide_model::bounds::values::Ranges;
use rewright_halide_model::bounds::verify::{Verification, verify_bounds};
use rewright_halide_model::confluence::{Engine, Verdict, compare, execute, reference};
use rewright_halide_model::eval;
use rewright_halide_model::exec::fast::Compiled;
use rewright_halide_model::exec::watch::Recorder;
use rewright_halide_model::exec::{Stuck, small};
use rewright_halide_model::expr::Expr;
use rewright_halide_model::schedule::{Directive, Rules, Sequence, schedule};
use rewright_halide_model::text::{Parsed, parse, print};
use rewright_halide_model::tgt::invariant::{dominance, loop_names, scoping, shared_storage};
use rewright_halide_model::valid;
use rewright_halide_model::value::{Op, Value};
use rewright_semantics::span::SourceMap;
use rewright_testsuite::halide::{compiled, generate, schedules};
use rewright_testsuite::rng::Rng;
use std::collections::BTreeSet;
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
        let text = print::algorithm(&p) + &print::schedule(&drawn.schedule) + &print::input(&p, &z);
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
                for y in z.points() {
                    assert_eq!(fast.get(&y), slow.get(&y), "{}", print::algorithm(&p));
                }
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

/// How many points are allocated for funcs.
fn allocated(r: &Recorder) -> i64 {
    let points = |b: &Vec<(i64, i64)>| b.iter().map(|(_, n)| (*n).max(0)).product::<i64>();
    r.regions.values().filter_map(|r| r.allocated.as_ref()).map(points).sum()
}

/// The bounds quality constraint (Def. 2.5), and that β₀ is never better. [rule: halide.baseline] [rule: halide.tight]
#[test]
fn the_tight_engine_is_at_least_as_good_as_the_baseline() {
    let (mut compared, mut worse) = (0, 0);
    for seed in 5000..5150 {
        let mut rng = Rng::new(seed);
        let p = Arc::new(generate::algorithm(&mut rng));
        let t = schedules::draw(&mut rng, &p, Rules::default()).program;
        let z = generate::input(&mut rng, &p);
        let Ok(expected) = reference(&p, &z) else { continue };
        let run = |engine: Engine| {
            let mut recorder = Recorder::default();
            let (completed, _) = engine.complete(&t);
            (compare(&z, &expected, &execute(&completed, &z, &mut recorder)), recorder)
        };
        let (baseline, loose) = run(Engine::Baseline);
        if baseline != Verdict::Equal {
            continue;
        }
        let (tight, close) = run(Engine::Tight);
        let shown = || format!("seed {seed}\n{}{}", print::algorithm(&p), print::input(&p, &z));
        assert_eq!(tight, Verdict::Equal, "{}", shown());
        if allocated(&close) > allocated(&loose) {
            println!("{} > {}: {}", allocated(&close), allocated(&loose), shown());
            worse += 1;
        }
        compared += 1;
    }
    // Not yet never: a term that the tight engine cuts short may be the better one (seed 5013).
    assert!(worse * 50 <= compared, "{worse} of {compared} allocate more than the baseline");
    assert!(compared > 50, "{compared}");
}

/// [rule: halide.verify] [rule: halide.query]
#[test]
fn a_wrong_engine_is_caught() {
    let text = "pipeline f(): fun g(x) = x * x; fun f(x) = g[x] + g[x + 1];
        schedule: split(<f, x>, xo, xi, 3, guard); compute-at(g, <f, xo>); store-at(g, <f, xo>); realize((0, 6))";
    let parsed = read(text);
    let t = applied(&parsed);
    let right = Engine::Tight.solve(&t, &query(&t)).expect("bounds");
    assert!(verify_bounds(&complete(&t, &right)).is_verified());
    for (region, dims) in &right.regions {
        for shift in [(1, 0), (0, -1)] {
            let mut wrong = right.clone();
            let plus = |e: &Expr, k: i64| Expr::binary(Op::Add, e.clone(), Expr::int(k));
            let i = &mut wrong.regions.get_mut(region).expect("it is there")[0];
            *i = rewright_halide_model::expr::Interval {
                min: plus(&dims[0].min, shift.0),
                len: plus(&dims[0].len, shift.1),
            };
            let answer = verify_bounds(&complete(&t, &wrong));
            assert!(matches!(answer, Verification::Refuted { .. }), "{region:?} {shift:?}: {answer:?}");
        }
    }
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
