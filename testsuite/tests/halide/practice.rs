//! Thesis §2.9 as regression tests: what formalising found in the practical system. Each shows a wrong variant going
//! wrong and the right one holding.

use crate::scheduled;

use rewright_halide_model::bounds::Solution;
use rewright_halide_model::bounds::complete::complete;
use rewright_halide_model::bounds::query::query;
use rewright_halide_model::bounds::verify::{Verification, verify_bounds};
use rewright_halide_model::c;
use rewright_halide_model::confluence::{Difference, Engine, Verdict, compare, execute, reference};
use rewright_halide_model::exec::Stuck;
use rewright_halide_model::exec::watch::Recorder;
use rewright_halide_model::expr::{Expr, Region, Site};
use rewright_halide_model::schedule::{Directive, Rules, Sequence, schedule};
use rewright_halide_model::text::{Parsed, parse};
use rewright_halide_model::tgt::{Claim, Program, Stmt};
use rewright_halide_model::valid;
use rewright_halide_model::value::Value;
use rewright_semantics::span::SourceMap;
use rewright_semantics::sym::Name;
use scheduled::read;
use std::sync::Arc;

fn judge(parsed: &Parsed, completed: &Program) -> (Verdict, Recorder) {
    let z = parsed.input.as_ref().expect("an input");
    let expected = reference(&parsed.algorithm, z).expect("values");
    let mut recorder = Recorder::default();
    let run = execute(completed, z, &mut recorder);
    (compare(z, &expected, &run), recorder)
}

/// Negative rdom extents. A guarded split of such a loop runs no iterations, so its extent must be checked at startup.
/// [rule: halide.lower]
#[test]
fn a_negative_domain_is_an_error_that_no_split_hides() {
    let text = "pipeline f(n): fun f(x) = {x; rdom(r = (0, n)) in (x) <- f[x] + r};
        schedule: split(<f, 1, 0, r>, ro, ri, 4, guard); realize((0, 3); n = -2)";
    let (parsed, t) = read(text);
    let z = parsed.input.as_ref().expect("an input");
    assert!(reference(&parsed.algorithm, z).expect("values").iter().all(|v| *v == Value::RDOM));
    let (completed, _) = Engine::Tight.complete(&t);
    let run = |t: &Program| execute(t, z, &mut Recorder::default());
    assert_eq!(run(&completed), Err(Stuck::Assertion(Claim::Rdom)));
    // Wrong: without the check the loop quietly does nothing.
    let body =
        t.body.iter().filter(|s| !matches!(s, Stmt::Assert { claim: Claim::Rdom, .. })).cloned().collect();
    let (unchecked, _) = Engine::Tight.complete(&Program { body, ..t.clone() });
    let values = run(&unchecked).expect("it runs")[0].buffer.values.clone();
    assert_eq!(values, [Value::int(0), Value::int(1), Value::int(2)]);
}

/// What a fold does without its condition: rows that are wanted at once overwrite each other. [rule: halide.fold]
#[test]
fn a_circle_that_is_too_small_overwrites_itself() {
    let text = "pipeline f(): fun g(x, y) = x + 10 * y; fun f(x, y) = g[x, y] + g[x, 5 - y];
        schedule: compute-at(g, <f, y>); fold-storage(g, y, 4); realize((0, 2), (0, 6))";
    let (parsed, t) = read(text);
    let (completed, _) = Engine::Tight.complete(&t);
    assert_eq!(judge(&parsed, &completed).0, Verdict::AssertionFails(Stuck::Assertion(Claim::Fold)));
    let is_check = |s: &Stmt| matches!(s, Stmt::Assert { claim: Claim::Fold, .. });
    let unchecked = t.replace_first(&mut |s| is_check(s).then(Vec::new)).expect("an assertion");
    assert!(matches!(judge(&parsed, &Engine::Tight.complete(&unchecked).0).0, Verdict::Different(_)));
}

