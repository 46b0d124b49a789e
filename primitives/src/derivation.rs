//! Derivations: the record of a schedule that someone else can check. Spec: [rule: derivations].
//!
//! [`record`] writes down how versions came about; [`audit`](audit::audit) makes them again from the definitions
//! and compares all that was written down.

mod accepted;
pub mod audit;
pub mod called;
pub mod lineage;
mod names;
mod replay;
mod texts;
mod twice;
mod used;
mod values;

use crate::script::Run;
use crate::version::{Discharged, Proc, Reason, Relation, Step, VersionId};
use called::Called;
use lineage::Lineages;
use names::Names;
use rewright_effects::obligation::Verdict;
use rewright_effects::solver::smtlib;
use rewright_semantics::pretty::VersionPrinter;
use rewright_semantics::syntax::fold::Form;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::io::Write;

/// The version of the format.
pub const FORMAT: u32 = 2;

/// The record of schedules over the definitions of one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Derivation {
    /// [`FORMAT`].
    pub format: u32,
    /// The definitions, as they were written; scheduling lines among them are not looked at.
    pub definitions: String,
    /// What variables of the definitions are called that are printed there under other names.
    #[serde(default, skip_serializing_if = "Called::is_empty")]
    pub called: Called,
    /// The chains of the versions that steps take as arguments and that procedures were extracted from. Each is there once,
    /// named by its number, and after all that it takes itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<Chain>,
    /// One for each procedure that was scheduled.
    pub chains: Vec<Chain>,
    /// [`Derivation::digest_of_content`], so that no change of what is written goes unnoticed.
    pub digest: String,
}

impl Derivation {
    /// Reads the JSON text of a derivation.
    ///
    /// # Errors
    /// Why it is none.
    pub fn of_json(text: &str) -> Result<Derivation, String> {
        if let Some(why) = no_object(text) {
            return Err(why);
        }
        let read = serde_json::from_str(text);
        read.map_err(|why| {
            twice::twice(text).map_or_else(|| shown(&why.to_string()), |found| found.to_string())
        })
    }

    /// The same, where the definitions are printed and some variables are called otherwise.
    #[must_use]
    pub fn calling(mut self, called: Called) -> Derivation {
        self.called = called;
        self.digest = self.digest_of_content();
        self
    }

    /// 64 bits that depend on all of the definitions, versions and chains (FNV-1a over their JSON text).
    pub fn digest_of_content(&self) -> String {
        let content = (&self.definitions, &self.versions, &self.chains);
        let mut digest = Fnv::default();
        // Writing cannot fail: the digest takes everything, and every key is a string.
        let _ = serde_json::to_writer(&mut digest, &content);
        if !self.called.is_empty() {
            let _ = serde_json::to_writer(&mut digest, &self.called);
        }
        format!("{:016x}", digest.0)
    }
}

/// The digest FNV-1a of what is written to it.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Write for Fnv {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 = bytes.iter().fold(self.0, step);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// What a file is that holds no JSON object, where a reader of JSON would speak of its columns or of types.
fn no_object(text: &str) -> Option<String> {
    if text.starts_with('\u{feff}') {
        return Some("it begins with a byte order mark (U+FEFF), which JSON does not have".to_owned());
    }
    match text.trim_start().chars().next() {
        None => Some("there is nothing in it".to_owned()),
        Some('{') => None,
        Some(_) => serde_json::from_str::<serde_json::Value>(text).ok().map(|value| {
            let kind = match value {
                serde_json::Value::Null => "`null`",
                serde_json::Value::Bool(_) => "a Boolean",
                serde_json::Value::Number(_) => "a number",
                serde_json::Value::String(_) => "a string",
                serde_json::Value::Array(_) => "an array",
                serde_json::Value::Object(_) => "an object",
            };
            format!("it is {kind}, and a derivation is an object")
        }),
    }
}

/// The steps from a definition to a version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chain {
    /// The name that the version was bound to; empty for one of [`Derivation::versions`].
    pub binding: String,
    /// The definition that it begins with.
    pub root: String,
    /// Where that was made of another procedure's statements: the version that calls it, one of [`Derivation::versions`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<usize>,
    /// Where it was: the procedure that the chain begins with, in surface syntax.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begins: Option<String>,
    /// The steps.
    pub steps: Vec<Recorded>,
}

impl Chain {
    /// Whether it begins with a procedure that was extracted, and does not say which.
    fn lacks_beginning(&self) -> bool {
        self.source.is_some() && self.begins.is_none()
    }

    /// Calls `f` with whatever stands for the number of a version that it takes, in its order.
    fn each_taken<'c>(&'c self, f: &mut impl FnMut(&'c serde_json::Value)) {
        self.steps.iter().flat_map(|step| &step.args).for_each(|(_, value)| each_version(value, f));
    }
}

