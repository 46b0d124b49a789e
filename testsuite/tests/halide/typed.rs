//! What points hold in practice: the evaluator, the executors and C agree, bit for bit.

use rewright_campaign::halide::compiled::{self, Ran};
use rewright_campaign::rng::Rng;
use rewright_halide_model::alg::Input;
use rewright_halide_model::bounds::verify::verify_bounds;
use rewright_halide_model::confluence::{Engine, Verdict, compare, execute, reference};
use rewright_halide_model::eval::{self, EvalError, memo};
use rewright_halide_model::exec::watch::Recorder;
use rewright_halide_model::exec::{fast::Compiled, small};
use rewright_halide_model::schedule::{Directive, Rules, Sequence, schedule};
use rewright_halide_model::text::{Parsed, parse, print};
use rewright_halide_model::tgt::Program;
use rewright_halide_model::typed::{Overflow, Scalar};
use rewright_halide_model::valid;
use rewright_halide_model::value::Value;
use rewright_semantics::span::SourceMap;
use rewright_semantics::sym::Name;
use std::sync::Arc;

fn read(text: &str) -> Parsed {
    let mut sources = SourceMap::new();
    let file = sources.add("typed", text);
    let parsed = parse(file, &sources).unwrap_or_else(|d| panic!("{}: {text}", d.message));
    let found = valid::check(&parsed.algorithm);
    assert!(found.is_empty(), "{found:?}\n{text}");
    parsed
}

/// The number's bits, as C prints them.
fn bits(v: &Value) -> i64 {
    match v {
        Value::Int(v) => v.to_i64().expect("a small integer"),
        Value::Float(v) => i64::from_ne_bytes(v.bits.to_ne_bytes()),
        Value::Tuple(_) | Value::Error(_) => panic!("no number"),
    }
}

/// Evaluates, executes and compiles; the values.
fn agreed(text: &str, c: fn(&Program, &Input) -> Result<Ran, String>) -> Vec<Value> {
    let parsed = read(text);
    let directives: Vec<Directive> = parsed.schedule.iter().map(|(d, _)| d.clone()).collect();
    let p = Arc::new(parsed.algorithm.clone());
    let t = schedule(&p, &directives, Sequence::Strict, Rules::default()).unwrap_or_else(|r| panic!("{r}"));
    let (completed, _) = Engine::Tight.complete(&t);
    assert!(verify_bounds(&completed).is_verified(), "{text}");
    let z = parsed.input.as_ref().expect("an input");
    let expected = reference(&p, z).expect("values");
    let run = execute(&completed, z, &mut Recorder::default());
    assert_eq!(compare(z, &expected, &run), Verdict::Equal, "{text}");
    let mut turn = 0;
    let small = small::run(&completed, z, 1 << 20, &mut |n| {
        turn += 5;
        turn % n
    });
    assert_eq!(compare(z, &expected, &small), Verdict::Equal, "{text}");
    let in_c = expected.iter().map(bits).collect();
    assert_eq!(c(&completed, z), Ok(Ran::Values(in_c)), "{text}");
    expected
}

/// [rule: halide.float] [rule: halide.c]
#[test]
fn floating_point_agrees_bit_for_bit() {
    let blur = agreed(
        "pipeline f(k): fun g(x, y): float32 = 0.1 * x - (y + k) div 3.0; fun h(x, y): float32 = (g[x - 1, y] + g[x, y] + g[x + 1, y]) div 3;
         fun f(x, y): float64 = {0; rdom(r = (0, 3)) in (x, y) <- f[x, y] + h[x, y + r] * 0.3};
         schedule: split(<h, x>, xo, xi, 4, shift); traverse(<f, 1, 0, y>, parallel); compute-at(g, <h, y>);
         realize((-2, 9), (0, 3); k = 7)",
        compiled::execute,
    );
    assert!(blur.iter().any(|v| v.to_string().len() > 12), "rounded values: {blur:?}");
    // Infinities, one NaN, both zeros, comparisons, min and max with NaN on either side.
    agreed(
        "pipeline f(): fun g(x): float64 = (x - 2) div (x - 2.0) * 1e308 * x; fun n(x): float32 = 0.0 div x;
         fun f(x): float64 = {min(g[x], x) + max(-0.0, n[x]); (x) <- select(g[x] < n[x], f[x], 0 - n[x]) if x > 2;
           rdom(r = (0, 2)) in (x) <- max(min(f[x], g[r]), min(g[r], f[x]))};
         schedule: split(<f, x>, xo, xi, 4, round); realize((-1, 9))",
        compiled::execute,
    );
    // Single precision is not double precision.
    let single =
        agreed("pipeline f(): fun f(x): float32 = 16777216.0 + x; realize((0, 3))", compiled::execute);
    assert_eq!(
        single.iter().map(Value::to_string).collect::<Vec<_>>(),
        ["16777216.0", "16777216.0", "16777218.0"]
    );
}

