//! `compute-with`: random pairs of funcs, what is accepted, and what the practical system got wrong.
//!
//! `REWRIGHT_TOGETHER=5000 cargo test -p rewright-testsuite --test halide compute_with:: -- --nocapture` prints what was covered.

use rayon::prelude::*;
use rewright_campaign::halide::campaign::{Coverage, Plan, Source, run_on};
use rewright_campaign::halide::{schedules, siblings};
use rewright_halide_model::bounds::verify::verify_bounds;
use rewright_halide_model::confluence::{Engine, Verdict, compare, execute, reference};
use rewright_halide_model::exec::watch::Recorder;
use rewright_halide_model::schedule::{Directive, Refusal, Rules, Sequence, schedule};
use rewright_halide_model::text::{Parsed, parse};
use rewright_halide_model::tgt::{Program, print};
use rewright_semantics::span::SourceMap;
use std::sync::Arc;

/// [rule: halide.compute-with] [rule: halide.confluence] [rule: halide.verify]
#[test]
fn funcs_computed_together_compute_what_their_algorithm_says() {
    let number = |v: &str| std::env::var(v).ok().and_then(|s| s.parse::<usize>().ok());
    let schedules = number("REWRIGHT_TOGETHER").unwrap_or(480);
    let seed = u64::try_from(number("REWRIGHT_SEED").unwrap_or(1)).expect("a small number") * 1_000_000;
    let shards: Vec<Result<Coverage, _>> = (0..8)
        .into_par_iter()
        .map(|i| {
            let seed = seed + 10_000 * i;
            let plan =
                Plan { seed, schedules: schedules / 8, inputs: 4, verify_every: 24, rules: Rules::default() };
            run_on(plan, Source { algorithm: siblings::algorithm, schedule: schedules::draw_together })
        })
        .collect();
    let mut all = Coverage::default();
    for shard in shards {
        match shard {
            Ok(coverage) => all.add(coverage),
            Err(found) => panic!("{found}"),
        }
    }
    println!("{all}");
    assert!(all.share("compute-with") >= 25, "{} %", all.share("compute-with"));
    let restrictions = ["siblings", "independent", "specializations", "stage-order", "same-order"];
    for r in restrictions {
        let id = format!("compute-with.{r}");
        assert!(all.refused.contains_key(id.as_str()), "{id} never refuses");
    }
}

fn read(text: &str) -> Parsed {
    let mut sources = SourceMap::new();
    let file = sources.add("together", text);
    parse(file, &sources).unwrap_or_else(|d| panic!("{}: {text}", d.message))
}

fn scheduled(parsed: &Parsed, rules: Rules) -> Result<Program, Box<Refusal>> {
    let directives: Vec<Directive> = parsed.schedule.iter().map(|(d, _)| d.clone()).collect();
    schedule(&Arc::new(parsed.algorithm.clone()), &directives, Sequence::Strict, rules).map_err(Box::new)
}

fn verdict(parsed: &Parsed, t: &Program, engine: Engine) -> Verdict {
    let z = parsed.input.as_ref().expect("an input");
    let expected = reference(&parsed.algorithm, z).expect("values");
    let (completed, none) = engine.complete(t);
    assert_eq!(none, None, "{}", print::program(t, None));
    assert!(verify_bounds(&completed).is_verified(), "{}", print::program(&completed, None));
    let mut recorder = Recorder::default();
    let run = execute(&completed, z, &mut recorder);
    assert_eq!(recorder.race, None);
    compare(z, &expected, &run)
}

