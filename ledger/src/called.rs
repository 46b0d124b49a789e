//! Which procedure a call in a version means. A text says its name only, and several procedures may have one name: what
//! the steps were given says which of them it is. Spec: [rule: ledger.calls].

use crate::program::Definitions;
use crate::record::{Record, Root, Step, number_of};
use rewright_primitives::cursor::path::{Place, Step as PathStep, each_stmt_at};
use rewright_primitives::cursor::text::place_of_text;
use rewright_primitives::ops::call_eqv::CALL_EQV;
use rewright_primitives::ops::extract_subproc::EXTRACT_SUBPROC;
use rewright_primitives::ops::inline::INLINE;
use rewright_semantics::ast::Proc;
use rewright_semantics::pretty::proc_to_string;
use rewright_semantics::syntax::walk::each_stmt;
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// A call in a text: the name, and the procedures that it may mean, by their numbers.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Call {
    name: Rc<str>,
    means: Rc<BTreeSet<usize>>,
}

impl Call {
    fn of(name: &str, number: usize) -> Call {
        Call { name: name.into(), means: Rc::new(BTreeSet::from([number])) }
    }
}

/// A procedure that a call may mean.
struct Known {
    name: String,
    calls: Rc<[Call]>,
    /// Itself, or why it cannot be read from the record.
    read: Result<Arc<Proc>, String>,
}

/// What the calls in the versions of a record mean.
pub(crate) struct Calls<'r> {
    record: &'r Record,
    definitions: &'r Definitions,
    known: Vec<Known>,
    /// Procedures that have the same text, in which calls mean the same, are one.
    numbers: FxHashMap<(String, Rc<[Call]>), usize>,
    /// Those that were extracted and of which the record has no text, by the version that the step made.
    lost: FxHashMap<usize, usize>,
    /// The calls in each version.
    of_version: FxHashMap<usize, Rc<[Call]>>,
}

