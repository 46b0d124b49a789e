//! The schedules of a derivation, those among its arguments too, as one tree of versions: what several have in common
//! is there once.

use crate::program::Definitions;
use rewright_primitives::derivation::audit::{Finding, lacking};
use rewright_primitives::derivation::{
    Because, Chain, Derivation, Recorded, each_version, shown, shown_lines,
};
use rewright_semantics::pretty::proc_to_string;
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::collections::VecDeque;
use std::fmt;

/// Why there is no page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// There is nothing in the derivation.
    NoSchedule,
    /// What a schedule begins with cannot be found out.
    NoBeginning {
        /// Its name.
        root: String,
        /// Why.
        why: String,
    },
    /// A schedule is not whole: it takes a version that is not there before it, or does not say what it begins with.
    NotWhole(Finding),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::NoSchedule => f.write_str("there is no schedule in the derivation"),
            Trouble::NoBeginning { root, why } => {
                let (root, why) = (shown(root), shown_lines(why));
                write!(f, "the procedure `{root}` that a schedule begins with is not there: {why}")
            }
            Trouble::NotWhole(finding) => finding.fmt(f),
        }
    }
}

impl std::error::Error for Trouble {}

/// A procedure at some point of a schedule.
pub(crate) struct Version {
    /// The step that made it, by its number; `None` at the beginning.
    pub(crate) step: Option<usize>,
    pub(crate) text: String,
}

/// A step between two versions.
pub(crate) struct Step {
    pub(crate) recorded: Recorded,
    /// The version before it, and the one after it.
    pub(crate) before: usize,
    pub(crate) after: usize,
}

/// A schedule of the page.
pub(crate) struct Schedule {
    /// The name that its last version is bound to; `None` for one that is an argument.
    pub(crate) binding: Option<String>,
    /// The procedure that it begins with.
    pub(crate) root: String,
    /// Whether that was extracted from another one.
    pub(crate) extracted: bool,
    /// Its versions, from the first on.
    pub(crate) versions: Vec<usize>,
    /// The steps that no schedule before it has.
    pub(crate) own: Vec<usize>,
}

impl Schedule {
    pub(crate) fn last(&self) -> usize {
        self.versions.last().copied().unwrap_or_default()
    }
}

/// What a schedule begins with.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Root {
    /// Its name.
    pub(crate) name: String,
    /// Where it was extracted: the number of the version that calls it.
    pub(crate) source: Option<usize>,
}

/// All of a derivation.
#[derive(Default)]
pub(crate) struct Record {
    pub(crate) versions: Vec<Version>,
    pub(crate) steps: Vec<Step>,
    pub(crate) schedules: Vec<Schedule>,
    /// What the versions are that no step made.
    pub(crate) roots: FxHashMap<usize, Root>,
    /// Beginnings by what they are, and their texts.
    beginnings: FxHashMap<(Root, String), usize>,
    /// What steps make, by the version before and the step as JSON.
    made: FxHashMap<(usize, String), usize>,
    /// The versions that others take, by their numbers in the derivation: the procedure that each begins with, its last version.
    taken: FxHashMap<usize, (String, usize)>,
}

/// A schedule that is to be added.
struct Waiting<'d> {
    chain: &'d Chain,
    /// Which of the versions that others take it is.
    number: Option<usize>,
    /// Whether a step takes it, and not only a procedure that was extracted from it.
    named: bool,
}

