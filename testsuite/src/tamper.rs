//! Changes to a derivation that someone might make who wants it to say something else, or who makes a mistake. The
//! digest always fits afterwards. Spec: [rule: audit].

use rewright_campaign::rng::Rng;
use rewright_primitives::derivation::Derivation;
use serde_json::{Value, json};
use std::fmt;

/// What is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tampering {
    /// A step is gone.
    DroppedStep,
    /// A step comes twice.
    DoubledStep,
    /// Two steps change places.
    SwappedSteps,
    /// The steps of a schedule come in another order, or from the end.
    ReorderedSteps,
    /// A step is replaced by another one, of this derivation or of another.
    ReplacedStep,
    /// A schedule is gone.
    DroppedChain,
    /// A schedule comes twice, under its own name or under another one.
    DoubledChain,
    /// Two schedules change places.
    SwappedChains,
    /// A schedule has another's name, or a new one.
    Binding,
    /// A schedule of another derivation.
    ForeignChain,
    /// Of the versions that steps take, one is gone, comes twice, or changes places; or a step takes another one.
    Argument,
    /// The definitions and the script are those of another derivation.
    ForeignDefinitions,
    /// A character, a word or a line of definitions or script.
    Definitions,
    /// The same in the text of a version.
    Version,
    /// The same in the question that a solver was asked.
    Question,
    /// A condition is gone, comes twice, or changes places with another one.
    Conditions,
    /// Anything in the JSON.
    Node,
    /// There is no schedule left.
    Empty,
}

impl Tampering {
    /// Every kind.
    pub const ALL: [Tampering; 18] = [
        Tampering::DroppedStep,
        Tampering::DoubledStep,
        Tampering::SwappedSteps,
        Tampering::ReorderedSteps,
        Tampering::ReplacedStep,
        Tampering::DroppedChain,
        Tampering::DoubledChain,
        Tampering::SwappedChains,
        Tampering::Binding,
        Tampering::ForeignChain,
        Tampering::Argument,
        Tampering::ForeignDefinitions,
        Tampering::Definitions,
        Tampering::Version,
        Tampering::Question,
        Tampering::Conditions,
        Tampering::Node,
        Tampering::Empty,
    ];
}

impl fmt::Display for Tampering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Tampering::DroppedStep => "a step is gone",
            Tampering::DoubledStep => "a step comes twice",
            Tampering::SwappedSteps => "two steps are swapped",
            Tampering::ReorderedSteps => "the steps are reordered",
            Tampering::ReplacedStep => "a step is replaced",
            Tampering::DroppedChain => "a schedule is gone",
            Tampering::DoubledChain => "a schedule comes twice",
            Tampering::SwappedChains => "two schedules are swapped",
            Tampering::Binding => "a schedule has another name",
            Tampering::ForeignChain => "a schedule of another file",
            Tampering::Argument => "another version is taken",
            Tampering::ForeignDefinitions => "the definitions of another file",
            Tampering::Definitions => "edited definitions",
            Tampering::Version => "an edited version",
            Tampering::Question => "an edited question",
            Tampering::Conditions => "other conditions",
            Tampering::Node => "anything in the JSON",
            Tampering::Empty => "nothing is left",
        })
    }
}

/// A derivation after a change of this kind, as JSON with a digest that fits; `None` where it has nothing of the kind,
/// or where the change left it as it was. What does not read as a derivation has no digest.
pub fn tampered(rng: &mut Rng, d: &Derivation, other: &Derivation, kind: Tampering) -> Option<Value> {
    let whole = serde_json::to_value(d).ok()?;
    let foreign = serde_json::to_value(other).ok()?;
    let mut changed = whole.clone();
    change(rng, &mut changed, &foreign, kind)?;
    if changed == whole {
        return None;
    }
    if let Ok(read) = serde_json::from_value::<Derivation>(changed.clone()) {
        changed["digest"] = json!(read.digest_of_content());
    }
    Some(changed)
}

