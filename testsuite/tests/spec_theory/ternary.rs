//! Blocks `ternary`: lines `formula is value`. The solver proves each for all values of the variables, and the direct
//! evaluator finds it for some.

use crate::blocks::Block;
use crate::formula::parse_any;
use crate::lines::lines;
use rewright_effects::effexpr::{EffExpr, Sort};
use rewright_effects::obligation::{ConditionId, Obligation};
use rewright_effects::solver::Solver;
use rewright_effects::ternary::{Assignment, TernaryValue, Truth, eval};

/// Values tried by the evaluator.
const TRIED: [i64; 4] = [-7, 0, 1, 6];

/// What its quantifiers range over. The examples are decided by values in this range.
const DOMAIN: std::ops::Range<i64> = -12..13;

pub(crate) fn run(block: &Block) -> Result<(), String> {
    for line in lines(&block.text, &[" is "])? {
        let said = line.said.split("  #").next().unwrap_or_default().trim();
        let ee = parse_any(&line.quantity)?;
        let value = value(said, ee.sort())?;
        if !valid(&claim(&ee, value)) {
            return Err(format!("the solver does not prove that `{}` is {said}", line.quantity));
        }
        for assignment in assignments(&ee) {
            let found = eval(&ee, &assignment, DOMAIN);
            if found != value {
                return Err(format!("`{}` evaluates to {found:?} under {assignment:?}", line.quantity));
            }
        }
    }
    Ok(())
}

fn value(text: &str, sort: Sort) -> Result<TernaryValue, String> {
    match (text, sort) {
        ("⊥", sort) => Ok(TernaryValue::unknown(sort)),
        ("true", Sort::Bool) => Ok(TernaryValue::Bool(Truth::True)),
        ("false", Sort::Bool) => Ok(TernaryValue::Bool(Truth::False)),
        (number, _) => {
            number.parse().map(|v| TernaryValue::Int(Some(v))).map_err(|_| format!("`{text}` is no value"))
        }
    }
}

/// `ee` has the value, as a sentence of two values.
fn claim(ee: &EffExpr, value: TernaryValue) -> EffExpr {
    let no = |p: EffExpr| EffExpr::not(EffExpr::definitely(p));
    match value {
        TernaryValue::Bool(Truth::True) => EffExpr::definitely(ee.clone()),
        TernaryValue::Bool(Truth::False) => EffExpr::definitely(EffExpr::not(ee.clone())),
        TernaryValue::Bool(Truth::Unknown) => EffExpr::and([no(ee.clone()), EffExpr::maybe(ee.clone())]),
        TernaryValue::Int(Some(v)) => {
            let v = i64::try_from(v).unwrap_or(i64::MAX);
            EffExpr::definitely(EffExpr::eq(ee.clone(), EffExpr::int(v)))
        }
        TernaryValue::Int(None) => no(EffExpr::eq(ee.clone(), ee.clone())),
    }
}

fn valid(p: &EffExpr) -> bool {
    let asked = Obligation::new(ConditionId("spec"), "what the text says", p.clone());
    Solver::new().decide(&asked).is_proved()
}

/// Some values for the variables.
fn assignments(ee: &EffExpr) -> Vec<Assignment> {
    let mut out = vec![Assignment::new()];
    for (var, sort) in ee.free_vars_sorted() {
        let values: Vec<TernaryValue> = match sort {
            Sort::Int => TRIED.iter().map(|v| TernaryValue::Int(Some(i128::from(*v)))).collect(),
            Sort::Bool => [Truth::True, Truth::False].map(TernaryValue::Bool).into(),
        };
        let with = |a: &Assignment| {
            let a = a.clone();
            let each =
                values.iter().map(move |v| a.iter().map(|(x, w)| (*x, *w)).chain([(var, *v)]).collect());
            each.collect::<Vec<Assignment>>()
        };
        out = out.iter().flat_map(with).collect();
    }
    out
}