/// Calls `f` with whatever stands for the number of a version in an argument.
pub fn each_version<'v>(value: &'v serde_json::Value, f: &mut impl FnMut(&'v serde_json::Value)) {
    use serde_json::Value;
    match value {
        Value::Object(fields) => match fields.get("version") {
            Some(number) => f(number),
            None => fields.values().for_each(|v| each_version(v, f)),
        },
        Value::Array(items) => items.iter().for_each(|v| each_version(v, f)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// One application of a primitive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recorded {
    /// The primitive.
    pub primitive: String,
    /// Its arguments by name.
    #[serde(deserialize_with = "twice::args")]
    pub args: Vec<(String, serde_json::Value)>,
    /// The conditions, in the order in which they were required.
    pub conditions: Vec<Condition>,
    /// The fields in which the versions may differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modulo: Vec<String>,
    /// How the versions are related.
    pub relation: String,
    /// What is rounded otherwise, a clause each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounding: Vec<String>,
    /// Whether the arithmetic that it made is written operator by operator. Spec: [rule: forms].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub literal: bool,
    /// The procedure after it, in surface syntax.
    pub after: String,
    /// How many microseconds it took, where that was asked for. Nothing is held against it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took: Option<u64>,
}

/// A condition that was found to hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// Its id within the primitive.
    pub id: String,
    /// Why it holds.
    pub because: Because,
}

/// Why a condition holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Because {
    /// By the syntax of program and arguments.
    Syntax,
    /// It was not asked for: the version shows what goes wrong without it.
    Omitted,
    /// It does not hold yet: what is wrong with a call, or which iterations may meet, which a later step is to put right. Spec: [rule: left-open].
    Postponed(String),
    /// By the solver.
    Solver {
        /// What was asked, in a sentence.
        sentence: String,
        /// The stage that proved it.
        tier: String,
        /// The question as an SMT-LIB 2 script, whose answer is `unsat`.
        smt2: String,
    },
}

/// Whether the record says how long each step took: it is another one each time, then. Spec: [rule: ledger.times].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Times {
    /// It does not.
    #[default]
    Untold,
    /// It does.
    Told,
}

/// The record of the last version that a script binds to each name; the text holds definitions and script.
pub fn of_script(text: impl Into<String>, ran: &Run) -> Derivation {
    of_script_with(text, ran, Times::Untold)
}

/// The same, with times where they are asked for.
pub fn of_script_with(text: impl Into<String>, ran: &Run, times: Times) -> Derivation {
    record_with(text, ran.last_of_each().into_iter().map(|b| (b.name.as_str(), &b.proc)), times)
}

/// The record of these versions, which all come from definitions that are written like this. Where the text has
/// scheduling lines as well, an audit holds the versions against them: [`of_script`] makes such a record.
pub fn record<'a>(
    definitions: impl Into<String>,
    bound: impl IntoIterator<Item = (&'a str, &'a Proc)>,
) -> Derivation {
    record_with(definitions, bound, Times::Untold)
}

/// The same, with times where they are asked for. What is printed and holds variables under other names says what they are called:
/// [`Derivation::calling`].
pub fn record_with<'a>(
    definitions: impl Into<String>,
    bound: impl IntoIterator<Item = (&'a str, &'a Proc)>,
    times: Times,
) -> Derivation {
    let bound: Vec<_> = bound.into_iter().collect();
    let mut recorder = Recorder::default();
    bound.iter().for_each(|(_, p)| recorder.lineages.add(p));
    let chains = bound.into_iter().map(|(binding, p)| recorder.bound(binding, p, times)).collect();
    let mut made = Derivation {
        format: FORMAT,
        definitions: definitions.into(),
        called: Called::default(),
        versions: recorder.versions,
        chains,
        digest: String::new(),
    };
    made.digest = made.digest_of_content();
    made
}

/// Writes down how versions came about: those that others take, once.
#[derive(Default)]
struct Recorder {
    versions: Vec<Chain>,
    numbers: FxHashMap<VersionId, usize>,
    lineages: Lineages,
    printer: VersionPrinter,
}

impl Recorder {
    /// The chain to a version that is bound to a name; with the times that its steps took, where they are asked for.
    fn bound(&mut self, binding: &str, p: &Proc, times: Times) -> Chain {
        let mut chain = self.chain(binding, p);
        if times == Times::Told {
            let history = self.lineages.history(p);
            let steps = history.iter().filter_map(|v| v.origin());
            for (recorded, origin) in chain.steps.iter_mut().zip(steps) {
                recorded.took = u64::try_from(origin.step.took.as_micros()).ok();
            }
        }
        chain
    }

    fn chain(&mut self, binding: &str, p: &Proc) -> Chain {
        let history = self.lineages.history(p);
        let first = history.first();
        let extracted = first.and_then(|root| Some((root, root.source()?)));
        let source = extracted.map(|(_, caller)| self.number(caller));
        let begins = extracted.map(|(root, _)| self.printer.print(root.ast()));
        let root = first.map_or(p.name(), Proc::name).to_string();
        let mut steps = Vec::new();
        for (v, origin) in history.iter().filter_map(|v| Some((v, v.origin()?))) {
            let after = self.printer.print(v.ast());
            let mut number = |p: &Proc| (!self.is_defined(p)).then(|| self.number(p));
            steps.push(recorded(&origin.step, after, &mut number));
        }
        Chain { binding: binding.to_owned(), root, source, begins, steps }
    }