fn change(rng: &mut Rng, d: &mut Value, foreign: &Value, kind: Tampering) -> Option<()> {
    match kind {
        Tampering::DroppedStep => {
            let steps = list(rng, d, "steps", 1)?;
            drop_one(rng, steps)
        }
        Tampering::DoubledStep => {
            let steps = list(rng, d, "steps", 1)?;
            double_one(rng, steps)
        }
        Tampering::SwappedSteps => {
            let steps = list(rng, d, "steps", 2)?;
            swap_two(rng, steps)
        }
        Tampering::ReorderedSteps => {
            let steps = list(rng, d, "steps", 2)?;
            let by = 1 + rng.below(steps.len() - 1);
            if rng.chance(50) {
                steps.rotate_left(by)
            } else {
                steps.reverse()
            }
            Some(())
        }
        Tampering::ReplacedStep => {
            let from = if rng.chance(50) { d.clone() } else { foreign.clone() };
            let steps = places(&from, &|name, _| name == "steps");
            let steps = from.pointer(rng.pick(&steps)?)?.as_array()?;
            let with = rng.pick(steps)?.clone();
            let steps = list(rng, d, "steps", 1)?;
            let k = rng.below(steps.len());
            *steps.get_mut(k)? = with;
            Some(())
        }
        Tampering::DroppedChain => drop_one(rng, d.get_mut("chains")?.as_array_mut()?),
        Tampering::DoubledChain => {
            let chains = d.get_mut("chains")?.as_array_mut()?;
            double_one(rng, chains)?;
            if rng.chance(50) {
                chains.last_mut()?["binding"] = json!("again");
            }
            Some(())
        }
        Tampering::SwappedChains => swap_two(rng, d.get_mut("chains")?.as_array_mut()?),
        Tampering::Binding => {
            let chains = d.get("chains")?.as_array()?.clone();
            let named = rng.pick(&chains)?.get("binding")?.clone();
            let chains = d.get_mut("chains")?.as_array_mut()?;
            let k = rng.below(chains.len());
            chains.get_mut(k)?["binding"] = if rng.chance(40) { json!("q0") } else { named };
            Some(())
        }
        Tampering::ForeignChain => {
            let with = rng.pick(foreign.get("chains")?.as_array()?)?.clone();
            let chains = d.get_mut("chains")?.as_array_mut()?;
            let k = rng.below(chains.len() + 1);
            if rng.chance(50) && k < chains.len() {
                *chains.get_mut(k)? = with;
            } else {
                chains.insert(k, with);
            }
            Some(())
        }
        Tampering::Argument => match rng.below(4) {
            0 => drop_one(rng, d.get_mut("versions")?.as_array_mut()?),
            1 => double_one(rng, d.get_mut("versions")?.as_array_mut()?),
            2 => swap_two(rng, d.get_mut("versions")?.as_array_mut()?),
            _ => {
                let count = d.get("versions")?.as_array()?.len();
                let numbers = places(d, &|name, v| matches!(name, "version" | "source") && v.is_number());
                let at = rng.pick(&numbers)?;
                *d.pointer_mut(at)? = json!(rng.below(count + 1));
                Some(())
            }
        },
        Tampering::ForeignDefinitions => {
            d["definitions"] = foreign.get("definitions")?.clone();
            Some(())
        }
        Tampering::Definitions => edit(rng, d.get_mut("definitions")?),
        Tampering::Version => {
            let texts = places(d, &|name, _| name == "after");
            let at = rng.pick(&texts)?;
            edit(rng, d.pointer_mut(at)?)
        }
        Tampering::Question => {
            let texts = places(d, &|name, _| matches!(name, "smt2" | "sentence"));
            let at = rng.pick(&texts)?;
            edit(rng, d.pointer_mut(at)?)
        }
        Tampering::Conditions => {
            let conditions = list(rng, d, "conditions", 1)?;
            match rng.below(3) {
                0 => drop_one(rng, conditions),
                1 => double_one(rng, conditions),
                _ => swap_two(rng, conditions),
            }
        }
        Tampering::Node => node(rng, d, foreign),
        Tampering::Empty => {
            match rng.below(3) {
                0 => d["chains"] = json!([]),
                1 => list(rng, d, "steps", 1)?.clear(),
                _ => {
                    d["chains"] = json!([]);
                    d["definitions"] = json!("");
                }
            }
            Some(())
        }
    }
}

/// Paths to the values that `wanted` says are such, by the name that they have in their object.
fn places(v: &Value, wanted: &dyn Fn(&str, &Value) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    walk(v, "", &mut String::new(), wanted, &mut found);
    found
}

fn walk(
    v: &Value,
    name: &str,
    path: &mut String,
    wanted: &dyn Fn(&str, &Value) -> bool,
    found: &mut Vec<String>,
) {
    if !path.is_empty() && wanted(name, v) {
        found.push(path.clone());
    }
    let length = path.len();
    let inner: Vec<(String, &Value)> = match v {
        Value::Array(items) => items.iter().enumerate().map(|(k, v)| (k.to_string(), v)).collect(),
        Value::Object(fields) => fields.iter().map(|(k, v)| (k.clone(), v)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    };
    for (key, v) in inner {
        path.push('/');
        path.push_str(&key.replace('~', "~0").replace('/', "~1"));
        walk(v, &key, path, wanted, found);
        path.truncate(length);
    }
}

/// One of the lists of this name that have so many elements, wherever it is.
fn list<'d>(rng: &mut Rng, d: &'d mut Value, name: &str, least: usize) -> Option<&'d mut Vec<Value>> {
    let long = |v: &Value| v.as_array().is_some_and(|items| items.len() >= least);
    let found = places(d, &|key, v| key == name && long(v));
    d.pointer_mut(rng.pick(&found)?)?.as_array_mut()
}