/// Programs that are worth fusing.
const USEFUL: &[(&str, &str)] = &[
    (
        "two producers of one consumer",
        "pipeline f(): fun c(x) = x * x; fun a(x) = c[x] + 1; fun b(x) = c[x] - x; fun f(x) = a[x + 2] + b[x - 3];
         schedule: compute-with(b, <a, x>); realize((0, 9))",
    ),
    (
        "the whole loop nest, ranges that differ in both dimensions",
        "pipeline f(): fun a(x, y) = x + y; fun b(x, y) = x * y; fun f(x, y) = a[x - 1, y] + b[x, y + 2] + b[x, y];
         schedule: compute-with(b, <a, x>); realize((0, 5), (0, 4))",
    ),
    (
        "all stages of funcs with updates, in order",
        "pipeline f(): fun a(x) = {x; (x) <- a[x] + 1}; fun b(x) = {2 * x; (x) <- b[x] * b[x]}; fun f(x) = a[x] + b[x];
         schedule: compute-with(b, <a, x>); compute-with(b, 1, <a, 1, 0, x>); realize((0, 6))",
    ),
    (
        "an update with a pure stage",
        "pipeline f(): fun a(x) = {x; rdom(r = (0, 3)) in (x) <- a[x] + r}; fun b(x) = 2 * x; fun f(x) = a[x] + b[x];
         schedule: compute-with(b, <a, 1, 0, x>); realize((0, 6))",
    ),
    (
        "a reduction loop with a pure one",
        "pipeline f(): fun a() = {0; rdom(r = (2, 7)) in () <- a[] + r}; fun b(x) = 2 * x; fun f(x) = a[] + b[x];
         schedule: compute-with(a, 1, <b, x>); realize((0, 6))",
    ),
    (
        "loops that are split in different ways, in parallel",
        "pipeline f(): fun a(x) = x; fun b(x) = 3 * x; fun f(x) = a[x] + b[x + 1];
         schedule: split(<a, x>, xo, xi, 4, shift); split(<b, x>, xo, xi, 3, round); traverse(<a, xo>, parallel);
         traverse(<b, xo>, parallel); compute-with(b, <a, xo>); realize((0, 13))",
    ),
    (
        "three funcs, one with a func between that stands in the way",
        "pipeline f(): fun a(x) = x; fun h(x) = a[x + 1]; fun b(x) = 3 * x; fun d(x) = x - 4;
         fun f(x) = a[x] + b[x + 1] + d[x] * h[x];
         schedule: compute-with(b, <a, x>); compute-with(d, <a, x>); realize((0, 13))",
    ),
    (
        "each branch of the same specialization",
        "pipeline f(p): fun a(x) = x; fun b(x) = 3 * x; fun f(x) = a[x] + b[x + 1];
         schedule: specialize(a, p > 3, p > 1); specialize(b, p > 3, p > 1); compute-with(b, <a, 0, 2, x>);
         compute-with(b, <a, x>); realize((0, 13); p = 2)",
    ),
    (
        "inside the consumer's loop, each with a producer of its own",
        "pipeline f(): fun c(x, y) = x + y; fun d(x, y) = x - y; fun a(x, y) = c[x, y]; fun b(x, y) = d[x + 1, y];
         fun f(x, y) = a[x, y] + b[x + 1, y];
         schedule: compute-at(a, <f, y>); compute-at(b, <f, y>); compute-at(c, <a, y>); compute-at(d, <b, y>);
         store-at(c, <a, y>); compute-with(b, <a, y>); realize((0, 5), (0, 4))",
    ),
    (
        "an empty window",
        "pipeline f(): fun a(x) = x; fun b(x) = 3 * x; fun f(x) = a[x] + b[x + 1];
         schedule: compute-with(b, <a, x>); realize((3, 0))",
    ),
    (
        "given bounds",
        "pipeline f(): fun a(x) = x; fun b(x) = 3 * x; fun f(x) = a[x] + b[x + 1];
         schedule: compute-with(b, <a, x>); bound(b, x, 0, 20); align-bounds(a, x, 4, 0); realize((0, 4))",
    ),
];

/// [rule: halide.compute-with]
#[test]
fn useful_programs_are_accepted() {
    for (what, text) in USEFUL {
        let parsed = read(text);
        let t = scheduled(&parsed, Rules::default()).unwrap_or_else(|r| panic!("{what}: {r}"));
        let found = verdict(&parsed, &t, Engine::Tight);
        assert_eq!(found, Verdict::Equal, "{what}: {}", print::program(&t, None));
    }
}

/// The fused nest, and what bounds inference makes of it.
#[test]
fn the_fused_loops_are_shown() {
    let text = "pipeline f(): fun a(x) = {x; (x) <- a[x] + 1}; fun b(x) = 2 * x; fun f(x) = a[x] + b[x + 1];
        schedule: compute-with(b, <a, 1, 0, x>); realize((0, 4))";
    let t = scheduled(&read(text), Rules::default()).expect("accepted");
    insta::assert_snapshot!(print::program(&t, None));
}

