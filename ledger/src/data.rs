//! What the page's script draws from: texts and questions once each, versions as what steps change.

use crate::formula::{Question, question};
use crate::record::{Record, number_of, relation};
use crate::versions::{Edit, Pool, edits};
use rewright_primitives::derivation::{Because, Condition};
use rewright_primitives::ops::of_exo;
use rewright_primitives::registry::Registry;
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::Value;

/// All of it.
#[derive(Serialize)]
pub(crate) struct Data {
    lines: Pool,
    versions: Vec<Version>,
    steps: Vec<Step>,
    conditions: Vec<Asked>,
    questions: Vec<Option<Question>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Version {
    Lines { lines: Vec<usize> },
    Edits { of: usize, edits: Vec<Edit> },
}

#[derive(Serialize)]
struct Step {
    primitive: String,
    args: Vec<Argument>,
    before: usize,
    after: usize,
    conditions: Vec<usize>,
    relation: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rounding: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    modulo: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    took: Option<u64>,
}

/// An argument as text.
#[derive(Serialize)]
pub(crate) struct Argument {
    pub(crate) name: String,
    pub(crate) text: String,
    /// The place in the version before that it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    /// The step that made the version that it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<usize>,
}

#[derive(Serialize)]
struct Asked {
    id: String,
    how: String,
    /// What the primitive asks by this id.
    meaning: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    sentence: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<usize>,
}

impl Data {
    /// What a record holds.
    pub(crate) fn of(record: &Record, primitives: &Registry) -> Data {
        let mut lines = Pool::default();
        let texts: Vec<Vec<usize>> = record.versions.iter().map(|v| lines.lines(&v.text)).collect();
        let version = |(k, v): (usize, &crate::record::Version)| match v.step {
            None => Version::Lines { lines: texts[k].clone() },
            Some(step) => {
                let of = record.steps[step].before;
                Version::Edits { of, edits: edits(&texts[of], &texts[k]) }
            }
        };
        let versions = record.versions.iter().enumerate().map(version).collect();
        let mut asked = Questions::default();
        let steps = record.steps.iter().map(|s| {
            let r = &s.recorded;
            Step {
                primitive: r.primitive.clone(),
                args: arguments(record, &r.args),
                before: s.before,
                after: s.after,
                conditions: r
                    .conditions
                    .iter()
                    .map(|c| asked.condition(c, meaning(primitives, &r.primitive, &c.id)))
                    .collect(),
                relation: relation(r).to_owned(),
                rounding: r.rounding.clone(),
                modulo: r.modulo.clone(),
                took: r.took,
            }
        });
        let steps = steps.collect();
        Data { lines, versions, steps, conditions: asked.conditions, questions: asked.questions }
    }

    /// As JSON that may stand in an HTML element.
    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default().replace('<', "\\u003c")
    }
}

/// The arguments of a step.
pub(crate) fn arguments(record: &Record, args: &[(String, Value)]) -> Vec<Argument> {
    let of = |(name, value): &(String, Value)| {
        let version = value.get("version").and_then(number_of).and_then(|n| record.argument(n));
        Argument {
            name: name.clone(),
            text: text(record, value),
            at: value.get("at").and_then(Value::as_str).map(str::to_owned),
            step: version.and_then(|v| record.versions[v].step),
        }
    };
    args.iter().map(of).collect()
}

fn text(record: &Record, value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(n) => n.to_string(),
        Value::String(text) => format!("{text:?}"),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|v| text(record, v)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(fields) => match fields.iter().next() {
            Some((key, inner)) => match (key.as_str(), inner) {
                ("at" | "proc" | "config", Value::String(text)) => text.clone(),
                ("version", inner) => version(record, number_of(inner)),
                ("named", Value::Array(pairs)) => {
                    let pair = |p: &Value| {
                        let name = p.get(0).and_then(Value::as_str).unwrap_or_default();
                        format!("{name}={}", text(record, p.get(1).unwrap_or(&Value::Null)))
                    };
                    pairs.iter().map(pair).collect::<Vec<_>>().join(", ")
                }
                _ => value.to_string(),
            },
            None => "{}".to_owned(),
        },
    }
}

/// `gemm, step 17`
fn version(record: &Record, number: Option<usize>) -> String {
    let root = number.and_then(|n| record.name_of_argument(n)).unwrap_or_default();
    match number.and_then(|n| record.argument(n)).and_then(|v| record.versions[v].step) {
        Some(step) => format!("{root} as of step {}", step + 1),
        None => root.to_owned(),
    }
}

fn meaning(primitives: &Registry, primitive: &str, id: &str) -> &'static str {
    let found = primitives.by_name(primitive).or_else(|| of_exo(primitive)).and_then(|p| p.condition(id));
    found.map_or("", |c| c.sentence)
}

/// Conditions and questions, each once.
#[derive(Default)]
struct Questions {
    conditions: Vec<Asked>,
    questions: Vec<Option<Question>>,
    known: FxHashMap<(String, String, String, &'static str), usize>,
    scripts: FxHashMap<String, usize>,
}

impl Questions {
    fn condition(&mut self, c: &Condition, meaning: &'static str) -> usize {
        let (how, sentence, smt2) = match &c.because {
            Because::Syntax => ("syntax", None, None),
            Because::Omitted => ("omitted", None, None),
            Because::Postponed(what) => ("postponed", Some(what), None),
            Because::Solver { sentence, tier, smt2 } => (tier.as_str(), Some(sentence), Some(smt2)),
        };
        let key = (c.id.clone(), how.to_owned(), smt2.or(sentence).cloned().unwrap_or_default(), meaning);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let asked = Asked {
            id: c.id.clone(),
            how: how.to_owned(),
            sentence: sentence.cloned(),
            meaning,
            question: smt2.map(|smt2| self.question(smt2)),
        };
        self.conditions.push(asked);
        self.known.insert(key, self.conditions.len() - 1);
        self.conditions.len() - 1
    }

    /// The number of a question; what stands in comments plays no part.
    fn question(&mut self, smt2: &str) -> usize {
        let plain: Vec<&str> = smt2.lines().filter(|line| !line.starts_with(';')).collect();
        let plain = plain.join("\n");
        if let Some(known) = self.scripts.get(&plain) {
            return *known;
        }
        self.questions.push(question(&plain));
        self.scripts.insert(plain, self.questions.len() - 1);
        self.questions.len() - 1
    }
}