fn drop_one(rng: &mut Rng, items: &mut Vec<Value>) -> Option<()> {
    let k = rng.below(items.len());
    (!items.is_empty()).then(|| drop(items.remove(k)))
}

fn double_one(rng: &mut Rng, items: &mut Vec<Value>) -> Option<()> {
    let k = rng.below(items.len());
    let again = items.get(k)?.clone();
    let to = if rng.chance(50) { items.len() } else { k };
    items.insert(to, again);
    Some(())
}

fn swap_two(rng: &mut Rng, items: &mut [Value]) -> Option<()> {
    let (a, b) = (rng.below(items.len()), rng.below(items.len()));
    (a != b).then(|| items.swap(a, b))
}

/// Removes, doubles or replaces any value, or changes what it says.
fn node(rng: &mut Rng, d: &mut Value, foreign: &Value) -> Option<()> {
    let all = places(d, &|name, _| name != "digest");
    let path = rng.pick(&all)?.clone();
    let (parent, key) = path.rsplit_once('/')?;
    match (rng.below(4), d.pointer_mut(parent)?) {
        (0, Value::Object(fields)) => fields.remove(key).map(drop),
        (0, Value::Array(items)) => {
            items.remove(key.parse().ok()?);
            Some(())
        }
        (1, Value::Array(items)) => {
            let k: usize = key.parse().ok()?;
            let again = items.get(k)?.clone();
            items.insert(k, again);
            Some(())
        }
        (2, _) => {
            // Something of the same sort, from anywhere.
            let from = if rng.chance(50) { d.clone() } else { foreign.clone() };
            let old = d.pointer(&path)?;
            let sort = std::mem::discriminant(old);
            let alike = places(&from, &|name, v| std::mem::discriminant(v) == sort && name != "digest");
            let with = from.pointer(rng.pick(&alike)?)?.clone();
            *d.pointer_mut(&path)? = with;
            Some(())
        }
        _ => edit(rng, d.pointer_mut(&path)?),
    }
}

/// Changes what a value says.
fn edit(rng: &mut Rng, v: &mut Value) -> Option<()> {
    *v = match v {
        Value::Null => json!(1),
        Value::Bool(b) => json!(!*b),
        Value::Number(n) => json!(n.as_i64()? + [1, -1, 8].get(rng.below(3))?),
        Value::String(text) => json!(edited(rng, text)),
        Value::Array(_) => json!([]),
        Value::Object(_) => return None,
    };
    Some(())
}

/// A text with a small change.
fn edited(rng: &mut Rng, text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let (a, b) = (rng.below(lines.len()), rng.below(lines.len()));
    match rng.below(8) {
        0 if lines.len() > 1 => drop(lines.remove(a)),
        1 if !lines.is_empty() => lines.insert(b, lines.get(a).cloned().unwrap_or_default()),
        2 if !lines.is_empty() => lines.swap(a, b),
        3 => return replaced(rng, text, "0123456789", "0123456789"),
        4 => return replaced(rng, text, "+-*<>=", "+-*<>"),
        5 => {
            let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
            let words: Vec<&str> = words.into_iter().filter(|w| !w.is_empty()).collect();
            return match (rng.pick(&words), rng.pick(&words)) {
                (Some(a), Some(b)) => text.replacen(a, b, 1 + rng.below(3)),
                _ => format!("{text}x"),
            };
        }
        6 => lines.insert(a, "# a remark".to_owned()),
        _ => {
            let places: Vec<usize> = text.char_indices().map(|(k, _)| k).collect();
            let mut out = text.to_owned();
            if let Some(k) = rng.pick(&places) {
                out.remove(*k);
            }
            return out;
        }
    }
    lines.join("\n") + "\n"
}

/// One of these characters becomes another.
fn replaced(rng: &mut Rng, text: &str, from: &str, to: &str) -> String {
    let places: Vec<usize> = text.char_indices().filter(|(_, c)| from.contains(*c)).map(|(k, _)| k).collect();
    let with: Vec<char> = to.chars().collect();
    match (rng.pick(&places), rng.pick(&with)) {
        (Some(k), Some(c)) => {
            let mut out = text.to_owned();
            out.replace_range(*k..k + 1, &c.to_string());
            out
        }
        _ => text.to_owned(),
    }
}
