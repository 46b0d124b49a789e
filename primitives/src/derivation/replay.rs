//! Making the versions of a derivation again, step by step. Spec: [rule: audit].

use super::accepted::{FrontEnd, Own};
use super::audit::{Finding, Options, Summary, place_of_version};
use super::names::Names;
use super::values::Known;
use super::{Alike, Because, Chain, Recorded, differing, names, recorded, shown, texts, values};
use crate::compare::{Compared, Effort, compare};
use crate::left_open::stand_in;
use crate::ops::{self, extracted};
use crate::registry::{Args, Value};
use crate::version::session::{Assumed, Session};
use crate::version::{Proc, VersionId};
use rewright_effects::solver::answer_of_script;
use rewright_semantics::ast::Module;
use rewright_semantics::pretty::proc_to_string;
use rewright_semantics::syntax::fold::Form;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Steps of z3 per question.
const STEPS: u32 = 50_000_000;

/// What is made again, each version once: chains that begin alike share what they begin with.
pub(super) struct Replay<'a> {
    module: &'a Module,
    options: &'a Options<'a>,
    session: Session,
    front_end: FrontEnd,
    /// Definitions by name.
    roots: FxHashMap<String, Proc>,
    /// Procedures that were extracted, by the version that calls them.
    parts: FxHashMap<VersionId, Proc>,
    /// The versions of the derivation that were made so far, and which of them a version is.
    versions: Vec<Proc>,
    numbers: FxHashMap<VersionId, usize>,
    /// What a step made of a version, by the version and the step's text.
    made: FxHashMap<(VersionId, String), Proc>,
    /// The questions that z3 answers with `unsat`, and whether the second solver decides them.
    answered: FxHashMap<String, bool>,
    /// What has been checked so far.
    pub(super) summary: Summary,
}

