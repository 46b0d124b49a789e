//! Every case of `corpus/conditions`: the verdict is the expected one, and the interpreter bears it out. Spec:
//! [rule: conditions.table].
//!
//! One named test per case; adding a case is adding a few lines to a file. `Unknown` is never right.

#![expect(clippy::print_stdout, reason = "tests report what they covered")]

use libtest_mimic::{Arguments, Failed, Trial};
use rewright_effects::obligation::{Model, Verdict};
use rewright_effects::solver::Solver;
use rewright_testsuite::table::{CONDITIONS, Case, Expect, Found, cases, confirm};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many counterexamples the interpreter confirmed with the very values of the model, and near them.
static CONFIRMED: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

fn main() {
    let args = Arguments::from_args();
    let all = cases();
    let mut trials: Vec<Trial> = all
        .iter()
        .map(|case| {
            let case = case.clone();
            let name = format!("{}: {}", case.condition, case.name);
            Trial::test(name, move || check(&case).map_err(Failed::from))
        })
        .collect();
    trials.push(Trial::test("the table is large and has every condition", move || complete(&all)));
    let conclusion = libtest_mimic::run(&args, trials);
    let [exactly, near] = CONFIRMED.each_ref().map(|n| n.load(Ordering::Relaxed));
    println!("counterexamples confirmed: {exactly} with the values of the model, {near} near them");
    conclusion.exit();
}

fn complete(all: &[Case]) -> Result<(), Failed> {
    let mut counts: BTreeMap<&str, [usize; 2]> = CONDITIONS.iter().map(|c| (*c, [0, 0])).collect();
    let mut names: Vec<(&str, &str)> = all.iter().map(|c| (c.condition.as_str(), c.name.as_str())).collect();
    for case in all {
        let Some(count) = counts.get_mut(case.condition.as_str()) else {
            return Err(format!("there is no condition `{}`", case.condition).into());
        };
        count[usize::from(case.expect != Expect::Proved)] += 1;
    }
    names.sort_unstable();
    if let Some(twice) = names.windows(2).find(|w| w[0] == w[1]) {
        return Err(format!("two cases are called {:?}", twice[0]).into());
    }
    let total = |at: usize| counts.values().map(|c| c[at]).sum::<usize>();
    let few: Vec<_> = counts.iter().filter(|(_, c)| c[0] < 5 || c[1] < 5).collect();
    let text = format!("proved {}, refuted {}: {counts:?}", total(0), total(1));
    println!("{text}");
    if total(0) >= 150 && total(1) >= 150 && few.is_empty() { Ok(()) } else { Err(text.into()) }
}

fn check(case: &Case) -> Result<(), String> {
    let program = case.read()?;
    let question = program.question(&case.condition)?;
    let solver = Solver::new();
    let mut refuted: Option<(String, Model)> = None;
    for ob in &question.obligations {
        match solver.decide(ob) {
            Verdict::Proved { .. } => {}
            Verdict::Refuted { model } => {
                if case.expect == Expect::Proved {
                    return Err(format!("{} is refuted: {model}\n{}", ob.id, ob.sentence_formula()));
                }
                refuted.get_or_insert((ob.id.to_string(), model));
            }
            Verdict::Unknown { why } => {
                return Err(format!("{} is unknown: {why}\n{}", ob.id, ob.sentence_formula()));
            }
        }
    }
    let (id, model) = match (&case.expect, refuted) {
        (Expect::Proved, _) => return agree(&question.pairs),
        (Expect::Refuted(_), None) => return Err("everything is proved".into()),
        (Expect::Refuted(_), Some(found)) => found,
    };
    if case.expect != Expect::Refuted(id.clone()) {
        return Err(format!("refuted is {id}: {model}"));
    }
    for pair in &question.pairs {
        if let Found::Differs { at_the_model, how: _ } = confirm(pair, &model)? {
            CONFIRMED[usize::from(!at_the_model)].fetch_add(1, Ordering::Relaxed);
            return Ok(());
        }
    }
    Err(format!("{id} is refuted, and the interpreter finds no difference near {model}"))
}

fn agree(pairs: &[rewright_testsuite::table::Pair]) -> Result<(), String> {
    for pair in pairs {
        match confirm(pair, &Model::default())? {
            Found::Differs { how, .. } => return Err(format!("proved, and wrong: {how}")),
            Found::Agrees(0) => return Err("the program never runs without an error".into()),
            Found::Agrees(_) => {}
        }
    }
    Ok(())
}
