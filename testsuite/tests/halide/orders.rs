//! Traversal orders: vectorized loops run in lock step, unrolled ones are written out.

use rewright_campaign::halide::compiled::{self, Ran};
use rewright_campaign::halide::schedules;
use rewright_campaign::halide::{generate, siblings};
use rewright_campaign::rng::Rng;
use rewright_halide_model::c;
use rewright_halide_model::confluence::{Difference, Engine, Verdict, compare, execute, race, reference};
use rewright_halide_model::exec::fast::Compiled;
use rewright_halide_model::exec::small;
use rewright_halide_model::exec::watch::Recorder;
use rewright_halide_model::schedule::{Directive, Rules, Sequence, Traverse, schedule};
use rewright_halide_model::text::{Parsed, parse};
use rewright_halide_model::tgt::{Order, Program};
use rewright_halide_model::value::Value;
use rewright_semantics::span::SourceMap;
use std::sync::Arc;

fn read(text: &str) -> Parsed {
    let mut sources = SourceMap::new();
    let file = sources.add("orders", text);
    parse(file, &sources).unwrap_or_else(|d| panic!("{}: {text}", d.message))
}

fn completed(parsed: &Parsed, rules: Rules) -> Program {
    let directives: Vec<Directive> = parsed.schedule.iter().map(|(d, _)| d.clone()).collect();
    let p = Arc::new(parsed.algorithm.clone());
    let t = schedule(&p, &directives, Sequence::Strict, rules).unwrap_or_else(|r| panic!("{r}"));
    Engine::Tight.complete(&t).0
}

fn verdict(parsed: &Parsed, t: &Program) -> Verdict {
    let z = parsed.input.as_ref().expect("an input");
    let expected = reference(&parsed.algorithm, z).expect("values");
    compare(z, &expected, &small::run(t, z, 1 << 20, &mut |_| 0))
}

/// [rule: halide.traverse] [rule: halide.small-step]
#[test]
fn lanes_run_in_lock_step() {
    let text = "pipeline f(): fun g(x, y) = x * y; fun f(x, y) = {g[x, y] + g[x + 1, y]; (x, y) <- 2 * f[x, y] + y};
        schedule: split(<f, x>, xo, xi, 4, guard); vectorize(<f, xi>); vectorize(<f, 1, 0, x>); realize((0, 6), (0, 3))";
    let parsed = read(text);
    let t = completed(&parsed, Rules::default());
    assert_eq!(verdict(&parsed, &t), Verdict::Equal);
    let z = parsed.input.as_ref().expect("an input");
    let mut recorder = Recorder::default();
    assert!(execute(&t, z, &mut recorder).is_ok());
    assert_eq!(recorder.race, None);
    let source = c::unit(&t).expect("C");
    assert_eq!(source.matches("    SIMD\n").count(), 2, "{source}");
    let expected = reference(&parsed.algorithm, z).expect("values");
    let values = expected.iter().filter_map(Value::to_i64).collect();
    assert_eq!(compiled::execute(&t, z), Ok(Ran::Values(values)));
}

/// A reduction in lock step reads what no other lane has stored yet; the race check sees it, and the rule forbids it.
/// [rule: halide.traverse]
#[test]
fn a_reduction_in_lanes_is_wrong() {
    let text = "pipeline f(): fun f(x) = {x; rdom(r = (0, 3)) in (x) <- 3 * f[x] + r};
        schedule: vectorize(<f, 1, 0, r>); realize((0, 3))";
    let parsed = read(text);
    let directives: Vec<Directive> = parsed.schedule.iter().map(|(d, _)| d.clone()).collect();
    let p = Arc::new(parsed.algorithm.clone());
    let refusal = schedule(&p, &directives, Sequence::Strict, Rules::default()).expect_err("refused");
    assert_eq!(refusal.restriction.id, "traverse.pure");
    let t = completed(&parsed, Rules { off: Some("traverse.pure") });
    // All lanes read f(0) = 0, and the last one that stores leaves 3 * 0 + 2.
    let expected = reference(&parsed.algorithm, parsed.input.as_ref().expect("an input")).expect("values");
    let found = Verdict::Different(Difference::Value {
        output: None,
        point: vec![0],
        expected: expected[0].clone(),
        found: Some(Value::int(2)),
    });
    assert_eq!(verdict(&parsed, &t), found);
    let mut recorder = Recorder::default();
    let _ = execute(&t, parsed.input.as_ref().expect("an input"), &mut recorder);
    assert!(recorder.race.is_some());
    // What is computed in lanes and stored outside of them is shared.
    let text = "pipeline f(): fun g(x) = x; fun f(x) = g[x];
        schedule: vectorize(<f, x>); compute-at(g, <f, x>); realize((0, 3))";
    let parsed = read(text);
    let directives: Vec<Directive> = parsed.schedule.iter().map(|(d, _)| d.clone()).collect();
    let p = Arc::new(parsed.algorithm);
    let refusal = schedule(&p, &directives, Sequence::Strict, Rules::default()).expect_err("refused");
    assert_eq!(refusal.restriction.id, "schedule.shared-storage");
}

