//! Every restriction of every directive, switched off: the program below it must go wrong then.

use rewright_halide_model::alg::Input;
use rewright_halide_model::bounds::verify::{Verification, verify_bounds};
use rewright_halide_model::confluence::{Engine, Verdict, compare, judge, reference};
use rewright_halide_model::exec::small;
use rewright_halide_model::schedule::{Directive, Rules, Sequence, restrictions, schedule};
use rewright_halide_model::text::{Parsed, parse};
use rewright_halide_model::tgt::Program;
use rewright_halide_model::tgt::invariant::{dominance, loop_names, scoping};
use rewright_halide_model::value::Value;
use rewright_semantics::span::SourceMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Restriction, and a pipeline with a schedule that it refuses and that is wrong.
const MUTANTS: &[(&str, &str)] = &[
    (
        "schedule.phase",
        "pipeline f(): fun g(x) = x; fun f(x) = g[x] + g[x + 1];
         schedule: compute-at(g, <f, x>); specialize(f, 1 < 2); realize((0, 4))",
    ),
    (
        "schedule.func",
        "pipeline f(): fun f(x) = x + 1;
         schedule: bound(h, x, 0, 4); realize((0, 4))",
    ),
    (
        "schedule.loop",
        "pipeline f(): fun f(x) = x + 1;
         schedule: compute-at(f, <f, y>); realize((0, 4))",
    ),
    (
        "schedule.fresh",
        "pipeline f(): fun f(x, y) = 10 * x + y;
         schedule: split(<f, x>, y, xi, 2, guard); realize((0, 4), (0, 4))",
    ),
    (
        "schedule.shared-storage",
        "pipeline f(): fun g(x, y) = {x; (x, y) <- g[x, y] + y}; fun f(x, y) = g[x, y] + g[x, y + 1];
         schedule: traverse(<f, y>, parallel); compute-at(g, <f, y>); realize((0, 4), (0, 4))",
    ),
    (
        "inline.pure",
        "pipeline f(): fun g(x) = {x; (x) <- g[x] + 5}; fun f(x) = g[x];
         schedule: inline(g); realize((0, 4))",
    ),
    (
        "inline.integer",
        "pipeline f(): fun g(x): uint8 = x + 250; fun f(x) = g[x];
         schedule: inline(g); realize((0, 10))",
    ),
    (
        "specialize.startup",
        "pipeline f(): fun f(x) = x;
         schedule: specialize(f, x > 3); realize((0, 4))",
    ),
    (
        "specialize.once",
        "pipeline f(p): fun f(x) = x;
         schedule: specialize(f, p > 3); specialize(f, p > 5); realize((0, 4); p = 1)",
    ),
    (
        "split.startup",
        "pipeline f(): fun f(x, y) = x + y;
         schedule: split(<f, x>, xo, xi, y, guard); realize((0, 4), (0, 4))",
    ),
    (
        "split.positive",
        "pipeline f(): fun f(x) = x + 1;
         schedule: split(<f, x>, xo, xi, 0, guard); realize((0, 4))",
    ),
    (
        "split.shift-pure-stage",
        "pipeline f(): fun f(x) = {x; (x) <- f[x] + 10};
         schedule: split(<f, 1, 0, x>, xo, xi, 4, shift); realize((0, 6))",
    ),
    (
        "split.round-edge",
        "pipeline f(): fun g(x) = x + 1; fun f(x) = {0; rdom(r = (0, 6)) in (x) <- f[x] + g[r]};
         schedule: split(<f, 1, 0, r>, ro, ri, 4, round); realize((0, 3))",
    ),
    (
        "split.round-edge",
        "pipeline f(): fun f(x) = {x; (x) <- f[x] + 10};
         schedule: split(<f, 1, 0, x>, xo, xi, 4, round); split(<f, 1, 0, xi>, a, b, 3, round); realize((0, 8))",
    ),
    (
        "split.blend-edge",
        "pipeline f(): fun f(x) = x + 1;
         schedule: split(<f, x>, xo, xi, 4, shift-blend); realize((0, 8))",
    ),
    (
        "split.blend-lead",
        "pipeline f(): fun f(x) = {x; (x) <- f[x] + 10};
         schedule: split(<f, 1, 0, x>, a, b, 4, guard); split(<f, 1, 0, b>, c, d, 4, guard);
         split(<f, 1, 0, c>, e, g, 2, shift-blend); traverse(<f, 1, 0, a>, parallel); realize((0, 8))",
    ),
    (
        "split.blend-serial",
        "pipeline f(): fun f(x) = {x; (x) <- f[x] + 10};
         schedule: vectorize(<f, 1, 0, x>); split(<f, 1, 0, x>, xo, xi, 4, shift-blend); realize((0, 6))",
    ),
    (
        "traverse.blend",
        "pipeline f(): fun f(x) = {x; (x) <- f[x] + 10};
         schedule: split(<f, 1, 0, x>, xo, xi, 4, shift-blend); traverse(<f, 1, 0, xo>, parallel); realize((0, 6))",
    ),
    (
        "swap.blend",
        "pipeline f(): fun f(x) = {x; (x) <- f[x] + 10};
         schedule: split(<f, 1, 0, x>, xo, xi, 4, shift-blend); swap(<f, 1, 0, xo>); traverse(<f, 1, 0, xi>, parallel);
         realize((0, 6))",
    ),
    (
        "atomic.combines",
        "pipeline f(): fun f() = {1; rdom(r = (0, 3)) in () <- 3 * f[] + r};
         schedule: atomic(f, 1); traverse(<f, 1, 0, r>, parallel); realize()",
    ),
    (
        "rfactor.combines",
        "pipeline f(): fun f() = {100; rdom(r = (0, 2), s = (0, 3)) in () <- f[] - (r + s + 1)};
         schedule: rfactor(f, 1, h, r = u); realize()",
    ),
    (
        "rfactor.identity",
        "pipeline f(): fun f() = {0 - 9; rdom(r = (0, 2), s = (0, 3)) in () <- max(f[], 0 - r - s - 2)};
         schedule: rfactor(f, 1, h, r = u); realize()",
    ),
    (
        "fuse.same-kind",
        "pipeline f(): fun f(x) = {x; rdom(r = (0, 3)) in (x) <- 3 * f[x] + r};
         schedule: fuse(<f, 1, 0, x>, q); traverse(<f, 1, 0, q>, parallel); realize((0, 3))",
    ),
    (
        "swap.reductions",
        "pipeline f(): fun f(x) = {x; rdom(r = (0, 3), t = (0, 2)) in (x) <- 3 * f[x] + r + 10 * t};
         schedule: swap(<f, 1, 0, t>); realize((0, 3))",
    ),
    (
        "traverse.pure",
        "pipeline f(): fun f(x) = {x; rdom(r = (0, 3)) in (x) <- 3 * f[x] + r};
         schedule: traverse(<f, 1, 0, r>, parallel); realize((0, 3))",
    ),
    (
        "compute-at.own-loop",
        "pipeline f(): fun f(x) = x + 1;
         schedule: compute-at(f, <f, x>); realize((0, 4))",
    ),
    (
        "compute-at.output",
        "pipeline f, g(): fun g(x) = x + 1; fun f(x) = g[x];
         schedule: compute-at(g, <f, x>); realize((0, 0), (0, 4))",
    ),
    (
        "compute-at.dominates",
        "pipeline f(): fun a(x) = x; fun b(x) = 2 * a[x]; fun f(x) = a[x] + b[x];
         schedule: compute-at(a, <b, x>); realize((0, 4))",
    ),
    (
        "fold-storage.dimension",
        "pipeline f(): fun g(x, y) = {x; rdom(r = (0, 8)) in (x, r) <- g[x, r] + r}; fun f(x, y) = g[x, y];
         schedule: compute-at(g, <f, y>); fold-storage(g, y, 4); realize((0, 2), (0, 4))",
    ),
    (
        "fold-storage.tail",
        "pipeline f(): fun g(x, y) = x + 10 * y; fun f(x, y) = g[x, y];
         schedule: split(<g, y>, yo, yi, 4, round); split(<g, yi>, ya, yb, 2, guard); compute-at(g, <f, y>);
         fold-storage(g, y, 2); realize((0, 1), (0, 4))",
    ),
    (
        "fold-storage.output",
        "pipeline f(): fun f(x) = x;
         schedule: fold-storage(f, x, 4); realize((1, 4))",
    ),
    (
        "store-at.output",
        "pipeline f(): fun f(x) = x + 1;
         schedule: store-at(f, <f, x>); realize((0, 4))",
    ),
    (
        "store-at.dominates",
        "pipeline f(): fun g(x) = x; fun f(x) = g[x];
         schedule: store-at(g, <f, x>); realize((0, 4))",
    ),
    (
        "store-at.dominates",
        "pipeline f(): fun g(x) = x; fun f(x) = g[x];
         schedule: store-at(g, <g, x>); realize((0, 4))",
    ),
    (
        "compute-with.stage-order",
        "pipeline f(): fun f(x) = {x; rdom(r = (0, 3)) in (r) <- f[r + 1]};
         schedule: compute-with(f, 1, <f, x>); realize((0, 5))",
    ),
    (
        "compute-with.siblings",
        "pipeline f(): fun a(x) = x; fun b(x) = 2 * x; fun c(x) = b[x]; fun f(x) = a[x] + b[x + 1] + c[x];
         schedule: compute-at(a, <f, x>); compute-with(b, <a, x>); realize((0, 4))",
    ),
    (
        "compute-with.independent",
        "pipeline f(): fun a(x) = x; fun b(x) = a[x + 1]; fun f(x) = a[x] + b[x];
         schedule: compute-with(b, <a, x>); realize((0, 4))",
    ),
    (
        "compute-with.independent",
        "pipeline f(): fun a(x) = x; fun h(x) = 2 * a[x]; fun b(x) = h[x]; fun f(x) = a[x] + b[x];
         schedule: compute-with(b, <a, x>); realize((0, 4))",
    ),
    (
        "compute-with.specializations",
        "pipeline f(p): fun a(x) = x; fun b(x) = 2 * x; fun f(x) = a[x] + b[x];
         schedule: specialize(a, p > 3); compute-with(b, <a, 0, 1, x>); realize((0, 4); p = 1)",
    ),
    (
        "compute-with.stage-order",
        "pipeline f(): fun a(x) = {x; (x) <- a[x] + 1}; fun b(x) = {2 * x; (x) <- b[x] + 1}; fun f(x) = a[x] + b[x];
         schedule: compute-with(b, 1, <a, x>); compute-with(b, <a, 1, 0, x>); realize((0, 4))",
    ),
    (
        "compute-with.same-order",
        "pipeline f(): fun a(x) = x; fun b() = {0; rdom(r = (0, 4)) in () <- b[] + r}; fun f(x) = a[x] + b[];
         schedule: traverse(<a, x>, parallel); compute-with(b, 1, <a, x>); realize((0, 4))",
    ),
    (
        "bound.dimension",
        "pipeline f(): fun g(x) = x; fun f(x) = g[x];
         schedule: bound(g, y, 0, 5); realize((0, 4))",
    ),
    (
        "bound.startup",
        "pipeline f(): fun g(x) = x; fun f(x) = g[x];
         schedule: bound(g, x, x, 5); realize((0, 4))",
    ),
    (
        "align-bounds.positive",
        "pipeline f(): fun g(x) = x; fun f(x) = g[x];
         schedule: align-bounds(g, x, 0, 0); realize((0, 4))",
    ),
];

