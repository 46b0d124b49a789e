//! The solver: its tiers never contradict each other nor the direct evaluator, and its verdicts depend on the
//! question alone.

mod support;

use rewright_effects::effexpr::{EffExpr, Sort};
use rewright_effects::obligation::{ModelValue, Obligation, Tier, Verdict};
use rewright_effects::solver::{Limits, Solver, answer_of_script, smtlib};
use rewright_effects::ternary::{Assignment, TernaryValue, Truth, eval};
use rewright_semantics::sym::Sym;
use support::{Formulas, Rng, SPAN, asks, rewritten, typical};

fn z3_only() -> Solver {
    Solver::with_limits(Limits { first: Tier::Quantified, steps: 300_000, cache: true })
}

#[test]
fn typical_obligations_are_decided() {
    let solver = Solver::new();
    let mut wrong = Vec::new();
    for (name, obligation, holds) in typical() {
        let verdict = solver.decide(&obligation);
        let right = match &verdict {
            Verdict::Proved { .. } => holds,
            Verdict::Refuted { .. } => !holds,
            Verdict::Unknown { .. } => false,
        };
        if !right {
            wrong.push(format!("{name}: {verdict:?}"));
        }
    }
    let counts = solver.counts();
    println!("{counts:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let decided = counts.fast + counts.linear + counts.quantified + counts.unknown;
    assert_eq!(decided, u64::try_from(typical().len()).unwrap());
    assert!(counts.fast * 10 >= (counts.fast + counts.linear + counts.quantified) * 6, "{counts:?}");
}

#[test]
fn counterexamples_are_small() {
    for (name, obligation, holds) in typical() {
        for solver in [Solver::new(), z3_only()] {
            if let Verdict::Refuted { model } = solver.decide(&obligation) {
                assert!(!holds, "{name}");
                let small = |v: &ModelValue| !matches!(v, ModelValue::Int(i) if i.abs() > 16);
                assert!(model.values.values().all(small), "{name}: {model}");
            }
        }
    }
}

/// Where quantifiers range over `0..SPAN` only, enumeration over that range is exact.
/// Spec: [rule: solving], [rule: obligation].
#[test]
fn verdicts_agree_with_enumeration() {
    let solver = Solver::new();
    let (mut proved, mut refuted) = (0, 0);
    for seed in 0..1500 {
        let mut formulas = Formulas::new(seed, true);
        let formula = formulas.formula(3);
        let free = formulas.free();
        match solver.decide(&asks(formula.clone())) {
            Verdict::Proved { .. } => {
                proved += 1;
                for _ in 0..60 {
                    let at: Assignment = free
                        .iter()
                        .map(|(v, sort)| {
                            let value = match sort {
                                Sort::Int => TernaryValue::Int(Some(i128::from(formulas.rng.below(17)) - 8)),
                                Sort::Bool => TernaryValue::Bool(Truth::from(formulas.rng.below(2) == 0)),
                            };
                            (*v, value)
                        })
                        .collect();
                    let value = eval(&formula, &at, 0..SPAN);
                    assert_eq!(value, TernaryValue::Bool(Truth::True), "seed {seed}: {formula} at {at:?}");
                }
            }
            Verdict::Refuted { model } => {
                refuted += 1;
                // Variables of dropped quantifiers are in the model as well; the formula's own suffice.
                let at: Assignment = free
                    .iter()
                    .filter_map(|(v, _)| {
                        Some((
                            *v,
                            match model.get(*v)? {
                                ModelValue::Int(i) => TernaryValue::Int(Some(i128::from(i))),
                                ModelValue::Bool(b) => TernaryValue::Bool(Truth::from(b)),
                            },
                        ))
                    })
                    .collect();
                let value = eval(&formula, &at, 0..SPAN);
                assert_ne!(value, TernaryValue::Bool(Truth::True), "seed {seed}: {formula} at {at:?}");
            }
            Verdict::Unknown { why } => println!("seed {seed}: {why}"),
        }
    }
    println!("proved {proved}, refuted {refuted}, {:?}", solver.counts());
    assert!(proved > 50 && refuted > 200, "proved {proved}, refuted {refuted}");
}

/// Spec: [rule: solving].
#[test]
fn the_tiers_never_contradict_each_other() {
    let from = |first| Solver::with_limits(Limits { first, steps: 300_000, cache: true });
    let mut solvers = [Tier::Fast, Tier::Linear, Tier::Quantified].map(from);
    for seed in 0..400 {
        let formula = Formulas::new(seed, seed % 3 == 0).formula(if seed % 2 == 0 { 3 } else { 4 });
        let question = asks(formula.clone());
        let verdicts = solvers.each_mut().map(|solver| solver.decide(&question));
        let proved = verdicts.iter().any(Verdict::is_proved);
        let refuted = verdicts.iter().any(|v| matches!(v, Verdict::Refuted { .. }));
        assert!(!(proved && refuted), "seed {seed}: {verdicts:?} for {formula}");
    }
    let counts = solvers.each_ref().map(Solver::counts);
    println!("{counts:#?}");
    assert!(counts[0].fast > 300 && counts[1].linear > 200 && counts[2].quantified > 50, "{counts:?}");
}

/// Valid by construction, and not by syntax.
/// Spec: [rule: effexpr].
#[test]
fn formulas_equal_their_rewritings() {
    let solver = Solver::new();
    for seed in 0..300 {
        let formula = Formulas::new(seed, seed % 2 == 0).formula(2);
        let other = rewritten(&mut Rng(seed), &formula);
        for side in [EffExpr::definitely, EffExpr::maybe] {
            let question = asks(EffExpr::iff(side(formula.clone()), side(other.clone())));
            let verdict = solver.decide(&question);
            assert!(
                !matches!(verdict, Verdict::Refuted { .. }),
                "seed {seed}: {verdict:?}\n{formula}\n{other}"
            );
        }
    }
    println!("{:?}", solver.counts());
    assert!(solver.counts().unknown < 10, "{:?}", solver.counts());
}

#[test]
fn division_rounds_down_for_negative_numbers() {
    for solver in [Solver::new(), z3_only()] {
        let x = Sym::fresh("x");
        for value in -9_i64..10 {
            for k in [2, 3, 4, 7] {
                let is = EffExpr::eq(EffExpr::int_var(x), EffExpr::int(value));
                let quotient =
                    EffExpr::eq(EffExpr::div(EffExpr::int_var(x), k), EffExpr::int(value.div_euclid(k)));
                let rest =
                    EffExpr::eq(EffExpr::modulo(EffExpr::int_var(x), k), EffExpr::int(value.rem_euclid(k)));
                if k != 2 && value % 3 != 0 {
                    continue;
                }
                let question = asks(EffExpr::and([quotient, rest])).assuming([is]);
                assert!(solver.decide(&question).is_proved(), "{value} by {k}");
            }
        }
    }
}

#[test]
fn verdicts_do_not_depend_on_the_order_of_questions() {
    let mut questions: Vec<Obligation> = typical().into_iter().map(|(_, o, _)| o).collect();
    questions.extend((0..25).map(|seed| asks(Formulas::new(seed, false).formula(3))));
    let mut numbered: Vec<(usize, Obligation)> = questions.into_iter().enumerate().collect();
    let mut answers: Option<Vec<Verdict>> = None;
    for round in 0..3 {
        let solver = Solver::new();
        let mut now: Vec<(usize, Verdict)> =
            numbered.iter().map(|(at, question)| (*at, solver.decide(question))).collect();
        now.sort_by_key(|(at, _)| *at);
        let now: Vec<Verdict> = now.into_iter().map(|(_, verdict)| verdict).collect();
        match &answers {
            None => answers = Some(now),
            Some(first) => assert_eq!(first, &now),
        }
        Rng(round).shuffle(&mut numbered);
    }
}

#[test]
fn a_question_with_other_names_is_answered_from_the_cache() {
    let solver = Solver::new();
    for (name, obligation, _) in typical() {
        let first = solver.decide(&obligation);
        let cached = solver.counts().cached;
        assert_eq!(first, solver.decide(&obligation), "{name}");
        assert_eq!(solver.counts().cached, cached + 1, "{name}");
    }
    // The same questions again, all symbols new.
    let cached = solver.counts().cached;
    let again = typical();
    let total = u64::try_from(again.len()).unwrap();
    let fresh = Solver::new();
    for (name, obligation, _) in again {
        let (known, new) = (solver.decide(&obligation), fresh.decide(&obligation));
        assert_eq!(known, new, "{name}");
    }
    assert_eq!(solver.counts().cached, cached + total);
}

#[test]
fn a_step_limit_gives_the_same_answer_each_time() {
    let (x, y, z) = (Sym::fresh("x"), Sym::fresh("y"), Sym::fresh("z"));
    let v = EffExpr::int_var;
    let hard = EffExpr::forall(
        x,
        EffExpr::exists(
            y,
            EffExpr::exists(
                z,
                EffExpr::eq(
                    EffExpr::add(
                        EffExpr::scale(17, EffExpr::modulo(v(y), 19)),
                        EffExpr::scale(23, EffExpr::div(v(z), 29)),
                    ),
                    EffExpr::add(v(x), EffExpr::modulo(EffExpr::sub(v(y), v(z)), 31)),
                ),
            ),
        ),
    );
    let limits = Limits { steps: 2_000, first: Tier::Quantified, cache: false };
    let answers: Vec<Verdict> =
        (0..3).map(|_| Solver::with_limits(limits).decide(&asks(hard.clone()))).collect();
    let spent = "the solver's step limit was reached";
    assert!(matches!(&answers[0], Verdict::Unknown { why } if why == spent), "{:?}", answers[0]);
    assert!(answers.iter().all(|a| *a == answers[0]), "{answers:?}");
}

/// Spec: [rule: smtlib].
#[test]
fn scripts_are_answered_as_their_obligations() {
    let solver = Solver::new();
    let random = (0..60).map(|seed| asks(Formulas::new(seed, false).formula(2)));
    for obligation in typical().into_iter().map(|(_, o, _)| o).chain(random) {
        let script = smtlib::script(&obligation);
        let answer = answer_of_script(&script, 1_000_000);
        match solver.decide(&obligation) {
            Verdict::Proved { .. } => assert_ne!(answer, "sat", "{script}"),
            Verdict::Refuted { .. } => assert_ne!(answer, "unsat", "{script}"),
            Verdict::Unknown { .. } => {}
        }
    }
}

#[test]
fn a_script_names_what_it_asks() {
    let n = Sym::fresh("n");
    let question = asks(EffExpr::lt(EffExpr::int(-1), EffExpr::div(EffExpr::int_var(n), 2)))
        .assuming([EffExpr::le(EffExpr::int(0), EffExpr::int_var(n))]);
    let expected = "; condition: test\n; a formula of a test\n(set-logic LIA)\n(set-info :status unsat)\n\
                    (declare-const n_0 Int)\n\
                    (assert (not (or (< n_0 0) (< (- 1) (div n_0 2)))))\n(check-sat)\n";
    assert_eq!(smtlib::script(&question), expected);
}

#[test]
fn names_of_a_script_are_words_and_differ() {
    let field = EffExpr::global("Cfg".into(), "a".into(), Sort::Int);
    let n = || EffExpr::int_var(Sym::fresh("n'"));
    let question = asks(EffExpr::and([EffExpr::lt(n(), n()), EffExpr::lt(EffExpr::int(0), field)]));
    let script = smtlib::script(&question);
    let declared: Vec<&str> = script.lines().filter(|l| l.starts_with("(declare-const ")).collect();
    assert_eq!(
        declared,
        ["(declare-const n?_0 Int)", "(declare-const n?_1 Int)", "(declare-const Cfg.a_2 Int)"]
    );
}

/// Parts that occur again and again are written once; those that mention what is bound stay where they are.
#[test]
fn a_script_is_not_longer_than_what_it_shares() {
    let (x, y, z, w) = (Sym::fresh("x"), Sym::fresh("y"), Sym::fresh("z"), Sym::fresh("w"));
    let v = EffExpr::int_var;
    let less = EffExpr::lt(v(x), v(y));
    let plus = |s, k| EffExpr::add(v(s), EffExpr::int(k));
    let between = EffExpr::le(EffExpr::add(v(w), v(x)), v(y));
    let bound = EffExpr::exists(
        w,
        EffExpr::and([
            EffExpr::or([between.clone(), less.clone()]),
            EffExpr::or([between, EffExpr::lt(v(y), v(x))]),
        ]),
    );
    let part = EffExpr::and((0..20).map(|k| EffExpr::lt(EffExpr::add(EffExpr::scale(k, v(x)), v(z)), v(y))));
    let large =
        EffExpr::and((0..100).map(|k| EffExpr::or([part.clone(), EffExpr::lt(v(z), EffExpr::int(k))])));
    let one_or_other = |k| [EffExpr::le(v(x), plus(y, k)), EffExpr::le(v(y), plus(x, k))];
    let certain = EffExpr::or([large.clone()].into_iter().chain(one_or_other(2)));
    let doubted = EffExpr::and([large, EffExpr::implies(bound, less)]);
    for (formula, answer) in [(certain, "unsat"), (doubted, "sat")] {
        assert!(formula.size() > 5_000, "{}", formula.size());
        let script = smtlib::script(&asks(formula));
        assert!(script.len() < 10_000 && script.contains("(let ((part_0 "), "{}", script.len());
        assert_eq!(answer_of_script(&script, 1_000_000), answer, "{script}");
    }
}

#[test]
fn the_stage_that_is_to_be_the_first_is_the_first() {
    let (x, y) = (Sym::fresh("x"), Sym::fresh("y"));
    let (x, y) = (EffExpr::int_var(x), EffExpr::int_var(y));
    let less = EffExpr::lt(x.clone(), y.clone());
    let question = EffExpr::implies(less, EffExpr::lt(EffExpr::sub(x, y), EffExpr::int(0)));
    for (first, by) in
        [(Tier::Fast, Tier::Fast), (Tier::Linear, Tier::Linear), (Tier::Quantified, Tier::Linear)]
    {
        let solver = Solver::with_limits(Limits { first, ..Limits::default() });
        assert_eq!(solver.decide_formula(&question), Verdict::Proved { by }, "{first}");
        let counts = solver.counts();
        assert_eq!([counts.fast, counts.linear], if by == Tier::Fast { [1, 0] } else { [0, 1] });
    }
}