/// Impure identity functions. The output may be larger than the window; adding an identity changes its size, not values.
/// [rule: halide.confluence]
#[test]
fn an_identity_func_changes_the_size_of_the_output_alone() {
    let plain = "pipeline f(): fun g(x) = x * x; fun f(x) = g[x] + g[x + 1];
        schedule: split(<f, x>, xo, xi, 4, round); realize((0, 6))";
    let with = "pipeline h(): fun g(x) = x * x; fun f(x) = g[x] + g[x + 1]; fun h(x) = f[x];
        schedule: split(<f, x>, xo, xi, 4, round); realize((0, 6))";
    let outputs: Vec<_> = [plain, with]
        .into_iter()
        .map(|text| {
            let (parsed, t) = read(text);
            let (completed, _) = Engine::Tight.complete(&t);
            assert_eq!(judge(&parsed, &completed).0, Verdict::Equal);
            execute(&completed, parsed.input.as_ref().expect("an input"), &mut Recorder::default())
                .expect("it runs")
                .remove(0)
                .buffer
        })
        .collect();
    // Wrong: to take the allocation for the window.
    assert_eq!((&outputs[0].bounds[..], &outputs[1].bounds[..]), (&[(0, 8)][..], &[(0, 6)][..]));
    for x in 0..6 {
        assert_eq!(outputs[0].get(&[x]), outputs[1].get(&[x]));
    }
}

/// Arithmetic errors. What is computed outside the compute bounds may divide by zero, so division is total.
/// [rule: halide.arith] [rule: halide.c]
#[test]
fn division_by_zero_outside_the_compute_bounds_does_no_harm() {
    let text = "pipeline f(): fun f(x) = 60 div (x - 7);
        schedule: split(<f, x>, xo, xi, 4, round); realize((0, 7))";
    let (parsed, t) = read(text);
    let (completed, _) = Engine::Tight.complete(&t);
    let (verdict, recorder) = judge(&parsed, &completed);
    assert_eq!(verdict, Verdict::Equal);
    assert_eq!(recorder.regions[&Name::new("f")].stored, Some(vec![(0, 8)]), "x = 7 is computed");
    let z = parsed.input.as_ref().expect("an input");
    let source = c::unit(&completed).expect("C") + &c::main_for(&completed, z);
    assert!(source.contains("quotient(60,"), "{source}");
    let values = reference(&parsed.algorithm, z).expect("values");
    let expected: String = values.iter().map(|v| format!("{v}\n")).collect();
    assert_eq!(compiled(&source), Ok(expected));
    // Wrong: C's own division.
    assert!(
        compiled(&source.replace("quotient(60, ", "((int64_t)60 / (").replace("- 7);", "- 7));")).is_err()
    );
}

fn compiled(source: &str) -> Result<String, String> {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("p.c"), source).expect("a file");
    let mut gcc = std::process::Command::new("cc");
    let built =
        gcc.current_dir(dir.path()).args(["-w", "-fwrapv", "-o", "p", "p.c"]).output().expect("a compiler");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let ran = std::process::Command::new(dir.path().join("p")).output().expect("it starts");
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    if ran.status.success() { Ok(text) } else { Err(format!("{}", ran.status)) }
}

/// Compute bounds for indexing accesses: what an index reads must have been computed, overcompute or not.
/// [rule: halide.query] [rule: halide.verify]
#[test]
fn what_is_read_inside_an_index_is_computed() {
    let text =
        "pipeline f(): fun k(x) = x mod 8; fun t(x) = 100 + x; fun m(x) = t[k[x]]; fun f(x) = 2 * m[x];
        schedule: split(<m, x>, xo, xi, 8, round); realize((0, 10))";
    let (parsed, t) = read(text);
    let solution = Engine::Tight.solve(&t, &query(&t)).expect("bounds");
    let completed = complete(&t, &solution);
    assert!(verify_bounds(&completed).is_verified());
    let (verdict, recorder) = judge(&parsed, &completed);
    assert_eq!(verdict, Verdict::Equal);
    assert_eq!(recorder.regions[&Name::new("k")].stored, Some(vec![(0, 16)]));
    // Wrong: the index producer is computed over the window alone, as the practical system does.
    let mut wrong: Solution = solution.clone();
    let k = Region::Cpu(Site { func: Name::new("k"), stage: 0, spec: 0 });
    wrong.regions.get_mut(&k).expect("k")[0].len = Expr::int(10);
    let completed = complete(&t, &wrong);
    assert!(matches!(verify_bounds(&completed), Verification::Refuted { .. }));
    assert_eq!(judge(&parsed, &completed).0, Verdict::Different(Difference::Stuck(Stuck::ErrorValue)));
}

