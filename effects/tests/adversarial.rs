//! Programs and formulas made to be hard: every question ends, at worst in `Unknown`, and never wrongly.

#![expect(clippy::print_stdout, reason = "tests report how long it took")]

mod support;

use rewright_effects::analysis::Analysis;
use rewright_effects::conditions::{equal_exprs, fission, idempotent, parallel, same_after};
use rewright_effects::context::{Context, Hole, Step};
use rewright_effects::effexpr::EffExpr;
use rewright_effects::obligation::{Obligation, Verdict};
use rewright_effects::solver::{Limits, Solver, smtlib};
use rewright_semantics::ast::Proc;
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::SourceMap;
use rewright_semantics::sym::Sym;
use std::sync::Arc;
use std::time::Instant;
use support::{asks, within};

/// Says how long it took. What does not end fails by not ending: no test depends on time.
fn in_time<T>(what: &str, f: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let out = f();
    println!("{what}: {:?}", start.elapsed());
    out
}

fn proc(text: &str) -> Arc<Proc> {
    let mut sources = SourceMap::new();
    let file = sources.add("adversarial.py", text);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    parsed.module.procs.last().cloned().expect("a procedure")
}

const CONFIG: &str = "@config\nclass Cfg:\n    a: index\n    b: index\n    n: size\n    flag: bool\n\n";

fn decide(ob: &Obligation) -> Verdict {
    Solver::with_limits(Limits { steps: 200_000, ..Limits::default() }).decide(ob)
}

/// A field whose value, written out, has as many terms as there are people.
fn doubling(times: usize) -> String {
    let mut text = format!("{CONFIG}@proc\ndef p(n: size, x: f32[n]):\n");
    for _ in 0..times {
        text.push_str("    Cfg.a = Cfg.a + Cfg.b\n    Cfg.b = Cfg.b + Cfg.a\n");
    }
    text.push_str("    if Cfg.a == Cfg.b:\n        pass\n");
    text
}

#[test]
fn values_that_double_at_every_statement() {
    let p = proc(&doubling(70));
    let last = p.body.len() - 1;
    in_time("doubling", || {
        let an = Analysis::new();
        let ctx = Context::of(&an, &p, &Hole::stmt([Step::Body(last)])).expect("a place");
        let again = Context::of(&an, &p, &Hole::stmt([Step::Body(last)])).expect("a place");
        let guard = p.body.get(last).expect("a guard");
        let rewright_semantics::ast::StmtKind::If { cond, .. } = guard.kind.as_ref() else {
            panic!("a guard")
        };
        let rewright_semantics::ast::ExprKind::Bin { lhs, rhs, .. } = &cond.kind else {
            panic!("an equation")
        };
        let verdict = decide(&equal_exprs(&ctx, lhs, rhs));
        assert!(!verdict.is_proved(), "{verdict:?}");
        let same = EffExpr::eq(ctx.lift(lhs), again.lift(lhs));
        assert!(!matches!(decide(&asks(same)), Verdict::Refuted { .. }));
        let whole = &p.body;
        drop(decide(&idempotent(&ctx, whole)));
        drop(decide(&same_after(&ctx, lhs, whole)));
    });
}

#[test]
fn nests_of_loops_that_count() {
    for depth in [4, 8, 16, 24] {
        let mut text = format!("{CONFIG}@proc\ndef p(n: size, x: f32[n + 64]):\n");
        let mut indent = String::from("    ");
        for d in 0..depth {
            text.push_str(&format!("{indent}for i{d} in seq(0, n):\n"));
            indent.push_str("    ");
            text.push_str(&format!("{indent}if Cfg.a < {d}:\n{indent}    Cfg.b = Cfg.a\n"));
        }
        text.push_str(&format!("{indent}Cfg.a = Cfg.b + 1\n{indent}x[0] = 1.0\n"));
        let p = proc(&text);
        in_time(&format!("nest of {depth}"), || {
            let an = Analysis::new();
            let ctx = Context::of(&an, &p, &Hole::stmt([Step::Body(0)])).expect("a place");
            let s = p.body.get(0).expect("a loop");
            assert!(parallel(&ctx, s).iter().any(|ob| !decide(ob).is_proved()));
            assert!(fission(&ctx, s, 1).iter().any(|ob| !decide(ob).is_proved()));
            drop(decide(&idempotent(&ctx, &p.body)));
        });
    }
}

#[test]
fn the_largest_numbers_do_not_wrap() {
    let (x, y, z) = (Sym::fresh("x"), Sym::fresh("y"), Sym::fresh("z"));
    let v = EffExpr::int_var;
    let c = EffExpr::int;
    let huge = [i64::MAX, i64::MIN, i64::MAX - 1, i64::MIN + 1, 1 << 62, -(1 << 62), 3_037_000_500];
    for a in huge {
        for b in huge {
            let left = EffExpr::add(EffExpr::scale(a, v(x)), EffExpr::scale(b, v(y)));
            let right = EffExpr::add(EffExpr::scale(b, v(x)), EffExpr::scale(a, v(z)));
            // False at many places: x = 0, y = 1, z = 0 and its like.
            for wrong in [
                EffExpr::lt(left.clone(), right.clone()),
                EffExpr::not(EffExpr::eq(left.clone(), right.clone())),
                EffExpr::exists(
                    x,
                    EffExpr::and([
                        EffExpr::lt(left.clone(), c(a)),
                        EffExpr::lt(c(b), right.clone()),
                        EffExpr::lt(v(y), v(z)),
                    ]),
                ),
            ] {
                let verdict = in_time("huge", || decide(&asks(wrong.clone())));
                assert!(!verdict.is_proved(), "{verdict:?}: {wrong}");
            }
            // True in the integers; would be false in 64 bits.
            let above = EffExpr::implies(
                EffExpr::and([EffExpr::le(c(1), v(x)), EffExpr::le(c(1), v(y))]),
                EffExpr::le(c(2), EffExpr::add(v(x), v(y))),
            );
            assert!(decide(&asks(above)).is_proved());
        }
    }
}