    /// Whether nothing comes before it.
    fn is_defined(&self, p: &Proc) -> bool {
        let history = self.lineages.history(p);
        history.len() == 1 && history.first().is_some_and(|root| root.source().is_none())
    }

    /// Which of the versions this is.
    fn number(&mut self, p: &Proc) -> usize {
        if let Some(known) = self.numbers.get(&p.id()) {
            return *known;
        }
        let chain = self.chain("", p);
        // One that was made twice, of definitions that were read twice, is one version.
        let number = self.versions.iter().position(|known| *known == chain).unwrap_or_else(|| {
            self.versions.push(chain);
            self.versions.len() - 1
        });
        self.numbers.insert(p.id(), number);
        number
    }
}

/// What is written down of a step and the text of what it led to. `number` says which of the versions an argument is.
fn recorded(step: &Step, after: String, number: &mut dyn FnMut(&Proc) -> Option<usize>) -> Recorded {
    let Step { primitive, exact: _, args, discharged, edits: _, modulo, relation, rounding, form, took: _ } =
        step;
    let args = args.iter().map(|(name, value)| ((*name).to_owned(), values::to_json(value, number)));
    Recorded {
        primitive: (*primitive).to_owned(),
        args: args.collect(),
        conditions: discharged.iter().map(condition).collect(),
        modulo: modulo.iter().map(|f| format!("{}.{}", f.config, f.field)).collect(),
        relation: word(*relation).to_owned(),
        rounding: rounding.clone(),
        literal: *form == Form::Literal,
        after,
        took: None,
    }
}

/// A text of a derivation as a message shows it: control characters are escaped, so that it cannot look like more than a text.
pub fn shown(text: &str) -> String {
    let escaped = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escaped).collect()
}

/// The same of a text of several lines, which may break off where it does.
pub fn shown_lines(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(shown).collect();
    lines.join("\n")
}

/// How alike two conditions, or two programs, must be.
#[derive(Clone, Copy)]
enum Alike<'a> {
    /// Word for word.
    ToTheLetter,
    /// Up to the numbers at the ends of the names of variables: [`names::same`].
    UpToNumbers(&'a Names),
}

impl Alike<'_> {
    fn are(self, a: &Condition, b: &Condition) -> bool {
        match self {
            Alike::ToTheLetter => a == b,
            Alike::UpToNumbers(known) => names::same(a, b, known),
        }
    }

    fn are_texts(self, a: &str, b: &str) -> bool {
        match self {
            Alike::ToTheLetter => a == b,
            Alike::UpToNumbers(known) => texts::same_program(a, b, known.variables()),
        }
    }
}

/// Which part of two records is not the same; `None` where they are equal.
fn differing(a: &Recorded, b: &Recorded, alike: Alike<'_>) -> Option<String> {
    let Recorded { primitive, args, conditions, modulo, relation, rounding, literal, after, took: _ } = a;
    if *primitive != b.primitive {
        return Some("the primitive".to_owned());
    }
    if *args != b.args {
        let other = args.iter().zip(&b.args).find(|(x, y)| x != y).map(|(_, (name, _))| name);
        return Some(
            other.map_or("the number of arguments".to_owned(), |name| format!("argument `{}`", shown(name))),
        );
    }
    let other = conditions.iter().zip(&b.conditions).find(|(x, y)| !alike.are(x, y));
    if let Some((_, c)) = other {
        return Some(format!("condition `{}`", shown(&c.id)));
    }
    if conditions.len() != b.conditions.len() {
        return Some("the number of conditions".to_owned());
    }
    if *modulo != b.modulo || *relation != b.relation || *rounding != b.rounding {
        return Some("the relation".to_owned());
    }
    if *literal != b.literal {
        return Some("how its arithmetic is written".to_owned());
    }
    (!alike.are_texts(after, &b.after)).then(|| "the procedure after it".to_owned())
}

fn word(r: Relation) -> &'static str {
    match r {
        Relation::Equivalent => "equivalent",
        Relation::Restricted => "restricted",
        Relation::Rounded => "rounded",
        Relation::Specialised => "specialised",
    }
}

fn condition(d: &Discharged) -> Condition {
    let because = match &d.by {
        Reason::Syntax => Because::Syntax,
        Reason::Omitted => Because::Omitted,
        Reason::Postponed { what } => Because::Postponed(what.clone()),
        Reason::Solver { obligation, verdict } => Because::Solver {
            sentence: obligation.sentence.clone(),
            tier: match verdict {
                Verdict::Proved { by } => by.to_string(),
                Verdict::Refuted { .. } => "refuted".to_owned(),
                Verdict::Unknown { .. } => "unknown".to_owned(),
            },
            smt2: smtlib::script(obligation),
        },
    };
    Condition { id: d.condition.to_owned(), because }
}