impl<'a> Replay<'a> {
    pub(super) fn new(module: &'a Module, options: &'a Options<'a>, front_end: FrontEnd) -> Replay<'a> {
        Replay {
            module,
            options,
            session: options.session.fresh(),
            front_end,
            roots: FxHashMap::default(),
            parts: FxHashMap::default(),
            versions: Vec::new(),
            numbers: FxHashMap::default(),
            made: FxHashMap::default(),
            answered: FxHashMap::default(),
            summary: Summary::default(),
        }
    }

    /// Makes the next of the versions that others take.
    pub(super) fn version(&mut self, chain: &Chain, told: &mut dyn FnMut()) -> Result<(), Finding> {
        let number = self.versions.len();
        let place = place_of_version(number, chain);
        if !chain.binding.is_empty() {
            return Err(Finding { place, what: format!("it is bound to `{}`", shown(&chain.binding)) });
        }
        let p = self.made_by(chain, &place, told)?;
        if let Some(first) = self.numbers.insert(p.id(), number) {
            return Err(Finding { place, what: format!("it is version {first} once more") });
        }
        self.versions.push(p);
        Ok(())
    }

    /// Makes the version that is bound to a name.
    pub(super) fn chain(&mut self, chain: &Chain, told: &mut dyn FnMut()) -> Result<Proc, Finding> {
        let made = self.made_by(chain, &chain.binding, told)?;
        let finding = |what: String| Finding { place: chain.binding.clone(), what };
        if let Some(open) = made.left_open().first() {
            return Err(finding(format!("it ends with what is not right yet: {}", open.message)));
        }
        match names::of_two(made.ast()) {
            None => Ok(made),
            Some(name) => Err(finding(format!(
                "`{name}` means two procedures in the program that it ends with, whose text does not say which: give one another name"
            ))),
        }
    }

    /// Makes the version that a chain leads to; `told` hears of each step that is done.
    fn made_by(&mut self, chain: &Chain, name: &str, told: &mut dyn FnMut()) -> Result<Proc, Finding> {
        let mut p = self.root(chain, name)?;
        // A primitive may take several steps, of which one that is written down later leaves something open.
        let last_open = chain.steps.iter().rposition(postpones);
        for (k, step) in chain.steps.iter().enumerate() {
            let place = || format!("{name}, step {} ({})", k + 1, step.primitive);
            // How long it took does not make it another step.
            let text = serde_json::to_string(&Recorded { took: None, ..step.clone() }).unwrap_or_default();
            let key = (p.id(), text);
            p = match self.made.get(&key) {
                Some(made) => made.clone(),
                None => {
                    let made = self
                        .step(&p, (step, Some(k) <= last_open), &place)
                        .map_err(|what| Finding { place: place(), what })?;
                    self.made.insert(key, made.clone());
                    made
                }
            };
            told();
        }
        Ok(p)
    }

    /// The procedure that a chain begins with.
    fn root(&mut self, chain: &Chain, name: &str) -> Result<Proc, Finding> {
        let finding = |what: String| Finding { place: name.to_owned(), what };
        let found = match chain.source {
            Some(number) => {
                let caller = self.versions.get(number).cloned();
                let caller =
                    caller.ok_or_else(|| finding(format!("there is no version {number} before it")))?;
                let known = self.parts.get(&caller.id()).cloned();
                let found = known.or_else(|| extracted(&caller));
                found.inspect(|part| drop(self.parts.insert(caller.id(), part.clone())))
            }
            None => self.definition(&chain.root),
        };
        let root = found
            .filter(|p| p.name().as_str() == chain.root)
            .ok_or_else(|| finding(format!("there is no definition `{}`", shown(&chain.root))))?;
        if chain.begins.as_ref().is_some_and(|text| !texts::is_text_of(text, root.ast())) {
            return Err(finding("it does not begin with the procedure that is written down".to_owned()));
        }
        self.front_end.check(root.ast(), Own::MayBeOpen).map_err(finding)?;
        Ok(root)
    }

    fn definition(&mut self, name: &str) -> Option<Proc> {
        if let Some(known) = self.roots.get(name) {
            return Some(known.clone());
        }
        let configs = self.module.configs.iter().cloned();
        let root = self.session.root_among(self.module.proc(name)?.clone(), configs);
        self.roots.insert(name.to_owned(), root.clone());
        Some(root)
    }

    /// The version after a step, which may leave something open.
    fn step(
        &mut self,
        p: &Proc,
        (step, may_be_open): (&Recorded, bool),
        place: &dyn Fn() -> String,
    ) -> Result<Proc, String> {
        self.summary.steps += 1;
        // A primitive may take several steps; what is written down is the first of those that are left.
        let last = self.rewritten(p, step, may_be_open)?;
        let new = last.history().get(p.depth() + 1).cloned().ok_or("it changes nothing")?;
        let origin = new.origin().ok_or("it changes nothing")?;
        // Laid out anew, not as the record was: what several versions have in common is not remembered here.
        let after = proc_to_string(new.ast());
        let made = recorded(&origin.step, after, &mut |p| self.numbers.get(&p.id()).copied());
        let names = Names::of([p.ast(), new.ast()], &self.module.configs);
        if let Some(what) = differing(&made, step, Alike::UpToNumbers(&names)) {
            return Err(format!("{what} is not what the rewrite makes"));
        }
        for c in &step.conditions {
            self.summary.conditions += 1;
            match &c.because {
                Because::Syntax | Because::Omitted | Because::Postponed(_) => {}
                Because::Solver { smt2, .. } => self.solve(&c.id, smt2)?,
            }
        }
        let own = if postpones(step) { Own::MayBeOpen } else { Own::Closed };
        self.front_end.check(new.ast(), own)?;
        let Options { inputs, statements, .. } = *self.options;
        let effort = Effort::thorough(inputs, statements);
        let open = p.found_open().or(new.found_open());
        let run = |p: &Proc| stand_in(p.ast(), open);
        let compared = compare(&run(p), &run(&new), &origin.step, &effort);
        let Compared { inputs, unset, silent } = compared.map_err(|differ| differ.to_string())?;
        self.summary.compared += inputs;
        self.summary.unset += unset;
        if inputs == 0 {
            let why = silent.unwrap_or_else(|| "no inputs were asked for".to_owned());
            self.summary.open.push(Finding { place: place(), what: why });
        }
        // Told last: what goes wrong without it says more.
        if let Some(c) = step.conditions.iter().find(|c| c.because == Because::Omitted) {
            return Err(format!("condition `{}` was not asked for", shown(&c.id)));
        }
        Ok(new)
    }

    /// Applies the primitive of a step to the arguments that were written down.
    fn rewritten(&mut self, p: &Proc, step: &Recorded, may_be_open: bool) -> Result<Proc, String> {
        let name = step.primitive.as_str();
        let primitive = self.options.primitives.by_name(name).or_else(|| ops::of_exo(name));
        let primitive = primitive.ok_or("there is no such primitive")?;
        let configs = &self.module.configs;
        let this = RefCell::new(self);
        let names = |name: &str| {
            let config = configs.iter().rev().find(|c| c.name.as_str() == name);
            let proc = this.borrow_mut().definition(name).map(Value::Proc);
            proc.or_else(|| config.map(|c| Value::Config(c.clone())))
        };
        let known = Known { names: &names, version: &|number| this.borrow().versions.get(number).cloned() };
        let read = |(name, json): &(String, serde_json::Value)| {
            let value = values::of_json(json, p, &known);
            value
                .map(|v| (name.clone(), v))
                .ok_or_else(|| format!("argument `{}` cannot be read: {json}", shown(name)))
        };
        let args = step.args.iter().map(read).collect::<Result<Vec<_>, String>>();
        let args = Args::bind(primitive, Vec::new(), args?).map_err(|e| shown(&e.to_string()))?;
        let assumed = step.conditions.iter().filter(|c| c.because == Because::Omitted).map(|c| c.id.clone());
        let p = p.assuming(Assumed::These(assumed.collect()));
        let p = if may_be_open { p.postponing() } else { p };
        let p = if step.literal { p.writing(Form::Literal) } else { p };
        (primitive.run)(&p, &args).map_err(|e| format!("it is refused: {}", shown(&e.to_string())))
    }

    /// Asks a question, unless it was asked before: steps that are taken again and again ask the same ones.
    fn solve(&mut self, id: &str, smt2: &str) -> Result<(), String> {
        let decided = match self.answered.get(smt2) {
            Some(decided) => *decided,
            None => {
                let decided = self.ask(id, smt2)?;
                self.answered.insert(smt2.to_owned(), decided);
                decided
            }
        };
        self.summary.solved += 1;
        self.summary.undecided += u64::from(!decided);
        Ok(())
    }

    /// Whether the second solver, if there is one, says `unsat`, too.
    fn ask(&self, id: &str, smt2: &str) -> Result<bool, String> {
        match answer_of_script(smt2, STEPS) {
            "unsat" => {}
            answer => return Err(format!("z3 answers `{answer}` to condition `{}`", shown(id))),
        }
        let Some(ask) = self.options.second else { return Ok(true) };
        match ask(smt2)?.as_str() {
            "unsat" => Ok(true),
            "sat" => Err(format!("the second solver answers `sat` to condition `{}`", shown(id))),
            _ => Ok(false),
        }
    }
}

/// Whether a step leaves something open, for later ones to put right. Spec: [rule: left-open].
fn postpones(step: &Recorded) -> bool {
    step.conditions.iter().any(|c| matches!(c.because, Because::Postponed(_)))
}