impl<'r> Calls<'r> {
    pub(crate) fn of(record: &'r Record, definitions: &'r Definitions) -> Calls<'r> {
        Calls {
            record,
            definitions,
            known: Vec::new(),
            numbers: FxHashMap::default(),
            lost: FxHashMap::default(),
            of_version: FxHashMap::default(),
        }
    }

    /// A version as a program, in which each call is of the procedure that the record says.
    ///
    /// # Errors
    /// The record does not say which, or its text alone does not.
    pub(crate) fn program(&mut self, version: usize) -> Result<Arc<Proc>, String> {
        let number = self.version(version);
        self.known[number].read.clone()
    }

    /// The number of a version as a procedure.
    fn version(&mut self, version: usize) -> usize {
        let calls = self.calls(version);
        let text = &self.record.versions[version].text;
        let key = (text.clone(), calls.clone());
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let read = self.read(text, &calls);
        let name = read.as_ref().map_or_else(|_| name_of(text), |p| p.name.as_str()).to_owned();
        self.add(key, name, calls, read)
    }

    /// The number of a procedure of the definitions, or of a machine.
    fn definition(&mut self, p: &Arc<Proc>) -> usize {
        let calls = self.calls_of_definition(p);
        let key = (proc_to_string(p), calls.clone());
        match self.numbers.get(&key) {
            Some(number) => *number,
            None => self.add(key, p.name.as_str().to_owned(), calls, Ok(p.clone())),
        }
    }

    fn calls_of_definition(&mut self, p: &Arc<Proc>) -> Rc<[Call]> {
        let of = |callee: &Arc<Proc>| Call::of(callee.name.as_str(), self.definition(callee));
        callees(p).iter().map(of).collect()
    }

    fn add(
        &mut self,
        key: (String, Rc<[Call]>),
        name: String,
        calls: Rc<[Call]>,
        read: Result<Arc<Proc>, String>,
    ) -> usize {
        self.known.push(Known { name, calls, read });
        self.numbers.insert(key, self.known.len() - 1);
        self.known.len() - 1
    }

    /// The number of what the step to a version extracted.
    fn extracted(&mut self, made: usize, name: &str) -> usize {
        if let Some(version) = self.record.extracted_by(made) {
            return self.version(version);
        }
        if let Some(number) = self.lost.get(&made) {
            return *number;
        }
        let read = Err("it was extracted, and the record does not say what it is".to_owned());
        self.known.push(Known { name: name.to_owned(), calls: Rc::new([]), read });
        self.lost.insert(made, self.known.len() - 1);
        self.known.len() - 1
    }

    /// The calls in a version, in the order of its text.
    fn calls(&mut self, version: usize) -> Rc<[Call]> {
        let mut ahead = Vec::new();
        let mut at = version;
        while let Some(step) = self.record.versions[at].step.filter(|_| !self.of_version.contains_key(&at)) {
            ahead.push(step);
            at = self.record.steps[step].before;
        }
        let mut calls = match self.of_version.get(&at) {
            Some(known) => known.clone(),
            None => self.first(at),
        };
        self.of_version.insert(at, calls.clone());
        for step in ahead.into_iter().rev() {
            let step = &self.record.steps[step];
            calls = self.after(step, &calls);
            self.of_version.insert(step.after, calls.clone());
        }
        calls
    }

    /// Those in what a schedule begins with.
    fn first(&mut self, version: usize) -> Rc<[Call]> {
        let record = self.record;
        let around = match record.roots.get(&version) {
            Some(Root { source: Some(number), .. }) => {
                let made = record.argument(*number).and_then(|made| record.versions[made].step);
                made.map(|step| self.calls(record.steps[step].before))
            }
            Some(Root { source: None, name }) => {
                let p = self.definitions.known(name);
                p.map(|p| self.calls_of_definition(p))
            }
            None => None,
        };
        let text = &record.versions[version].text;
        let meanings = Meanings::of([around.as_deref().unwrap_or_default()]);
        meanings.each(&meanings.known(text))
    }

    /// Those after a step. What has the name of several may be each of them: a step may have moved it.
    fn after(&mut self, step: &Step, before: &Rc<[Call]>) -> Rc<[Call]> {
        let given = self.given(step, before);
        let meanings = Meanings::of([before, &given]);
        let names = meanings.known(&self.record.versions[step.after].text);
        if let [new] = &*given
            && let Some(at) = self.redirected(step, before, &names, new)
        {
            let mut calls = before.to_vec();
            calls.splice(at..=at, [new.clone()]);
            return calls.into();
        }
        let calls = meanings.each(&names);
        // Most steps leave the calls as they are.
        if calls == *before { before.clone() } else { calls }
    }

    /// What a step may put calls of into the program.
    fn given(&mut self, step: &Step, before: &[Call]) -> Vec<Call> {
        let mut given = BTreeSet::new();
        let (record, recorded) = (self.record, &step.recorded);
        for (name, value) in &recorded.args {
            each_procedure(value, &mut |taken| match taken {
                Taken::Version(number) => given.extend(record.argument(number).map(|v| self.version(v))),
                Taken::Definition(name) => {
                    let p = self.definitions.known(name);
                    given.extend(p.map(|p| self.definition(p)));
                }
            });
            if let ("subproc_name", Value::String(name)) = (name.as_str(), value)
                && recorded.primitive == EXTRACT_SUBPROC.name
            {
                given.insert(self.extracted(step.after, name));
            }
        }
        let of = |number: usize| Call::of(&self.known[number].name, number);
        let mut calls: Vec<Call> = given.into_iter().map(of).collect();
        if recorded.primitive == INLINE.name {
            let inlined = self.call_at(step, before).map_or(before, |at| &before[at..=at]);
            let inside = inlined.iter().flat_map(|call| call.means.iter());
            calls.extend(inside.flat_map(|number| self.known[*number].calls.iter().cloned()));
        }
        calls
    }

    /// Which call a `call_eqv` gives another callee; `None` for another step, or where that cannot be found out.
    fn redirected(&self, step: &Step, before: &[Call], names: &[&str], new: &Call) -> Option<usize> {
        if step.recorded.primitive != CALL_EQV.name || before.len() != names.len() {
            return None;
        }
        let changed: Vec<usize> = (0..names.len()).filter(|k| *before[*k].name != *names[*k]).collect();
        match changed[..] {
            [] => {
                let at = self.call_at(step, before)?;
                (before[at].name == new.name).then_some(at)
            }
            [at] => (*names[at] == *new.name).then_some(at),
            _ => None,
        }
    }

    /// Which call of the program before it a step points at.
    fn call_at(&self, step: &Step, before: &[Call]) -> Option<usize> {
        let place = step.recorded.args.iter().find_map(|(_, v)| v.get("at")?.as_str())?;
        let Place::Stmt(place) = place_of_text(place)? else { return None };
        // Where statements stand does not depend on which of several procedures is called.
        let procs = before.iter().filter_map(|call| {
            let mut read = call.means.iter().filter_map(|number| self.known[*number].read.as_ref().ok());
            read.next()
        });
        let p = self.definitions.with(procs).read(&self.record.versions[step.before].text).ok()?;
        let (mut calls, mut found) = (0, None);
        each_stmt_at(&p.body, &[PathStep::Body(0)], &mut |s, path| {
            if s.kind.called().is_some() {
                if path == place {
                    found = Some(calls);
                }
                calls += 1;
            }
        });
        found.filter(|_| calls == before.len())
    }

    /// Reads a text in which these are the calls.
    fn read(&self, text: &str, calls: &[Call]) -> Result<Arc<Proc>, String> {
        let mut procs = Vec::new();
        for (name, means) in Meanings::of([calls]).0 {
            procs.extend(self.one_of(name, &means)?);
        }
        let p = self.definitions.with(procs.iter().copied()).read(text)?;
        // What is not on the list would be found by its name alone.
        match callees(&p).iter().find(|callee| !procs.iter().any(|p| Arc::ptr_eq(p, callee))) {
            Some(callee) => Err(format!("the record does not say what `{}` is", callee.name)),
            None => Ok(p),
        }
    }

    /// What a name means; `None` where nothing has it.
    fn one_of(&self, name: &str, means: &BTreeSet<usize>) -> Result<Option<&Arc<Proc>>, String> {
        let mut read = means.iter().map(|number| &self.known[*number].read);
        match (read.next(), read.next()) {
            (None, _) => Ok(None),
            (Some(read), None) => read.as_ref().map(Some).map_err(|why| format!("it calls `{name}`: {why}")),
            (Some(_), Some(_)) => Err(several(name)),
        }
    }
}

