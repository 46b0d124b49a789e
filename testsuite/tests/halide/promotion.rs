//! Algorithms with types: Halide's promotions, and that the evaluator, the executors and C agree on random ones.

use rewright_campaign::halide::compiled::{self, Ran};
use rewright_campaign::rng::Rng;
use rewright_halide_model::bounds::verify::{Verification, verify_bounds};
use rewright_halide_model::confluence::{Engine, Verdict, compare, execute, reference};
use rewright_halide_model::eval::{self, EvalError};
use rewright_halide_model::exec::watch::Recorder;
use rewright_halide_model::exec::{Stuck, small};
use rewright_halide_model::promote::{I32, Types, common};
use rewright_halide_model::schedule::{Directive, Rules, Sequence, schedule};
use rewright_halide_model::text::{Parsed, parse, print};
use rewright_halide_model::tgt::Program;
use rewright_halide_model::typed::Scalar;
use rewright_halide_model::valid;
use rewright_halide_model::value::Value;
use rewright_semantics::span::SourceMap;
use std::sync::Arc;

mod programs;

fn parsed(text: &str) -> Result<Parsed, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("typed", text);
    let parsed = parse(file, &sources).map_err(|d| format!("{}: {}", d.rule, d.message))?;
    match valid::check(&parsed.algorithm).first() {
        Some(d) => Err(format!("{}: {}", d.rule, d.message)),
        None => Ok(parsed),
    }
}

fn completed(parsed: &Parsed) -> Program {
    let directives: Vec<Directive> = parsed.schedule.iter().map(|(d, _)| d.clone()).collect();
    let p = Arc::new(parsed.algorithm.clone());
    let t = schedule(&p, &directives, Sequence::Sorted, Rules::default()).unwrap_or_else(|r| panic!("{r}"));
    Engine::Tight.complete(&t).0
}

/// A value as compiled programs print it.
fn printed(v: &Value) -> i64 {
    match v {
        Value::Int(v) => v.low_bits().expect("an integer of 64 bits"),
        Value::Float(v) => v.value().to_bits().cast_signed(),
        Value::Tuple(_) | Value::Error(_) => panic!("no number"),
    }
}