/// Random expressions over functions of every type. [rule: halide.float] [rule: halide.typed]
#[test]
fn random_expressions_agree() {
    let mut rng = Rng::new(11);
    for _ in 0..40 {
        let mut text = "pipeline f(p):\n".to_owned();
        let mut known: Vec<(String, Scalar)> = Vec::new();
        for i in 0..4 {
            let all: Vec<Scalar> = Scalar::all().into_iter().filter(|s| s.to_string() != "uint64").collect();
            let scalar =
                if rng.chance(60) { all[9 + rng.below(all.len() - 9)] } else { all[rng.below(all.len())] };
            let e = expression(&mut rng, &known, scalar.is_float(), 3);
            text.push_str(&format!("  fun g{i}(x): {scalar} = {e};\n"));
            known.push((format!("g{i}"), scalar));
        }
        let e = expression(&mut rng, &known, true, 3);
        text.push_str(&format!("  fun f(x): float32 = g0[x] + g1[x + 1] * g2[x] - g3[x + 2] * ({e});\n"));
        text.push_str(
            "schedule: split(<f, x>, xo, xi, 3, guard); compute-at(g3, <f, xo>);\nrealize((-3, 7); p = 5)\n",
        );
        let parsed = read(&text);
        let again = read(&(print::algorithm(&parsed.algorithm) + "realize((-3, 7); p = 5)"));
        assert_eq!(again.algorithm, parsed.algorithm);
        agreed(&text, compiled::execute);
    }
}

fn expression(rng: &mut Rng, known: &[(String, Scalar)], float: bool, depth: usize) -> String {
    if depth == 0 || rng.chance(15) {
        let fits: Vec<&(String, Scalar)> = known.iter().filter(|(_, s)| float || !s.is_float()).collect();
        return match rng.below(4) {
            0 if float => format!("{}.{}", rng.between(0, 99), rng.between(0, 9999)),
            1 => rng.between(-9, 9).to_string(),
            2 => ["x", "p"][rng.below(2)].to_owned(),
            _ => rng.pick(&fits).map_or("x".to_owned(), |(g, _)| format!("{g}[x + {}]", rng.between(0, 2))),
        };
    }
    let mut part = |float| expression(rng, known, float, depth - 1);
    let (a, b) = (part(float), part(float));
    let (c, d) = (part(false), part(float));
    match rng.below(8) {
        0 | 1 => format!("({a} + {b})"),
        2 => format!("({a} - {b})"),
        3 => format!("({a} * {b})"),
        4 => format!("({a} div {b})"),
        5 => format!("min({a}, {b})"),
        6 => format!("max({a}, {b})"),
        _ => format!("select({c} and {a} < {d}, {a}, {b})"),
    }
}

/// Narrow and unsigned integers are computed with in 64 bits, in C, too. [rule: halide.typed]
#[test]
fn narrow_integers_are_computed_with_in_full() {
    agreed(
        "pipeline f(): fun g(x): int32 = 100000 + x; fun h(x): uint32 = x; fun k(x): uint16 = 65535 - x;
         fun f(x) = g[x] * g[x] + (h[x] - 5) + k[x] * k[x]; realize((0, 4))",
        compiled::execute,
    );
}

/// Checking is about the algorithm: [rule: halide.checked].
#[test]
fn overflow_is_checked_by_the_evaluator() {
    let parsed = read("pipeline f(): fun g(x): uint8 = 100 * x; fun f(x) = g[x]; realize((0, 4))");
    let z = parsed.input.as_ref().expect("an input");
    let checked = memo::realize(&parsed.algorithm, z, Overflow::Check);
    assert_eq!(checked, Err(EvalError::DoesNotFit(Name::new("g"))));
    assert!(memo::realize(&parsed.algorithm, z, Overflow::Wrap).is_ok());
    // The rules are about ℤ; the fast executor is about integers.
    assert_eq!(eval::realize(&parsed.algorithm, z, 1 << 20), Err(EvalError::Typed(Name::new("g"))));
    let parsed = read("pipeline f(): fun f(x): float32 = x; realize((0, 4))");
    let t = schedule(&Arc::new(parsed.algorithm), &[], Sequence::Strict, Rules::default())
        .expect("no directives");
    assert!(Compiled::new(&Engine::Tight.complete(&t).0).is_err());
}

/// Neither places nor predicates depend on floating point. [rule: halide.float]
#[test]
fn floating_point_stays_in_values() {
    for text in [
        "pipeline f(): fun g(x): float32 = x; fun f(x) = g[x];",
        "pipeline f(): fun f(x) = 0.5;",
        "pipeline f(): fun g(x): float32 = x; fun h(x) = x; fun f(x): float32 = h[g[x]];",
        "pipeline f(): fun g(x): float32 = x; fun h(x) = x; fun f(x): float32 = h[g[x] < 1];",
        "pipeline f(): fun f(x): float32 = {x; (x) <- 1 if f[x] < 1};",
        "pipeline f(): fun g(x): float32 = x; fun f(x): float32 = g[x] & 1;",
        "pipeline f(): fun g(x): float32 = x; fun f(x): float32 = select(g[x], 1, 2);",
    ] {
        let mut sources = SourceMap::new();
        let file = sources.add("typed", text);
        let parsed = parse(file, &sources).unwrap_or_else(|d| panic!("{}: {text}", d.message));
        let found = valid::check(&parsed.algorithm);
        assert!(found.iter().any(|d| d.rule == "halide.float"), "{text}: {found:?}");
    }
}