/// The practical system put a pure stage after an update of its func, and computed a func in one branch of another's
/// specialization alone (Thesis §2.9). Both are refused; with the restriction off the values are wrong.
/// [rule: halide.compute-with]
#[test]
fn a_pure_stage_never_comes_after_an_update() {
    let wrong = [
        (
            "compute-with.stage-order",
            "pipeline f(): fun a(x) = {x; (x) <- a[x] + 1}; fun b(x) = {2 * x; (x) <- b[x] + 1}; fun f(x) = a[x] + b[x];
             schedule: compute-with(b, <a, 1, 0, x>); compute-with(b, 1, <a, x>); realize((0, 4))",
        ),
        (
            "compute-with.specializations",
            "pipeline f(p): fun a(x) = x; fun b(x) = 2 * x; fun f(x) = a[x] + b[x];
             schedule: specialize(b, p > 3); compute-with(b, <a, x>); realize((0, 4); p = 5)",
        ),
        (
            "compute-with.specializations",
            "pipeline f(p): fun a(x) = x; fun b(x) = 2 * x; fun f(x) = a[x] + b[x];
             schedule: specialize(a, p > 3); compute-with(b, <a, 0, 1, x>); realize((0, 4); p = 1)",
        ),
    ];
    for (id, text) in wrong {
        let parsed = read(text);
        let refusal = scheduled(&parsed, Rules::default()).expect_err("refused");
        assert_eq!(refusal.restriction.id, id, "{refusal}");
        let found = scheduled(&parsed, Rules { off: Some(id) }).map(|t| {
            let z = parsed.input.as_ref().expect("an input");
            let expected = reference(&parsed.algorithm, z).expect("values");
            compare(z, &expected, &execute(&Engine::Tight.complete(&t).0, z, &mut Recorder::default()))
        });
        if text.contains("specialize(b,") {
            // The guest's default branch is one that is right whatever `p` is.
            assert!(matches!(found, Ok(Verdict::Equal)), "{found:?}");
        } else {
            assert!(matches!(found, Ok(Verdict::Different(_))), "{found:?}");
        }
    }
    let right = "pipeline f(): fun a(x) = {x; (x) <- a[x] + 1}; fun b(x) = {2 * x; (x) <- b[x] + 1}; fun f(x) = a[x] + b[x];
        schedule: compute-with(b, <a, x>); compute-with(b, 1, <a, 1, 0, x>); realize((0, 4))";
    let parsed = read(right);
    let t = scheduled(&parsed, Rules::default()).expect("accepted");
    for engine in Engine::ALL {
        assert_eq!(verdict(&parsed, &t, engine), Verdict::Equal, "{}", engine.name());
    }
}

/// The directive in cases, and in text that is printed.
#[test]
fn cases_have_the_directive() {
    let text = r#"{"schema": 1, "name": "two", "kind": "valid", "about": "", "tags": [], "params": [],
        "funcs": [
            {"name": "a", "vars": ["x"], "pure": "x", "updates": [
                {"rdom": [], "where": null, "lhs": ["x"], "rhs": ["+", ["call", "a", "x"], 1]}]},
            {"name": "b", "vars": ["x"], "pure": ["*", 2, "x"], "updates": []},
            {"name": "f", "vars": ["x"], "pure": ["+", ["call", "a", "x"], ["call", "b", "x"]], "updates": []}],
        "schedule": [{"op": "compute-with", "func": "b", "stage": 0,
            "loop": {"func": "a", "stage": 1, "spec": 0, "var": "x"}}],
        "window": [{"var": "x", "min": 0, "len": 3}], "formalism": "extension",
        "expected": {"order": "first-fastest", "values": [1, 4, 7]}}"#;
    let case = rewright_halide_model::case::read(text).unwrap_or_else(|e| panic!("{e}"));
    let printed = rewright_halide_model::schedule::print(&case.schedule);
    assert_eq!(printed, "schedule:\n  compute-with(b, <a, 1, 0, x>);\n");
    let effort = rewright_campaign::halide::cases::Effort { c: true, verify: true };
    let report = rewright_campaign::halide::cases::check(&case, effort);
    assert_eq!(report.faults, Vec::<String>::new());
    assert!(report.done.iter().any(|d| d == "C equal"), "{:?}", report.done);
}
