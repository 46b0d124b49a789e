//! Programs that are equal, refine each other, or differ.

use crate::{input, module};
use rewright_semantics::ast::Proc;
use rewright_semantics::data::machine::MachineDomain;
use rewright_semantics::data::rational::{Rational, RationalDomain};
use rewright_semantics::data::symbolic::SymbolicDomain;
use rewright_semantics::denote::{Interpreted, Limits};
use rewright_semantics::equiv::{
    Compared, Comparer, Difference, SignatureMismatch, Spot, Trials, Verdict, on_trials, same_signature,
};
use rewright_semantics::store::ConfigKey;
use rewright_semantics::value::Val;
use std::collections::BTreeSet;
use std::sync::Arc;

fn pair(text: &str) -> (Arc<Proc>, Arc<Proc>) {
    let module = module(text);
    (module.proc("old").unwrap().clone(), module.proc("new").unwrap().clone())
}

fn compare<D: Interpreted>(text: &str, args: &str, modulo: &[&str]) -> Verdict<D::Value> {
    let (old, new) = pair(text);
    let modulo: BTreeSet<ConfigKey> = modulo
        .iter()
        .map(|k| k.split_once('.').unwrap())
        .map(|(config, field)| ConfigKey { config: config.into(), field: field.into() })
        .collect();
    let comparer = Comparer::<D>::new(&old, &new, modulo, Limits::statements(10_000)).unwrap();
    comparer.compare(&input(&old, args))
}

/// Two procedures over `x: R[4], y: R[4]` and a configuration.
fn bodies(old: &str, new: &str) -> String {
    format!(
        "
@config
class Cfg:
    n: index
    s: f32

@proc
def old(n: size, x: R[4], y: R[4]):
    {old}

@proc
def new(n: size, a: R[4], b: R[4]):
    {new}
"
    )
}

/// [rule: equiv].
#[test]
fn equal_for_all_data() {
    let text = bodies(
        "for i in seq(0, 4):\n        x[i] = (y[i] + 1.0) * (y[i] - 1.0)",
        "for i in seq(0, 4):\n        a[3 - i] = b[3 - i] * b[3 - i] - 1.0",
    );
    assert_eq!(compare::<SymbolicDomain>(&text, "n=1", &[]), Verdict::Equal);
    assert_eq!(compare::<RationalDomain>(&text, "n=1", &[]), Verdict::Equal);
}

#[test]
fn the_machine_sees_rounding() {
    let text = bodies("x[0] = (y[0] + y[1]) + y[2]", "a[0] = b[0] + (b[1] + b[2])");
    assert_eq!(compare::<SymbolicDomain>(&text, "n=1", &[]), Verdict::Equal);
    let machine = compare::<MachineDomain>(&text, "n=1 y=[16777216,1,1,0]", &[]);
    assert!(matches!(machine, Verdict::Differs(_)), "{machine:?}");
}

#[test]
fn a_difference_says_where() {
    let text = bodies("x[2] = y[0]", "a[2] = b[1]");
    let Verdict::Differs(difference) = compare::<RationalDomain>(&text, "n=1 y=[5,6,0,0]", &[]) else {
        panic!()
    };
    let expected = Difference::Values {
        at: Spot::Cell { arg: "x".into(), index: vec![2] },
        old: Val::Data(Rational::int(5)),
        new: Val::Data(Rational::int(6)),
    };
    assert_eq!(*difference, expected);
    let Verdict::Differs(difference) = compare::<SymbolicDomain>(&text, "n=1", &[]) else { panic!() };
    let Difference::Values { at, old, new } = *difference else { panic!() };
    assert_eq!(format!("{at}: {old} / {new}"), "x[2]: y[0] / y[1]");
}

#[test]
fn defining_the_unknown_is_refinement_and_the_reverse_is_not() {
    let unknown = "t: R\n    x[1] = t\n    x[3] = t";
    let known = "a[1] = 0.0\n    a[3] = 1.0";
    let first = Spot::Cell { arg: "x".into(), index: vec![1] };
    assert_eq!(
        compare::<SymbolicDomain>(&bodies(unknown, known), "n=1", &[]),
        Verdict::Refines { first, count: 2 }
    );
    let back = bodies("x[1] = 0.0", "t: R\n    a[1] = t");
    assert!(matches!(compare::<SymbolicDomain>(&back, "n=1", &[]), Verdict::Differs(_)));
}

