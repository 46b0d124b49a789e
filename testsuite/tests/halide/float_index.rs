//! Indices of floating point whose ends depend on inputs without dimensions.

use crate::scheduled;

use rewright_campaign::halide::compiled::{self, Ran};
use rewright_campaign::rng::Rng;
use rewright_halide_model::alg::Input;
use rewright_halide_model::bounds::verify::verify_bounds;
use rewright_halide_model::c::code;
use rewright_halide_model::confluence::{Engine, Verdict, compare, reference};
use rewright_halide_model::exec::{Stuck, small};
use rewright_halide_model::text::Parsed;
use rewright_halide_model::tgt::{Claim, Program, print};
use rewright_halide_model::value::Value;
use std::collections::BTreeMap;

/// What the inputs without dimensions are: ordinary numbers, and those at which arithmetic does something else.
const SCALARS: &[&str] = &[
    "0.25f", "-3.0f", "7.5f", "1.0f", "0.0f", "-0.0f", "nan", "inf", "-inf", "1e30f", "-1e38f", "1e-30f",
    "1e-38f",
];

/// What the points hold.
const POINTS: &[&str] =
    &["nan", "inf", "-inf", "-1.0f", "0.0f", "-0.0f", "0.3f", "1.0f", "1e-20f", "3.9f", "-1e-30f", "1e38f"];

/// A number between constants.
fn clamped(rng: &mut Rng) -> String {
    let (lo, hi) = *rng.pick(&[(0, 1), (-1, 1), (-2, 0), (1, 3), (-3, -2), (0, 0)]).expect("some");
    format!("max(min(a[x], {hi}.0f), {lo}.0f)")
}

/// Arithmetic on such numbers and on inputs without dimensions.
fn number(rng: &mut Rng) -> String {
    let mut e = clamped(rng);
    for _ in 0..=rng.below(4) {
        let p = *rng.pick(&["p", "q", "(1.0f div p)", "(p * q)", "(q - p)"]).expect("some");
        e = match rng.below(10) {
            0 | 1 => format!("(({e}) * {p})"),
            2 => format!("({p} * ({e}))"),
            3 => format!("(({e}) div {p})"),
            4 => format!("(({e}) + {p})"),
            5 => format!("({p} - ({e}))"),
            6 => format!("(({e}) + 0.5f)"),
            7 => format!("(({e}) * -1e20f)"),
            8 => format!("floor({e})"),
            _ => format!("(({e}) - ({}) * {p})", clamped(rng)),
        };
    }
    e
}

fn printed(v: &Value) -> i64 {
    v.as_int().and_then(|v| v.to_i64()).expect("an integer")
}

/// What came of one index on one input.
fn outcome(parsed: &Parsed, t: &Program, z: &Input, in_c: bool) -> &'static str {
    let expected = reference(&parsed.algorithm, z).expect("values");
    let run = small::run(t, z, 1 << 20, &mut |_| 0);
    match compare(z, &expected, &run) {
        Verdict::Equal => {
            let wanted = expected.iter().map(printed).collect();
            assert!(!in_c || compiled::execute(t, z) == Ok(Ran::Values(wanted)));
            "equal"
        }
        Verdict::AssertionFails(stuck) => {
            assert_eq!(stuck, Stuck::Assertion(Claim::Index));
            let failed = |ran| matches!(ran, Ok(Ran::Failed(Some(c), _)) if c == code(Claim::Index));
            assert!(!in_c || failed(compiled::execute(t, z)));
            "asserted"
        }
        Verdict::Unknown(_) => "too large",
        other @ (Verdict::AlgorithmError | Verdict::Different(_)) => panic!("{other:?}"),
    }
}

/// For all scalars, be they infinite or none, the values are right or the assertion fails. [rule: halide.float-index]
#[test]
fn an_index_lies_between_its_corners() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..400 {
        let rng = &mut Rng::new(seed);
        let e = number(rng);
        let mut pick = |of: &[&'static str]| *rng.pick(of).expect("some");
        let points: Vec<&str> = (0..12).map(|_| pick(POINTS)).collect();
        let scalars = [pick(SCALARS), pick(SCALARS)];
        let text = format!(
            "typed pipeline f(a(_0): float32, p: float32, q: float32):
               fun g(x) = x * 2 + 1;
               fun f(x) = g[int32({e})];
             realize((0, 12); a = (0, 12) {{{}}}, p = {}, q = {})",
            points.join(", "),
            scalars[0],
            scalars[1],
        );
        let (parsed, t) = scheduled::read(&text);
        let (t, none) = Engine::Tight.complete(&t);
        assert!(none.is_none(), "{none:?}: {text}");
        assert!(seed >= 60 || verify_bounds(&t).is_verified(), "{seed}: {text}");
        let z = parsed.input.clone().expect("an input");
        let asserts = print::program(&t, None).contains("# an end of an index");
        let what = std::panic::catch_unwind(|| outcome(&parsed, &t, &z, seed % 10 == 0));
        let what = what.unwrap_or_else(|_| panic!("{seed}: {text}"));
        *seen.entry(if asserts { what } else { "by constants" }).or_default() += 1;
    }
    println!("{seen:?}");
    assert!(seen["equal"] >= 80 && seen["asserted"] >= 80, "{seen:?}");
}
