//! Location sets in the notation of the chapters, and membership of single places.

use crate::formula;
use rewright_effects::effexpr::{EffExpr, Sort};
use rewright_effects::locset::{Loc, LocSet};
use rewright_effects::ternary::{Assignment, TernaryValue, Truth, eval};

/// What quantifiers range over where membership is evaluated: more than the cells of any example.
const DOMAIN: std::ops::Range<i64> = -20..21;

/// A set as text.
pub(crate) fn set(l: &LocSet) -> String {
    match l {
        LocSet::Empty => "∅".to_owned(),
        LocSet::Cell(loc) => format!("{{{loc}}}"),
        LocSet::Union(ls) => ls.iter().map(operand).collect::<Vec<_>>().join(" ∪ "),
        LocSet::BigUnion(x, l) => format!("⋃{x}. {}", set(l)),
        LocSet::Inter(a, b) => format!("{} ∩ {}", operand(a), operand(b)),
        LocSet::Diff(a, b) => format!("{} - {}", operand(a), operand(b)),
        LocSet::Filter(ee, l) => format!("filter({ee}, {})", set(l)),
    }
}

fn operand(l: &LocSet) -> String {
    match l {
        LocSet::Empty | LocSet::Cell(_) | LocSet::Filter(..) => set(l),
        LocSet::Union(_) | LocSet::BigUnion(..) | LocSet::Inter(..) | LocSet::Diff(..) => {
            format!("({})", set(l))
        }
    }
}

/// The truth of `place ∈ set` under `n = 3, …`.
///
/// # Errors
/// A place or values that cannot be read, or a variable without a value.
pub(crate) fn member(place: &str, l: &LocSet, values: &str) -> Result<String, String> {
    let (base, idx) = match place.strip_suffix(']').and_then(|p| p.split_once('[')) {
        Some((base, idx)) => (base, idx.split(',').map(|i| formula::parse(i.trim(), Sort::Int)).collect()),
        None => (place, Ok(Vec::new())),
    };
    let idx: Vec<EffExpr> = idx?;
    let found = l.bases().into_keys().find(|b| b.to_string() == base);
    let Some(base) = found else { return Ok("false".to_owned()) };
    let inside = l.contains(&Loc { base, idx: idx.into() });
    let mut assignment = Assignment::new();
    for var in inside.free_vars() {
        let name = var.to_string();
        let mut said = values.split(',').filter_map(|v| v.split_once('='));
        let value = said.find(|(x, _)| x.trim() == name).map(|(_, v)| v.trim());
        assignment.insert(var, constant(value.ok_or_else(|| format!("`{name}` has no value"))?)?);
    }
    Ok(truth(eval(&inside, &assignment, DOMAIN)).to_owned())
}

fn constant(text: &str) -> Result<TernaryValue, String> {
    match text {
        "true" => Ok(TernaryValue::Bool(Truth::True)),
        "false" => Ok(TernaryValue::Bool(Truth::False)),
        _ => text.parse().map(|v| TernaryValue::Int(Some(v))).map_err(|_| format!("`{text}` is no value")),
    }
}

fn truth(v: TernaryValue) -> &'static str {
    match v {
        TernaryValue::Bool(Truth::True) => "true",
        TernaryValue::Bool(Truth::False) => "false",
        TernaryValue::Bool(Truth::Unknown) | TernaryValue::Int(_) => "⊥",
    }
}