impl Record {
    /// The schedules of a derivation; the definitions that they begin with.
    pub(crate) fn of(derivation: &Derivation, definitions: &Definitions) -> Result<Record, Trouble> {
        lacking(derivation).map_or(Ok(()), |finding| Err(Trouble::NotWhole(finding)))?;
        let mut record = Record::default();
        // What is bound comes first, in its order; each other after what first takes it.
        let bound = derivation.chains.iter().map(|chain| Waiting { chain, number: None, named: true });
        let mut open: VecDeque<Waiting<'_>> = bound.collect();
        if open.is_empty() {
            return Err(Trouble::NoSchedule);
        }
        while let Some(Waiting { chain, number, named }) = open.pop_front() {
            let first = record.steps.len();
            record.add(chain, number, named, definitions)?;
            // An argument comes before what something was extracted from: it is on the page where it is named.
            let mut found: Vec<(usize, bool)> =
                chain.source.map(|number| (number, false)).into_iter().collect();
            for step in record.steps.iter().skip(first) {
                let mut add = |v: &Value| found.extend(number_of(v).map(|number| (number, true)));
                step.recorded.args.iter().for_each(|(_, v)| each_version(v, &mut add));
            }
            for (number, named) in found.into_iter().rev() {
                if let Some(waiting) = open.iter_mut().find(|w| w.number == Some(number)) {
                    waiting.named |= named;
                } else if let Some(chain) = derivation.versions.get(number)
                    && !record.taken.contains_key(&number)
                {
                    let bound = open.iter().take_while(|w| w.number.is_none()).count();
                    open.insert(bound, Waiting { chain, number: Some(number), named });
                }
            }
        }
        Ok(record)
    }

    /// Adds a schedule: to the page where a step takes it, or no other has all of its steps.
    fn add(
        &mut self,
        chain: &Chain,
        number: Option<usize>,
        named: bool,
        definitions: &Definitions,
    ) -> Result<(), Trouble> {
        let text = beginning(chain, definitions)?;
        let root = Root { name: chain.root.clone(), source: chain.source };
        let key = (root, text);
        let mut at = match self.beginnings.get(&key) {
            Some(known) => *known,
            None => {
                let new = self.version(None, key.1.clone());
                self.roots.insert(new, key.0.clone());
                self.beginnings.insert(key, new);
                new
            }
        };
        let (mut versions, mut own) = (vec![at], Vec::new());
        for step in &chain.steps {
            let key = (at, serde_json::to_string(step).unwrap_or_default());
            at = match self.made.get(&key) {
                Some(known) => *known,
                None => {
                    let number = self.steps.len();
                    let after = self.version(Some(number), step.after.clone());
                    self.steps.push(Step { recorded: step.clone(), before: at, after });
                    own.push(number);
                    self.made.insert(key, after);
                    after
                }
            };
            versions.push(at);
        }
        if let Some(number) = number {
            self.taken.insert(number, (chain.root.clone(), at));
        }
        if named || !own.is_empty() {
            let binding = number.is_none().then(|| chain.binding.clone());
            let (root, extracted) = (chain.root.clone(), chain.source.is_some());
            self.schedules.push(Schedule { binding, root, extracted, versions, own });
        }
        Ok(())
    }

    fn version(&mut self, step: Option<usize>, text: String) -> usize {
        self.versions.push(Version { step, text });
        self.versions.len() - 1
    }

    /// The last version of a schedule that others take.
    pub(crate) fn argument(&self, number: usize) -> Option<usize> {
        self.taken.get(&number).map(|(_, last)| *last)
    }

    /// The procedure that it begins with.
    pub(crate) fn name_of_argument(&self, number: usize) -> Option<&str> {
        self.taken.get(&number).map(|(root, _)| root.as_str())
    }

    /// The procedure that the step to a version extracted, as it was then.
    pub(crate) fn extracted_by(&self, made: usize) -> Option<usize> {
        let is = |root: &Root| root.source.and_then(|number| self.argument(number)) == Some(made);
        let mut found = self.roots.iter().filter(|(_, root)| is(root)).map(|(version, _)| *version);
        // A step extracts one procedure: an audit accepts no other.
        found.next().filter(|_| found.next().is_none())
    }
}

/// The number of a version, from what stands for it.
pub(crate) fn number_of(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

fn beginning(chain: &Chain, definitions: &Definitions) -> Result<String, Trouble> {
    match &chain.begins {
        Some(text) => Ok(text.clone()),
        None => {
            let found = definitions.proc(&chain.root);
            let found = found.map_err(|why| Trouble::NoBeginning { root: chain.root.clone(), why })?;
            Ok(proc_to_string(found))
        }
    }
}

/// How a step says that its versions are related; `assumed` where it made a condition's word its own.
pub(crate) fn relation(r: &Recorded) -> &str {
    if r.conditions.iter().any(|c| c.because == Because::Omitted) { "assumed" } else { &r.relation }
}