/// Tiles that overlap in `x` and are rounded up in `y`: behind the window they store what their own memory holds, one value or
/// another. Nothing depends on it, in whatever order.
/// [rule: halide.race]
#[test]
fn two_values_of_a_point_that_nobody_asks_for_are_no_race() {
    let text = "pipeline d(): fun b(x, y) = x + 10 * y; fun d(x, y) = b[x, y] + b[x, x];
        schedule: split(<d, x>, xo, xi, 4, shift); traverse(<d, xi>, parallel); swap(<d, xo>);
          split(<d, y>, yo, yi, 5, round); compute-at(b, <d, xi>); store-at(b, <d, xi>);
        realize((0, 5), (0, 1))";
    let parsed = read(text);
    let t = completed(&parsed, Rules::default());
    let z = parsed.input.as_ref().expect("an input");
    let mut recorder = Recorder::default();
    let run = Compiled::new(&t).expect("a program").run_watched(z, 1 << 20, &mut recorder);
    assert!(recorder.race.is_some() && !recorder.read_early);
    assert!(recorder.unsettled.values().all(|point| point.get(1) >= Some(&1)), "{:?}", recorder.unsettled);
    assert_eq!(race(&t, z, &run, &recorder), None);
    let expected = reference(&parsed.algorithm, z).expect("values");
    let mut rng = Rng::new(1);
    for _ in 0..20 {
        let run = small::run(&t, z, 1 << 20, &mut |n| rng.below(n));
        assert_eq!(compare(z, &expected, &run), Verdict::Equal);
    }
}

/// All iterations store to one point of the window, and nothing reads: the last one is not the one that comes last.
/// [rule: halide.race]
#[test]
fn two_values_of_a_point_of_the_window_are_a_race() {
    let text = "pipeline f(): fun f(x) = {x; rdom(r = (0, 3)) in (1) <- r};
        schedule: traverse(<f, 1, 0, r>, parallel); realize((0, 3))";
    let parsed = read(text);
    let t = completed(&parsed, Rules { off: Some("traverse.pure") });
    let mut recorder = Recorder::default();
    let z = parsed.input.as_ref().expect("an input");
    assert!(execute(&t, z, &mut recorder).is_ok());
    assert!(recorder.race.is_some() && !recorder.read_early);
}

/// [rule: halide.traverse] [rule: halide.c]
#[test]
fn unrolled_loops_are_written_out() {
    let text = "pipeline f(): fun f(x) = {x; rdom(r = (2, 3)) in (x) <- 3 * f[x] + r};
        schedule: split(<f, x>, xo, xi, 4, guard); unroll(<f, xi>); unroll(<f, 1, 0, r>); realize((0, 6))";
    let parsed = read(text);
    let t = completed(&parsed, Rules::default());
    assert_eq!(verdict(&parsed, &t), Verdict::Equal);
    let source = c::unit(&t).expect("C");
    let body = source.split("void run_f").last().expect("the function");
    assert!(!body.contains("xi++") && !body.contains("r++"), "{body}");
    assert_eq!(body.matches("3 * f[").count(), 3, "{body}");
    let z = parsed.input.as_ref().expect("an input");
    let expected = reference(&parsed.algorithm, z).expect("values");
    let values = expected.iter().filter_map(Value::to_i64).collect();
    assert_eq!(compiled::execute(&t, z), Ok(Ran::Values(values)));
}

/// Random programs with vectorized loops: lock step gives what serial execution gives, and so does C now and then.
/// [rule: halide.traverse]
#[test]
fn random_lanes_agree_with_serial_execution() {
    let (mut seen, mut in_c) = (0, 0);
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let p = Arc::new(if rng.chance(50) {
            generate::algorithm(&mut rng)
        } else {
            siblings::algorithm(&mut rng)
        });
        let drawn = schedules::draw(&mut rng, &p, Rules::default());
        let of = |o: Order| {
            drawn
                .schedule
                .iter()
                .any(|d| matches!(d, Directive::Traverse(Traverse { order, .. }) if *order == o))
        };
        if !of(Order::Vectorized) && !of(Order::Unrolled) {
            continue;
        }
        let (t, none) = Engine::Tight.complete(&drawn.program);
        let z = generate::input(&mut rng, &p);
        let Ok(expected) = reference(&p, &z) else { continue };
        if none.is_some() || expected.iter().any(Value::is_error) {
            continue;
        }
        let fast = execute(&t, &z, &mut Recorder::default());
        let lanes = small::run(&t, &z, 200_000, &mut |n| n - 1);
        let told = || rewright_halide_model::tgt::print::program(&t, None);
        match compare(&z, &expected, &lanes) {
            Verdict::Equal => seen += 1,
            Verdict::AssertionFails(_) | Verdict::Unknown(_) => continue,
            other @ (Verdict::AlgorithmError | Verdict::Different(_)) => {
                panic!("seed {seed}: {other:?}\n{}", told())
            }
        }
        assert_eq!(compare(&z, &expected, &fast), Verdict::Equal, "seed {seed}");
        if in_c < 8 {
            let values: Vec<i64> = expected.iter().filter_map(Value::to_i64).collect();
            assert_eq!(compiled::execute(&t, &z), Ok(Ran::Values(values)), "seed {seed}\n{}", told());
            in_c += 1;
        }
    }
    assert!(seen >= 30 && in_c == 8, "only {seen}");
}