/// [rule: halide.promotion] [rule: halide.cast] [rule: halide.math] [rule: halide.input] [rule: halide.c-typed]
#[test]
fn random_typed_algorithms_agree() {
    for seed in 200..230 {
        let text = programs::program(&mut Rng::new(seed));
        let parsed = parsed(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        let z = parsed.input.clone().expect("an input");
        let again = print::algorithm(&parsed.algorithm) + &print::input(&parsed.algorithm, &z);
        let again = self::parsed(&again).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{again}"));
        assert_eq!(again.algorithm, parsed.algorithm, "seed {seed}: {text}");
        assert_eq!(again.input.as_ref(), Some(&z), "seed {seed}: {text}");
        let t = completed(&parsed);
        assert!(matches!(verify_bounds(&t), Verification::Verified(_)), "seed {seed}: {text}");
        let expected = reference(&parsed.algorithm, &z).expect("values");
        match eval::realize(&parsed.algorithm, &z, 1 << 20) {
            Ok(by_rule) => assert_eq!(by_rule, expected, "seed {seed}: {text}"),
            Err(e) => assert_eq!(e, EvalError::TooLong, "seed {seed}: {text}"),
        }
        let run = execute(&t, &z, &mut Recorder::default());
        assert_eq!(compare(&z, &expected, &run), Verdict::Equal, "seed {seed}: {text}");
        let steps = small::run(&t, &z, 1 << 22, &mut |_| 0);
        assert_eq!(compare(&z, &expected, &steps), Verdict::Equal, "seed {seed}: {text}");
        let wanted = expected.iter().map(printed).collect();
        assert_eq!(compiled::execute(&t, &z), Ok(Ran::Values(wanted)), "seed {seed}: {text}");
    }
}

/// [rule: halide.promotion]
#[test]
fn types_promote_as_in_halide() {
    let ty = |name: &str| Scalar::of_name(name).expect("a type");
    for (a, b, both) in [
        ("uint8", "int8", "int8"),
        ("uint8", "uint16", "uint16"),
        ("uint32", "int32", "int32"),
        ("uint16", "int8", "int16"),
        ("int64", "float32", "float32"),
        ("float32", "float64", "float64"),
        ("bool", "uint8", "uint8"),
        ("bool", "bool", "bool"),
    ] {
        assert_eq!(common(ty(a), ty(b)), ty(both), "{a} with {b}");
        assert_eq!(common(ty(b), ty(a)), ty(both), "{b} with {a}");
    }
    assert_eq!(Types::default().scalar(&rewright_halide_model::expr::Expr::int(3)), I32);
}

/// [rule: halide.promotion]
#[test]
fn what_does_not_fit_together_is_refused() {
    for (rule, text) in [
        ("halide.literal", "typed pipeline f(a(_0): uint8): fun f(x) = a[x] + 256;"),
        ("halide.literal", "typed pipeline f(a(_0): uint8): fun f(x) = clamp(a[x], -1, 3);"),
        ("halide.type", "typed pipeline f(a(_0): float32): fun f(x) = a[x] & 1;"),
        ("halide.type", "typed pipeline f(a(_0): float32): fun f(x) = a[a[x]];"),
        ("halide.type", "typed pipeline f(a(_0): int64): fun g(x) = x; fun f(x) = g[a[x]];"),
        ("halide.type", "typed pipeline f(a(_0): uint8, b(_0): int8): fun f(x) = select(x < 1, a[x], b[x]);"),
        ("halide.type", "typed pipeline f(a(_0): uint8): fun f(x) = select(a[x], 1, 2);"),
        ("halide.type", "typed pipeline f(a(_0): uint8): fun f(x) = {a[x]; (x) <- 1.5f};"),
        ("halide.type", "typed pipeline f(a(_0): uint8): fun f(x) = {a[x]; (x) <- f[x] if a[x]};"),
        ("halide.type", "typed pipeline f(a(_0): uint8): fun f(x): uint16 = a[x];"),
    ] {
        let found = parsed(text).expect_err(text);
        assert!(found.starts_with(rule), "{text}: {found}");
    }
}

/// In places `int32` does not wrap around; as a value it does. [rule: halide.exact-control] [H-17]
#[test]
fn places_are_exact_and_values_wrap() {
    let text = "typed pipeline f(k: int32): fun g(x) = 7; fun f(x) = k + k + g[x + k + k - k - k]; realize((0, 1); k = 2147483647)";
    let parsed = parsed(text).expect("a pipeline");
    let t = completed(&parsed);
    let z = parsed.input.expect("an input");
    let expected = reference(&parsed.algorithm, &z).expect("values");
    assert_eq!(expected, [Value::int(5)]);
    assert_eq!(compare(&z, &expected, &execute(&t, &z, &mut Recorder::default())), Verdict::Equal);
}

/// [rule: halide.input]
#[test]
fn the_regions_of_inputs_are_inferred_and_asked_for() {
    let text = "typed pipeline f(k: int32, a(_0, _1): uint8): fun g(x, y) = a[x, y] + a[x + 3, y];
        fun f(x, y) = g[x, y] + g[x, y + k];
        schedule: split(<f, x>, xo, xi, 4, round); compute-at(g, <f, y>);";
    let given = |len: i64| {
        let values = vec!["1"; usize::try_from(len * 4).expect("a size")].join(", ");
        format!("{text} realize((0, 6), (0, 2); k = 2, a = (0, {len}), (0, 4) {{{values}}})")
    };
    // 6 and 3 more. What rounding up computes besides needs memory, and no values of `g`.
    let enough = parsed(&given(9)).expect("a pipeline");
    let t = completed(&enough);
    let z = enough.input.expect("an input");
    assert_eq!(small::required(&t, &z, 1000), Ok(vec![vec![(0, 9), (0, 4)]]));
    let expected = reference(&enough.algorithm, &z).expect("values");
    assert_eq!(compare(&z, &expected, &execute(&t, &z, &mut Recorder::default())), Verdict::Equal);
    let short = parsed(&given(8)).expect("a pipeline").input.expect("an input");
    let stuck = Err(Stuck::Input(rewright_semantics::sym::Name::new("a"), vec![(0, 9), (0, 4)]));
    assert_eq!(execute(&t, &short, &mut Recorder::default()), stuck);
    assert_eq!(small::run(&t, &short, 1000, &mut |_| 0), stuck);
    let code = rewright_halide_model::c::INPUT;
    assert!(matches!(compiled::execute(&t, &short), Ok(Ran::Failed(Some(c), _)) if c == code));
}

/// [rule: halide.float-range]
#[test]
fn an_index_that_is_clamped_as_a_number_is_bounded() {
    let text = |e: &str| {
        format!(
            "typed pipeline f(a(_0): float32): fun g(x) = x * 2; fun f(x) = g[int32({e})]; realize((0, 2); a = (0, 2) {{nan, 77.5}})"
        )
    };
    for (e, bounded) in [
        ("max(min(a[x], 9.5f), 0.0f)", true),
        ("max(min(floor(a[x]), 9.5f), -2.0f)", true),
        // Of what is not a number the constant before it is taken.
        ("min(9.0f, max(3.0f, a[x]))", true),
        ("min(a[x], 9.0f)", false),
        ("a[x] * 0.0f", false),
    ] {
        let parsed = parsed(&text(e)).expect("a pipeline");
        let t = completed(&parsed);
        let z = parsed.input.expect("an input");
        let expected = reference(&parsed.algorithm, &z).expect("values");
        let run = execute(&t, &z, &mut Recorder::default());
        let equal = compare(&z, &expected, &run) == Verdict::Equal;
        assert_eq!(equal, bounded, "{e}: {run:?}");
        if bounded {
            assert!(verify_bounds(&t).is_verified(), "{e}");
        }
    }
}