fn read(text: &str) -> Parsed {
    let mut sources = SourceMap::new();
    let file = sources.add("mutant", text);
    parse(file, &sources).unwrap_or_else(|d| panic!("{}: {text}", d.message))
}

fn apply(parsed: &Parsed, rules: Rules) -> Result<Program, &'static str> {
    let directives: Vec<Directive> = parsed.schedule.iter().map(|(d, _)| d.clone()).collect();
    let t = schedule(&Arc::new(parsed.algorithm.clone()), &directives, Sequence::Strict, rules);
    t.map_err(|refusal| refusal.restriction.id)
}

/// What is wrong with a scheduled program, if anything is.
fn wrong(t: &Program, parsed: &Parsed) -> Option<String> {
    if let Some(broken) = loop_names(t).or_else(|| scoping(t, false)).or_else(|| dominance(t)) {
        return Some(format!("{broken:?}"));
    }
    let z = parsed.input.as_ref().expect("an input");
    let expected = reference(&parsed.algorithm, z).expect("a value");
    let (completed, _) = Engine::Tight.complete(t);
    match judge(&completed, z, &expected) {
        Verdict::Different(d) => Some(d.to_string()),
        Verdict::Equal | Verdict::AlgorithmError => in_another_order(&completed, z, &expected),
        Verdict::AssertionFails(_) | Verdict::Unknown(_) => None,
    }
}

