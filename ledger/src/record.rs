//! The schedules of a derivation, those among its arguments too, as one tree of versions: what several have in common
//! is there once.

use crate::program::Definitions;
use rewright_primitives::derivation::{Chain, Derivation, Recorded, each_version, shown};
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
    /// A schedule takes a version that is not in the derivation.
    NoVersion {
        /// What takes it: the schedule, with the step if it is an argument of one.
        place: String,
        /// What stands for its number.
        number: String,
        /// How many versions there are.
        among: usize,
    },
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::NoSchedule => f.write_str("there is no schedule in the derivation"),
            Trouble::NoBeginning { root, why } => {
                write!(f, "the procedure `{}` that a schedule begins with is not there: {why}", shown(root))
            }
            Trouble::NoVersion { place, number, among } => {
                let place = shown(place);
                write!(
                    f,
                    "{place}: there is no version {number}: the derivation has {among}, numbered from 0 on"
                )
            }
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

/// All of a derivation.
#[derive(Default)]
pub(crate) struct Record {
    pub(crate) versions: Vec<Version>,
    pub(crate) steps: Vec<Step>,
    pub(crate) schedules: Vec<Schedule>,
    /// Beginnings by name and text.
    beginnings: FxHashMap<(String, String), usize>,
    /// What steps make, by the version before and the step as JSON.
    made: FxHashMap<(usize, String), usize>,
    /// Schedules that are arguments, by their numbers in the derivation: the last version.
    arguments: FxHashMap<usize, usize>,
}

/// What a schedule with an unknown beginning is said to begin with.
const UNKNOWN: &str = "# The record does not say what this procedure was when it was extracted.\n";

impl Record {
    /// The schedules of a derivation; the definitions that they begin with.
    pub(crate) fn of(derivation: &Derivation, definitions: &Definitions) -> Result<Record, Trouble> {
        let versions = derivation.versions.iter().enumerate().map(|(n, c)| (format!("version {n}"), c));
        let chains = derivation.chains.iter().map(|c| (c.binding.clone(), c));
        for (name, chain) in versions.chain(chains) {
            takes_what_is_there(&name, chain, derivation.versions.len())?;
        }
        let mut record = Record::default();
        // What is bound comes first, in its order; each argument after what first names it.
        let mut open: VecDeque<(&Chain, Option<usize>)> =
            derivation.chains.iter().map(|c| (c, None)).collect();
        if open.is_empty() {
            return Err(Trouble::NoSchedule);
        }
        while let Some((chain, number)) = open.pop_front() {
            let first = record.steps.len();
            let last = record.add(chain, number.is_none(), definitions)?;
            if let Some(number) = number {
                record.arguments.insert(number, last);
            }
            let mut found = Vec::new();
            for step in record.steps.iter().skip(first) {
                let mut add = |v: &Value| found.extend(number_of(v));
                step.recorded.args.iter().for_each(|(_, v)| each_version(v, &mut add));
            }
            for number in found.into_iter().rev() {
                let known = record.arguments.contains_key(&number)
                    || open.iter().any(|(_, waiting)| *waiting == Some(number));
                if let Some(chain) = derivation.versions.get(number)
                    && !known
                {
                    let bound = open.iter().take_while(|(_, number)| number.is_none()).count();
                    open.insert(bound, (chain, Some(number)));
                }
            }
        }
        Ok(record)
    }

    /// Adds a schedule; its last version.
    fn add(&mut self, chain: &Chain, bound: bool, definitions: &Definitions) -> Result<usize, Trouble> {
        let text = beginning(chain, definitions)?;
        let key = (chain.root.clone(), text);
        let mut at = match self.beginnings.get(&key) {
            Some(known) => *known,
            None => {
                let new = self.version(None, key.1.clone());
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
        let binding = bound.then(|| chain.binding.clone());
        let (root, extracted) = (chain.root.clone(), chain.source.is_some());
        self.schedules.push(Schedule { binding, root, extracted, versions, own });
        Ok(at)
    }

    fn version(&mut self, step: Option<usize>, text: String) -> usize {
        self.versions.push(Version { step, text });
        self.versions.len() - 1
    }

    /// The last version of a schedule that is an argument.
    pub(crate) fn argument(&self, number: usize) -> Option<usize> {
        self.arguments.get(&number).copied()
    }

    /// Its procedure's name.
    pub(crate) fn name_of_argument(&self, number: usize) -> Option<&str> {
        let last = self.argument(number)?;
        self.schedules.iter().find(|s| s.binding.is_none() && s.last() == last).map(|s| s.root.as_str())
    }
}

/// Each version that a chain takes is one of those in the derivation.
fn takes_what_is_there(name: &str, chain: &Chain, among: usize) -> Result<(), Trouble> {
    let dangling = |place: String, number: String| Trouble::NoVersion { place, number, among };
    if let Some(number) = chain.source.filter(|number| *number >= among) {
        return Err(dangling(name.to_owned(), number.to_string()));
    }
    for (k, step) in chain.steps.iter().enumerate() {
        let mut missing = None;
        let mut look = |v: &Value| {
            if number_of(v).is_none_or(|number| number >= among) {
                missing.get_or_insert_with(|| v.to_string());
            }
        };
        step.args.iter().for_each(|(_, v)| each_version(v, &mut look));
        if let Some(number) = missing {
            return Err(dangling(format!("{name}, step {} ({})", k + 1, step.primitive), number));
        }
    }
    Ok(())
}

/// The number of a version, from what stands for it.
pub(crate) fn number_of(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

fn beginning(chain: &Chain, definitions: &Definitions) -> Result<String, Trouble> {
    match (&chain.begins, &chain.source) {
        (Some(text), _) => Ok(text.clone()),
        (None, Some(_)) => Ok(UNKNOWN.to_owned()),
        (None, None) => {
            let found = definitions.proc(&chain.root);
            let found = found.map_err(|why| Trouble::NoBeginning { root: chain.root.clone(), why })?;
            Ok(proc_to_string(found))
        }
    }
}
