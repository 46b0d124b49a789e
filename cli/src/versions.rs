//! The procedures of a file by name: its definitions, and the versions that its script binds.
//! Spec: [rule: scripts.versions].

use crate::load::Loaded;
use crate::output::{Outcome, diagnose, error, put_refusal};
use crate::scheduled;
use rewright_primitives::Proc;
use rewright_primitives::error::Error;
use rewright_primitives::registry::Registry;
use rewright_primitives::script::{Binding, Cause, Line, Run, ScriptError, parse, run_with};
use rewright_primitives::version::session::Session;
use rewright_semantics::ast::Module;
use rewright_semantics::shell;

/// A procedure under the name that it was asked for by.
pub(crate) struct Version {
    /// As on the command line, or as it is bound.
    pub(crate) name: String,
    /// The procedure.
    pub(crate) proc: Proc,
}

/// A file whose script is run when a version of it is asked for.
pub(crate) struct Versions<'a> {
    loaded: &'a mut Loaded,
    primitives: &'a Registry,
    lines: Vec<Line>,
    ran: Option<Run>,
}

impl<'a> Versions<'a> {
    /// The definitions and the lines of a file; an outcome after a message where the lines cannot be read.
    pub(crate) fn of(loaded: &'a mut Loaded, primitives: &'a Registry) -> Result<Versions<'a>, Outcome> {
        let text = loaded.sources.get(loaded.file).map_or("", |f| &f.text);
        match parse(loaded.file, text) {
            Ok(lines) => Ok(Versions { loaded, primitives, lines, ran: None }),
            Err(e) => {
                diagnose(&[e.diagnostic()], &loaded.sources);
                Err(Outcome::WrongInput)
            }
        }
    }

    /// What the script has done, run to its end.
    pub(crate) fn run(&mut self) -> Result<&Run, Outcome> {
        if self.ran.is_none() {
            self.loaded.require_proved()?;
            let ran = run_with(
                &Session::new(),
                self.primitives,
                &self.loaded.module,
                &self.loaded.prelude,
                &self.lines,
            );
            if let Some(e) = &ran.error {
                return Err(ended(e, self.loaded));
            }
            self.ran = Some(ran);
        }
        self.ran.as_ref().ok_or(Outcome::Bug)
    }

    /// Why the script stops.
    pub(crate) fn refusal(&mut self) -> Result<ScriptError, Outcome> {
        self.loaded.require_proved()?;
        let ran = run_with(
            &Session::new(),
            self.primitives,
            &self.loaded.module,
            &self.loaded.prelude,
            &self.lines,
        );
        ran.error.ok_or_else(|| error("no line of the script is refused"))
    }

    /// Prints why a script stops.
    pub(crate) fn tell(&self, e: &ScriptError) {
        diagnose(&[e.diagnostic()], &self.loaded.sources);
    }

    /// `NAME`: the last version bound to a name, else the definition; `NAME@K`: the K-th version bound to it, of which
    /// the definition is number 0.
    pub(crate) fn named(&mut self, text: &str) -> Result<Version, Outcome> {
        let (name, number) = match text.split_once('@') {
            None => (text, None),
            Some((name, number)) => match number.parse::<usize>() {
                Ok(number) => (name, Some(number)),
                Err(_) => {
                    return Err(error(&format!(
                        "`{number}` in {text} is no number: {name}@0 is the definition, {name}@1 the first version"
                    )));
                }
            },
        };
        let bound = self.lines.iter().any(|line| line.targets.iter().any(|target| target == name));
        let found = match number {
            Some(0) => None,
            Some(_) | None if !bound => None,
            Some(number) => {
                let mut all = self.run()?.bindings.iter().filter(|b| b.name == name);
                match all.nth(number - 1) {
                    Some(b) => Some(b.proc.clone()),
                    None => return Err(self.unknown(text)),
                }
            }
            None => self.run()?.bindings.iter().rev().find(|b| b.name == name).map(|b| b.proc.clone()),
        };
        let definition = || self.loaded.module.proc(name).cloned().map(Proc::root);
        let found = if number.unwrap_or(0) == 0 { found.or_else(definition) } else { found };
        match found {
            Some(proc) => Ok(Version { name: text.to_owned(), proc }),
            None => Err(self.unknown(text)),
        }
    }

    /// The last version that the script binds, else the last definition.
    pub(crate) fn last(&mut self) -> Result<Version, Outcome> {
        if let Some(Binding { name, proc }) = self.last_bound()? {
            return Ok(Version { name, proc });
        }
        match self.loaded.module.procs.last() {
            Some(p) => Ok(Version { name: p.name.to_string(), proc: Proc::root(p.clone()) }),
            None => Err(error("the file defines no procedure")),
        }
    }

    fn last_bound(&mut self) -> Result<Option<Binding>, Outcome> {
        if self.lines.is_empty() {
            return Ok(None);
        }
        Ok(self.run()?.bindings.last().cloned())
    }

    /// The definition that a version was made from, under a name that means it.
    pub(crate) fn definition_of(&mut self, version: &Version) -> Version {
        let proc = version.proc.history().first().cloned().unwrap_or_else(|| version.proc.clone());
        let name = proc.name().to_string();
        let rebound = self.lines.iter().any(|line| line.targets.contains(&name));
        Version { name: if rebound { format!("{name}@0") } else { name }, proc }
    }

    /// The procedures of these names as a module; without names, the last version that the script binds, or all
    /// definitions where it binds none.
    pub(crate) fn module(&mut self, names: &[String]) -> Result<(Module, Vec<Version>), Outcome> {
        let chosen = if names.is_empty() {
            let last = self.last_bound()?;
            last.map(|Binding { name, proc }| Version { name, proc }).into_iter().collect()
        } else {
            names.iter().map(|name| self.named(name)).collect::<Result<Vec<Version>, Outcome>>()?
        };
        if chosen.is_empty() {
            return Ok((self.loaded.module.clone(), chosen));
        }
        if let Some(Version { name, proc }) = chosen.iter().find(|v| !is_safe_alone(&v.proc)) {
            scheduled::tell_unsafe(&self.loaded.module, proc.ast(), &self.loaded.prelude);
            let caller = proc
                .history()
                .first()
                .and_then(Proc::source)
                .map_or_else(String::new, |p| p.name().to_string());
            return Err(error(&format!(
                "{name} was extracted and is safe where `{caller}` calls it, not for every caller: name `{caller}` with \
                 --proc, or extract it with what it needs asserted in front"
            )));
        }
        let procs = distinct(&chosen)?.into_iter().map(|v| v.proc.ast().clone()).collect();
        Ok((Module { procs, ..self.loaded.module.clone() }, chosen))
    }

    fn unknown(&self, name: &str) -> Outcome {
        let defined = self.loaded.module.procs.iter().map(|p| p.name.to_string());
        let mut names: Vec<String> = defined.collect();
        for b in self.ran.iter().flat_map(|ran| &ran.bindings) {
            if !names.contains(&b.name) {
                names.push(b.name.clone());
            }
        }
        let known = match names.as_slice() {
            [] => "the file has none".to_owned(),
            names => format!("there is {}", names.join(", ")),
        };
        error(&format!("no procedure is called {name}: {known}"))
    }
}

