//! Effects abstract what programs do: PLDI'22 §5.6, on random programs. Spec: [rule: effects.abstraction].

use rewright_campaign::generate::{Shape, module};
use rewright_effects::analysis::Analysis;
use rewright_effects::effect::Effect;
use rewright_effects::env::Field;
use rewright_effects::ternary::{TernaryValue, Truth};
use rewright_semantics::data::rational::Rational;
use rewright_semantics::pretty::module_to_string;
use rewright_semantics::store::Store;
use rewright_semantics::value::Val;
use rewright_testsuite::abstraction::{ConcreteLoc, Run};
use std::sync::Arc;

const PROGRAMS: u64 = 250;

/// Calls `check` with runs of random programs; says how many there were.
fn on_runs(mut check: impl FnMut(&Run<'_>, &Arc<rewright_semantics::ast::Proc>, &str) -> u64) -> u64 {
    let mut interesting = 0;
    for seed in 0..PROGRAMS {
        let shape = Shape { uninitialised: seed % 3 == 0, stmts: 8, ..Shape::floating() };
        let m = module(seed, &shape);
        for p in &m.procs {
            let Some(run) = Run::random(p, seed) else { continue };
            let about = format!("seed {seed}, {}\n{}\n{:?}", p.name, module_to_string(&m), run.input);
            interesting += check(&run, p, &about);
        }
    }
    interesting
}

#[test]
fn what_is_not_in_mod_is_unchanged() {
    let an = Analysis::new();
    let unchanged = on_runs(|run, p, about| {
        let Some(after) = run.outcome() else { return 0 };
        let modified = an.effect(p).modified();
        let mut unchanged = 0;
        for place in run.places(&after) {
            let inside = run.truth(&modified.contains(&run.loc(&place)));
            let same = run.value(&run.before, &place) == run.value(&after, &place);
            assert!(inside.maybe() || same, "{place:?} is outside of Mod and changes\n{about}");
            unchanged += u64::from(!inside.maybe());
        }
        unchanged
    });
    assert!(unchanged > 2000, "only {unchanged} places were outside of Mod");
}

#[test]
fn what_is_surely_written_depends_on_what_is_read() {
    let determined = on_spoiled_runs(|run, a, [after, again], _, about| {
        let written = a.wr();
        let mut determined = 0;
        for place in run.places(after) {
            if run.truth(&written.contains(&run.loc(&place))).definitely() {
                let (old, new) = (run.value(after, &place), run.value(again, &place));
                assert_eq!(old, new, "{place:?} is surely written, and not determined by Rd\n{about}");
                determined += 1;
            }
        }
        determined
    });
    assert!(determined > 1000, "only {determined} places were determined");
}

#[test]
fn what_is_surely_reduced_depends_on_what_is_read() {
    let determined = on_spoiled_runs(|run, a, [after, again], other, about| {
        let reduced = a.red_h().minus(a.wr());
        let mut determined = 0;
        for place in run.places(after) {
            if run.truth(&reduced.contains(&run.loc(&place))).definitely() {
                let gained = |end, start| difference(&run.value(end, &place), &run.value(start, &place));
                assert_eq!(
                    gained(after, &run.before),
                    gained(again, other),
                    "{place:?} is surely reduced, and the sum is not determined by Rd\n{about}"
                );
                determined += 1;
            }
        }
        determined
    });
    assert!(determined > 300, "only {determined} places were determined");
}

/// Calls `check` with each run, the effect of its procedure, the stores after it and after a run from a store
/// that is spoiled wherever Rd does not read, and that store.
fn on_spoiled_runs(
    check: impl Fn(&Run<'_>, &Effect, [&Store<Rational>; 2], &Store<Rational>, &str) -> u64,
) -> u64 {
    let an = Analysis::new();
    on_runs(|run, p, about| {
        let Some(after) = run.outcome() else { return 0 };
        let a = an.effect(p);
        let read = a.rd();
        let mut other = run.before.clone();
        for (k, place) in run.places(&after).iter().enumerate() {
            if !run.truth(&read.contains(&run.loc(place))).maybe() {
                run.spoil(&mut other, place, i64::try_from(k).unwrap_or(0));
            }
        }
        let Some(again) = run.outcome_from(other.clone()) else {
            panic!("spoiling what is not read makes the program fail\n{about}");
        };
        check(run, &a, [&after, &again], &other, about)
    })
}

fn difference(end: &Val<Rational>, start: &Val<Rational>) -> Option<String> {
    use rewright_semantics::data::{Arith, DataDomain};
    match (end, start) {
        (Val::Data(a), Val::Data(b)) => {
            let gained =
                rewright_semantics::data::rational::RationalDomain::arith(Arith::Sub, a.clone(), b.clone());
            gained.known().map(ToString::to_string)
        }
        _ => None,
    }
}

#[test]
fn definite_values_of_fields_are_right() {
    let an = Analysis::new();
    let definite = on_runs(|run, p, about| {
        let Some(after) = run.outcome() else { return 0 };
        let summary = an.summary(p);
        let mut definite = 0;
        for place in run.places(&after) {
            let ConcreteLoc::Field(key) = &place else { continue };
            let field = Field { config: key.config, field: key.field };
            let Some(ee) = summary.changed.get(&field) else { continue };
            let actual = run.value(&after, &place);
            match (run.eval(ee), &actual) {
                (TernaryValue::Int(Some(v)), _) => {
                    let expected = Val::Int(i64::try_from(v).expect("values are small"));
                    assert_eq!(actual, expected, "{key}\n{about}");
                    definite += 1;
                }
                (TernaryValue::Bool(t), _) if t != Truth::Unknown => {
                    assert_eq!(actual, Val::Bool(t.definitely()), "{key}\n{about}");
                    definite += 1;
                }
                (TernaryValue::Int(None) | TernaryValue::Bool(_), _) => {}
            }
        }
        definite
    });
    assert!(definite > 50, "only {definite} values were definite");
}