#[test]
fn sums_of_huge_constants_are_kept_apart() {
    let x = Sym::fresh("x");
    let v = EffExpr::int_var(x);
    let big = EffExpr::add(EffExpr::add(v.clone(), EffExpr::int(i64::MAX)), EffExpr::int(i64::MAX));
    assert!(decide(&asks(EffExpr::lt(v.clone(), big.clone()))).is_proved());
    let twice = EffExpr::scale(2, EffExpr::scale(i64::MAX, v.clone()));
    let none = EffExpr::implies(EffExpr::le(EffExpr::int(1), v.clone()), EffExpr::lt(v.clone(), twice));
    assert!(decide(&asks(none)).is_proved());
    let modulo = EffExpr::modulo(big, i64::MAX);
    assert!(decide(&asks(within(EffExpr::int(0), modulo.clone(), EffExpr::int(i64::MAX)))).is_proved());
    assert!(decide(&asks(EffExpr::eq(modulo, EffExpr::modulo(v, i64::MAX)))).is_proved());
}

#[test]
fn pigeons_and_holes() {
    for n in [4_i64, 8, 12] {
        let pigeons: Vec<EffExpr> =
            (0..=n).map(|k| EffExpr::int_var(Sym::fresh(format!("p{k}").as_str()))).collect();
        let inside = pigeons.iter().map(|p| within(EffExpr::int(0), p.clone(), EffExpr::int(n)));
        let mut equal = Vec::new();
        for (k, p) in pigeons.iter().enumerate() {
            equal.extend(pigeons.iter().skip(k + 1).map(|q| EffExpr::eq(p.clone(), q.clone())));
        }
        let some_two = EffExpr::implies(EffExpr::and(inside), EffExpr::or(equal));
        let verdict = in_time(&format!("{n} holes"), || decide(&asks(some_two)));
        assert!(!matches!(verdict, Verdict::Refuted { .. }), "{verdict:?}");
    }
}

#[test]
fn quantifiers_in_turn_over_remainders() {
    let primes = [7, 11, 13, 17, 19, 23];
    for depth in 2..=6 {
        let xs: Vec<Sym> = (0..depth).map(|k| Sym::fresh(format!("x{k}").as_str())).collect();
        let terms = xs.iter().zip(primes).map(|(x, k)| {
            EffExpr::sub(
                EffExpr::modulo(EffExpr::scale(k + 2, EffExpr::int_var(*x)), k),
                EffExpr::div(EffExpr::int_var(*x), k + 4),
            )
        });
        let sum = terms.reduce(EffExpr::add).expect("a sum");
        let body = EffExpr::le(EffExpr::int(3), EffExpr::modulo(sum, 29));
        let formula = xs.iter().enumerate().fold(body, |ee, (k, x)| {
            if k % 2 == 0 { EffExpr::exists(*x, ee) } else { EffExpr::forall(*x, ee) }
        });
        for f in [formula.clone(), EffExpr::not(formula)] {
            drop(in_time(&format!("remainders {depth}"), || decide(&asks(f))));
        }
    }
}

#[test]
fn many_inequalities() {
    let xs: Vec<EffExpr> = (0..24).map(|k| EffExpr::int_var(Sym::fresh(format!("x{k}").as_str()))).collect();
    let mut all = Vec::new();
    for (k, a) in xs.iter().enumerate() {
        for (l, b) in xs.iter().enumerate().skip(k + 1) {
            let coefficient = i64::try_from(k * 7 + l * 5).unwrap_or(1) % 11 - 5;
            let left = EffExpr::add(EffExpr::scale(coefficient, a.clone()), EffExpr::scale(3, b.clone()));
            all.push(EffExpr::le(left, EffExpr::int(40)));
            all.push(EffExpr::not(EffExpr::eq(a.clone(), b.clone())));
        }
    }
    drop(in_time("many inequalities", || decide(&asks(EffExpr::not(EffExpr::and(all))))));
}

#[test]
fn scripts_of_shared_formulas_stay_readable() {
    let p = proc(&doubling(70));
    let an = Analysis::new();
    let ctx = Context::of(&an, &p, &Hole::stmt([Step::Body(p.body.len() - 1)])).expect("a place");
    let value = ctx.env.globals.substitution();
    let sum = value.iter().map(|(_, ee)| ee.clone()).reduce(EffExpr::add).expect("a value");
    let script = in_time("script", || smtlib::script(&asks(EffExpr::le(EffExpr::int(0), sum))));
    assert!(script.len() < 1_000_000, "{} characters", script.len());
}
