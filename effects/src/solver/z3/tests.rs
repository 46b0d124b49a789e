//! Questions that are asked case by case get the answer that they have on a small box of values.

use super::{Outcome, ask, cases, satisfiable};
use crate::effexpr::{EffExpr, Node, Var};
use crate::obligation::ModelValue;
use crate::solver::tests::Rng;
use crate::ternary::{Assignment, TernaryValue, Truth, eval};
use rewright_semantics::sym::{Name, Sym};

const VARS: usize = 3;
const MOST: i64 = 3;

impl Rng {
    fn atom(&mut self, xs: &[Sym]) -> EffExpr {
        let term = xs.iter().fold(EffExpr::int(self.small(-4, 8)), |sum, x| {
            EffExpr::add(sum, EffExpr::scale(self.small(-4, 4), EffExpr::int_var(*x)))
        });
        if self.one_in(3) { EffExpr::eq(term, EffExpr::int(0)) } else { EffExpr::le(term, EffExpr::int(0)) }
    }

    fn small(&mut self, low: i64, high: i64) -> i64 {
        i64::try_from(self.between(low.into(), high.into())).expect("between two of them")
    }

    /// A conjunction of atoms and disjunctions, which are of such conjunctions.
    fn conjunction(&mut self, xs: &[Sym], depth: u32) -> EffExpr {
        let atoms = self.small(1, 2);
        let mut parts: Vec<EffExpr> = (0..atoms).map(|_| self.atom(xs)).collect();
        for _ in 0..if depth == 0 { 0 } else { self.small(1, 2) } {
            let n = self.small(2, 4);
            parts.push(EffExpr::or((0..n).map(|_| self.conjunction(xs, depth - 1)).collect::<Vec<_>>()));
        }
        EffExpr::and(parts)
    }
}

fn boxed(xs: &[Sym]) -> Vec<EffExpr> {
    let at_least = |x: &Sym| EffExpr::le(EffExpr::int(-MOST), EffExpr::int_var(*x));
    let at_most = |x: &Sym| EffExpr::le(EffExpr::int_var(*x), EffExpr::int(MOST));
    xs.iter().flat_map(|x| [at_least(x), at_most(x)]).collect()
}

fn holds(formula: &EffExpr, values: &Assignment) -> bool {
    eval(formula, values, 0..1) == TernaryValue::Bool(Truth::True)
}

/// Whether some values in the box satisfy a formula.
fn is_satisfiable(formula: &EffExpr, xs: &[Sym]) -> bool {
    let side = 2 * MOST + 1;
    (0..side.pow(u32::try_from(VARS).expect("few"))).any(|code| {
        let value = |i: usize| code / side.pow(u32::try_from(i).expect("few")) % side - MOST;
        let values = xs
            .iter()
            .enumerate()
            .map(|(i, x)| (Var::Local(*x), TernaryValue::Int(Some(value(i).into()))))
            .collect();
        holds(formula, &values)
    })
}

#[test]
fn answers_case_by_case_are_those_of_a_small_box() {
    let mut rng = Rng(2026);
    let xs: Vec<Sym> = (0..VARS).map(|i| Sym::fresh(Name::new(&format!("x{i}")))).collect();
    let (mut yes, mut no) = (0, 0);
    for _ in 0..60 {
        let parts = [boxed(&xs), vec![rng.conjunction(&xs, 2)]].concat();
        let formula = EffExpr::and(parts);
        let limit = u32::try_from(rng.small(100, 3099)).expect("small");
        if !matches!(ask(&formula, limit), Outcome::Unknown(_)) {
            continue;
        }
        match satisfiable(&formula, limit) {
            Outcome::Unsatisfiable => {
                assert!(!is_satisfiable(&formula, &xs), "{formula}");
                no += 1;
            }
            Outcome::Satisfiable(model) => {
                let mut values: Assignment =
                    xs.iter().map(|x| (Var::Local(*x), TernaryValue::Int(Some(0)))).collect();
                for (v, value) in model {
                    let ModelValue::Int(n) = value else { panic!("{v:?} is an integer") };
                    values.insert(v, TernaryValue::Int(Some(n.into())));
                }
                assert!(holds(&formula, &values), "{formula}");
                yes += 1;
            }
            Outcome::Unknown(_) => {}
        }
    }
    println!("decided case by case: {yes} satisfiable, {no} not");
    assert!(yes >= 5 && no >= 5, "{yes} satisfiable, {no} not");
}

#[test]
fn cases_are_those_of_the_longest_disjunction() {
    let x = EffExpr::int_var(Sym::fresh(Name::new("x")));
    let is = |n: i64| EffExpr::eq(x.clone(), EffExpr::int(n));
    let (two, three) = (EffExpr::or([is(1), is(2)]), EffExpr::or([is(3), is(4), is(5)]));
    let all = cases(&EffExpr::and([two.clone(), three]));
    let wanted = [3, 4, 5].map(|n| EffExpr::and([two.clone(), is(n)]));
    assert_eq!(all, wanted);
    assert!(cases(&two).is_empty(), "a disjunction alone is no conjunction");
    assert!(matches!(two.node(), Node::Or(_)));
}