#[test]
fn fields_count_unless_left_out() {
    let text = bodies("Cfg.n = 1\n    Cfg.s = x[0]", "Cfg.n = 2\n    Cfg.s = a[0]");
    assert!(matches!(compare::<SymbolicDomain>(&text, "n=1", &[]), Verdict::Differs(_)));
    assert_eq!(compare::<SymbolicDomain>(&text, "n=1", &["Cfg.n"]), Verdict::Equal);
    let text = bodies("pass", "Cfg.n = 2");
    // The old one leaves ⊥ in a field never set.
    let first = Spot::Field(ConfigKey { config: "Cfg".into(), field: "n".into() });
    assert_eq!(compare::<SymbolicDomain>(&text, "n=1", &[]), Verdict::Refines { first, count: 1 });
}

#[test]
fn errors_are_weighed_by_whose_they_are() {
    let bad = "x[n + 3] = 0.0";
    let good = "pass";
    let old_fails = compare::<RationalDomain>(&bodies(bad, good), "n=1", &[]);
    assert!(matches!(old_fails, Verdict::OldFails(_)));
    let text = bodies(good, "a[n + 3] = 0.0");
    let new_fails = compare::<RationalDomain>(&text, "n=1", &[]);
    let Verdict::Differs(difference) = new_fails else { panic!("{new_fails:?}") };
    assert!(matches!(*difference, Difference::NewFails(_)));
    let asserting = bodies("assert n > 3\n    pass", good);
    let (old, new) = pair(&asserting);
    let comparer = Comparer::<RationalDomain>::new(&old, &new, BTreeSet::new(), Limits::default()).unwrap();
    let mut rejected = input(&old, "n=4");
    rejected.args[0].1 = rewright_semantics::inputs::InputValue::Int(2);
    assert!(matches!(comparer.compare(&rejected), Verdict::InputRejected(_)));
    let endless = bodies("for i in seq(0, 100000):\n        pass", good);
    assert!(matches!(compare::<RationalDomain>(&endless, "n=1", &[]), Verdict::GaveUp(_)));
}

#[test]
fn what_the_domain_cannot_tell_is_left_open() {
    let text = bodies("x[0] = y[0] * y[0] / y[0]", "a[0] = b[0]");
    assert!(matches!(compare::<SymbolicDomain>(&text, "n=1", &[]), Verdict::Undecided { .. }));
    assert_eq!(compare::<RationalDomain>(&text, "n=1 y=[3,0,0,0]", &[]), Verdict::Equal);
}

#[test]
fn signatures_must_agree() {
    let sig = |old: &str, new: &str| {
        let (old, new) =
            pair(&format!("@proc\ndef old({old}):\n    pass\n\n@proc\ndef new({new}):\n    pass\n"));
        same_signature(&old, &new)
    };
    assert_eq!(sig("n: size, x: f32[n]", "m: size, y: f32[m]"), Ok(()));
    assert!(matches!(sig("n: size", ""), Err(SignatureMismatch::Count { .. })));
    let error = sig("n: size, x: f32[n]", "m: size, y: [f32][m]").unwrap_err();
    assert_eq!(error.to_string(), "argument 2 is `x: f32[…]` in `old` and `y: [f32][…]` in `new`");
    assert!(sig("x: f32", "x: f64").is_err());
    assert!(sig("n: size", "n: index").is_err());
}

/// What `old` and `new` come to on 40 inputs.
fn on_forty(text: &str) -> Compared {
    let (old, new) = pair(text);
    let trials = Trials { count: 40, seed: 0, limits: Limits::statements(10_000), restricted: false };
    on_trials(&old, &new, &BTreeSet::new(), trials).unwrap()
}

/// [rule: equiv.trials].
#[test]
fn a_field_read_that_was_not_is_found_where_it_is_unset() {
    let text = bodies("x[0] = 1.0", "if Cfg.n == 0:\n        a[0] = 1.0\n    else:\n        a[0] = 1.0");
    let Compared::Differ(found) = on_forty(&text) else { panic!("they differ where `Cfg.n` is not set") };
    assert!(found.what.starts_with("the second fails"), "{}", found.what);
    assert!(found.input.to_string().contains("Cfg.n=_"), "{}", found.input);
    // The other way round it is the first that fails, which says nothing of the second.
    let text = bodies("if Cfg.n == 0:\n        x[0] = 1.0\n    else:\n        x[0] = 1.0", "a[0] = 1.0");
    let Compared::Agree(tally) = on_forty(&text) else { panic!("they agree") };
    assert_eq!((tally.equal, tally.unset), (40, 0));
    // A field that is copied may be unset.
    let text = bodies("x[0] = Cfg.s", "a[0] = Cfg.s");
    let Compared::Agree(tally) = on_forty(&text) else { panic!("they agree") };
    assert_eq!((tally.equal, tally.for_all_data, tally.unset), (40, 40, 40));
}