/// Races in rdom predicates: separation is about predicates, too. [rule: halide.separation]
#[test]
fn a_predicate_that_reads_what_other_iterations_write_is_refused() {
    let text = "pipeline f(): fun f(x) = {x; (x) <- 0 if f[3] > 2};
        schedule: traverse(<f, 1, 0, x>, parallel); realize((0, 6))";
    let (parsed, t) = read(text);
    let found = valid::check(&parsed.algorithm);
    assert!(found.iter().any(|d| d.rule == "halide.separation"), "{found:?}");
    // Wrong: to look at the point and the value alone.
    let (completed, _) = Engine::Baseline.complete(&t);
    assert!(judge(&parsed, &completed).1.race.is_some());
    let text = "pipeline f(): fun f(x) = {x; (x) <- 0 if f[x] > 2};
        schedule: traverse(<f, 1, 0, x>, parallel); realize((0, 6))";
    let (parsed, t) = read(text);
    assert!(valid::check(&parsed.algorithm).is_empty());
    let (verdict, recorder) = judge(&parsed, &Engine::Tight.complete(&t).0);
    assert_eq!((verdict, recorder.race), (Verdict::Equal, None));
}

/// The Thesis says that swapping "applies only to pure loops", and that it must "not reorder two reduction loops". The second is
/// meant: [H-8]. [rule: halide.swap]
#[test]
fn a_pure_loop_is_swapped_with_a_reduction_loop() {
    for swapped in ["swap(<f, 1, 0, x>)", "swap(<f, 1, 0, x>); swap(<f, 1, 0, x>)"] {
        let text = format!(
            "pipeline f(): fun f(x) = {{x; rdom(r = (0, 3), t = (0, 2)) in (x) <- 3 * f[x] + r + 10 * t}};
             schedule: {swapped}; realize((-2, 5))"
        );
        let (parsed, t) = read(&text);
        let (verdict, recorder) = judge(&parsed, &Engine::Tight.complete(&t).0);
        assert_eq!((verdict, recorder.race), (Verdict::Equal, None), "{text}");
    }
}

/// What the practical system accepts and the rules forbid. [rule: halide.split] [rule: halide.specialize]
#[test]
fn what_the_rules_forbid_is_refused() {
    let algorithm = "pipeline f(p): fun g(x) = x; fun f(x) = {g[x]; rdom(r = (0, 3), t = (0, 2)) in (x) <- f[x] + r * t}; ";
    for (directive, rule) in [
        ("split(<f, 1, 0, x>, xo, xi, 4, shift)", "split.shift-pure-stage"),
        ("swap(<f, 1, 0, t>)", "swap.reductions"),
        ("fuse(<f, 1, 0, x>, q)", "fuse.same-kind"),
        ("specialize(f, g[0] > 3)", "specialize.startup"),
    ] {
        let text = format!("{algorithm} schedule: {directive};");
        let mut sources = SourceMap::new();
        let file = sources.add("forbidden", text.as_str());
        let parsed = parse(file, &sources).unwrap_or_else(|d| panic!("{}: {text}", d.message));
        let directives: Vec<Directive> = parsed.schedule.iter().map(|(d, _)| d.clone()).collect();
        let p = Arc::new(parsed.algorithm.clone());
        let refusal = schedule(&p, &directives, Sequence::Strict, Rules::default()).expect_err(directive);
        assert_eq!(refusal.restriction.id, rule, "{directive}");
    }
}

/// Every test and case that `spec/halide/practice.md` names is there.
#[test]
fn the_table_of_differences_names_what_exists() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let spec = std::fs::read_to_string(root.join("../spec/halide/practice.md")).expect("the chapter");
    let source = |file: &str| std::fs::read_to_string(root.join("tests").join(file)).expect("a test");
    let (practice, mutants) = (source("halide/practice.rs"), source("halide/mutants.rs"));
    let mut count = 0;
    for word in spec.split('`').filter_map(|w| w.split_once(": ")) {
        let there = match word {
            ("p", test) => practice.contains(&format!("fn {test}()")),
            ("m", id) => mutants.contains(&format!("\"{id}\"")),
            ("c", case) => ["valid", "invalid"]
                .iter()
                .any(|folder| root.join("corpus/halide").join(folder).join(format!("{case}.json")).exists()),
            _ => continue,
        };
        assert!(there, "{word:?}");
        count += 1;
    }
    assert!(count >= 20, "only {count}");
}