/// Whether any caller may call it: of definitions and their versions this is proved, of what was extracted only that the
/// call in its place is safe. Spec: [rule: scripts.extracted].
pub(crate) fn is_safe_alone(p: &Proc) -> bool {
    let extracted = p.history().first().is_some_and(|root| root.source().is_some());
    !extracted || p.session().is_safe(p.ast())
}

/// In C there is one function of each name.
fn distinct(chosen: &[Version]) -> Result<Vec<&Version>, Outcome> {
    for (k, v) in chosen.iter().enumerate() {
        if let Some(w) =
            chosen.iter().take(k).find(|w| w.proc.name() == v.proc.name() && w.proc.id() != v.proc.id())
        {
            let (a, b, name) = (&w.name, &v.name, v.proc.name());
            return Err(error(&format!(
                "{a} and {b} are both called `{name}` in C: give one of them another name with `rename`"
            )));
        }
    }
    let first = |(k, v): &(usize, &Version)| !chosen.iter().take(*k).any(|w| w.proc.id() == v.proc.id());
    Ok(chosen.iter().enumerate().filter(first).map(|(_, v)| v).collect())
}

/// How a script ends that stopped: why is told, with a run that shows what the refused line would have done, where there
/// is one.
pub(crate) fn ended(e: &ScriptError, loaded: &Loaded) -> Outcome {
    let confirmed = e.confirmed().map(|(_, difference)| difference.to_string());
    let command = loaded.path().map(|file| format!("rewright equiv {} --refused", shell::word(file)));
    let mut told = e.diagnostic();
    if let Some(difference) = &confirmed {
        let shown = match &command {
            Some(command) => format!("`{command}` shows it"),
            None => "of a file, `rewright equiv FILE --refused` shows it".to_owned(),
        };
        told = told.note(format!("without this condition, {difference}; {shown}"));
    }
    diagnose(&[told], &loaded.sources);
    if let Cause::Refused(Error::Scheduling(refusal)) = &e.cause {
        put_refusal(refusal, confirmed.map(|difference| (difference, command)));
    }
    match &e.cause {
        Cause::Refused(Error::Internal { .. }) => Outcome::Bug,
        Cause::Refused(_) if e.is_refusal() => Outcome::Refused,
        Cause::Refused(_) | Cause::Wrong { .. } => Outcome::WrongInput,
    }
}