/// What goes wrong where the last of all threads is the first to step.
fn in_another_order(completed: &Program, z: &Input, expected: &[Value]) -> Option<String> {
    match compare(z, expected, &small::run(completed, z, 1 << 16, &mut |n| n - 1)) {
        Verdict::Different(d) => Some(d.to_string()),
        Verdict::Equal | Verdict::AlgorithmError | Verdict::AssertionFails(_) | Verdict::Unknown(_) => None,
    }
}

/// [rule: halide.schedule] [rule: halide.specialize] [rule: halide.split] [rule: halide.fuse] [rule: halide.swap]
/// [rule: halide.traverse] [rule: halide.compute-at] [rule: halide.store-at] [rule: halide.bound] [rule: halide.align]
/// [rule: halide.phases] [rule: halide.inline] [rule: halide.rfactor] [rule: halide.atomic] [rule: halide.blend] [rule: halide.shared-storage] [rule: halide.loop-names]
/// [rule: halide.dominance]
#[test]
fn without_a_restriction_a_wrong_program_is_accepted() {
    for (id, text) in MUTANTS {
        let parsed = read(text);
        assert_eq!(apply(&parsed, Rules::default()).err(), Some(*id), "{text}");
        let t = apply(&parsed, Rules { off: Some(id) })
            .unwrap_or_else(|by| panic!("{id}: refused by {by}: {text}"));
        let Some(how) = wrong(&t, &parsed) else { panic!("{id}: the mutant survives\n{text}") };
        println!("{id}: {how}\n{text}\n");
    }
}

#[test]
fn every_restriction_has_a_mutant() {
    let with: BTreeSet<&str> = MUTANTS.iter().map(|(id, _)| *id).collect();
    for r in restrictions() {
        assert!(with.contains(r.id), "{} has no mutant", r.id);
    }
}

/// The restriction is about the kind of the fused loop: as long as that is traversed serially, its order is kept and nothing
/// goes wrong. [H-15].
#[test]
fn fusing_a_pure_with_a_reduction_loop_is_harmless_while_it_runs_serially() {
    let text =
        "pipeline f(): fun g(x) = x * x; fun f(x) = {0; rdom(r = (0, 3)) in (x) <- 2 * f[x] + g[x + r]};
         schedule: fuse(<f, 1, 0, x>, q); realize((0, 5))";
    let parsed = read(text);
    assert_eq!(apply(&parsed, Rules::default()).err(), Some("fuse.same-kind"));
    let t = apply(&parsed, Rules { off: Some("fuse.same-kind") }).expect("accepted");
    assert_eq!(wrong(&t, &parsed), None);
    assert!(matches!(verify_bounds(&Engine::Tight.complete(&t).0), Verification::Verified(_)));
}