fn several(name: &str) -> String {
    format!(
        "`{name}` stands for more than one procedure in it, and its text does not say which call means which"
    )
}

/// What calls by a name may mean.
struct Meanings<'c>(BTreeMap<&'c str, Rc<BTreeSet<usize>>>);

impl<'c> Meanings<'c> {
    fn of<const N: usize>(among: [&'c [Call]; N]) -> Meanings<'c> {
        let mut found: BTreeMap<&str, Rc<BTreeSet<usize>>> = BTreeMap::new();
        for call in among.into_iter().flatten() {
            let means = found.entry(&call.name).or_default();
            if !call.means.is_subset(means) {
                Rc::make_mut(means).extend(call.means.iter());
            }
        }
        Meanings(found)
    }

    /// The names in a text that mean something.
    fn known<'t>(&self, text: &'t str) -> Vec<&'t str> {
        names(text).filter(|name| self.0.contains_key(name)).collect()
    }

    fn each(&self, names: &[&str]) -> Rc<[Call]> {
        let of =
            |name: &&str| Call { name: (*name).into(), means: self.0.get(name).cloned().unwrap_or_default() };
        names.iter().map(of).collect()
    }
}

/// The procedures that a procedure calls, one for each call.
fn callees(p: &Proc) -> Vec<Arc<Proc>> {
    let mut out = Vec::new();
    each_stmt(&p.body, &mut |s| out.extend(s.kind.called().map(|(callee, _)| callee.clone())));
    out
}

/// The names at the beginnings of lines that may be calls. Of a line that goes on from the one before it, it may be one
/// that no procedure has.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let called = text.lines().filter_map(|line| line.trim_start().split_once('('));
    let is_name = |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    called.map(|(name, _)| name).filter(is_name)
}

/// The name of the procedure that a text defines.
fn name_of(text: &str) -> &str {
    let head = text.lines().find_map(|line| line.strip_prefix("def "));
    head.and_then(|head| head.split_once('(')).map_or("", |(name, _)| name)
}

/// A procedure among a step's arguments.
enum Taken<'v> {
    Version(usize),
    Definition(&'v str),
}

fn each_procedure<'v>(value: &'v Value, f: &mut impl FnMut(Taken<'v>)) {
    match value {
        Value::Object(fields) => match (fields.get("version"), fields.get("proc")) {
            (Some(number), _) => number_of(number).into_iter().for_each(|number| f(Taken::Version(number))),
            (None, Some(Value::String(name))) => f(Taken::Definition(name)),
            (None, _) => fields.values().for_each(|v| each_procedure(v, f)),
        },
        Value::Array(items) => items.iter().for_each(|v| each_procedure(v, f)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
