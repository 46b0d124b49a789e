//! What the schedules share: definitions by name, and compositions of primitives that Exo 2 would call a user's
//! library. ASPLOS'25 §6.

use rewright_backends::c::{CUnit, Options, compile_module};
use rewright_primitives::error::Result;
use rewright_primitives::ops::Tail;
use rewright_primitives::registry::Value;
use rewright_primitives::version::Step;
use rewright_primitives::{Cursor, Proc};
use rewright_semantics::ast::{Config, Module};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::SourceMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Procedures of a file, and the instructions of the machines.
pub struct Definitions {
    prelude: Prelude,
    procs: Vec<Proc>,
}

impl Definitions {
    /// The procedures of a text.
    ///
    /// # Panics
    /// The text has errors: it is a part of this crate.
    pub fn of(text: &str) -> Definitions {
        let (mut sources, prelude) = instructions_of_machines().clone();
        let file = sources.add("kernel.py", text);
        let parsed = parse_module(file, &sources, &prelude);
        assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
        let procs = parsed.module.procs.iter().map(|p| Proc::root(p.clone())).collect();
        Definitions { prelude, procs }
    }

    /// The procedure of this name.
    ///
    /// # Panics
    /// There is none.
    pub fn proc(&self, name: &str) -> Proc {
        let found = self.procs.iter().find(|p| p.name().as_str() == name);
        found.unwrap_or_else(|| panic!("no procedure {name}")).clone()
    }

    /// The instruction of this name.
    ///
    /// # Panics
    /// There is none.
    pub fn instruction(&self, name: &str) -> Proc {
        let found = self.prelude.procs.iter().find(|p| p.name.as_str() == name);
        Proc::root(found.unwrap_or_else(|| panic!("no instruction {name}")).clone())
    }

    /// The instructions of these names.
    ///
    /// # Panics
    /// One does not exist.
    pub fn instructions(&self, names: &[&str]) -> Vec<Proc> {
        names.iter().map(|name| self.instruction(name)).collect()
    }

    /// The configuration of this name.
    ///
    /// # Panics
    /// There is none.
    pub fn config(&self, name: &str) -> Arc<Config> {
        let found = self.prelude.configs.iter().find(|c| c.name.as_str() == name);
        found.unwrap_or_else(|| panic!("no configuration {name}")).clone()
    }
}

/// Reading them takes longer than reading what is defined with them: once is enough.
fn instructions_of_machines() -> &'static (SourceMap, Prelude) {
    static READ: OnceLock<(SourceMap, Prelude)> = OnceLock::new();
    READ.get_or_init(|| {
        let mut sources = SourceMap::new();
        let prelude = rewright_machines::prelude(&mut sources);
        (sources, prelude)
    })
}

/// A loop over `[0, n)` as a loop over vectors and, where `full` of them do not cover it, a loop over the rest that
/// begins at 0 too.
///
/// # Errors
/// Those of the primitives.
pub fn vectorize(p: &Proc, at: &Cursor, lanes: i64, full: i64, covers: bool) -> Result<Proc> {
    let names = ["jo", "ji"];
    if covers {
        return p.divide_loop(at.clone(), lanes, names, Tail::Perfect);
    }
    if full == 0 {
        return Ok(p.clone());
    }
    let p = p.cut_loop(at.clone(), lanes * full)?;
    let rest = p.forward(at)?.next(1)?;
    let p = p.shift_loop(rest, 0)?;
    p.divide_loop(at.clone(), lanes, names, Tail::Perfect)
}

/// The steps that led to some versions and to the versions of other procedures that they used, each once.
pub fn steps_of<'p>(all: impl IntoIterator<Item = &'p Proc>) -> Vec<Arc<Step>> {
    let mut open: Vec<Proc> = all.into_iter().cloned().collect();
    let (mut seen, mut steps) = (BTreeSet::new(), Vec::new());
    while let Some(p) = open.pop() {
        for version in p.history().into_iter().rev() {
            if !seen.insert(version.id()) {
                break;
            }
            let Some(origin) = version.origin() else { continue };
            open.extend(origin.step.args.iter().flat_map(|(_, value)| procs(value)));
            steps.push(origin.step.clone());
        }
    }
    steps
}

fn procs(value: &Value) -> Vec<Proc> {
    match value {
        Value::Proc(p) => vec![p.clone()],
        Value::List(items) => items.iter().flat_map(procs).collect(),
        Value::Named(items) => items.iter().flat_map(|(_, value)| procs(value)).collect(),
        Value::None
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Text(_)
        | Value::Cursor(_)
        | Value::Config(_) => Vec::new(),
    }
}

/// The primitives of [`steps_of`]: how often each was used, and how long it took in all.
pub fn by_primitive<'p>(all: impl IntoIterator<Item = &'p Proc>) -> Vec<(&'static str, usize, Duration)> {
    let mut found: BTreeMap<&'static str, (usize, Duration)> = BTreeMap::new();
    for step in steps_of(all) {
        let (n, time) = found.entry(step.primitive).or_default();
        *n += 1;
        *time += step.took;
    }
    found.into_iter().map(|(name, (n, time))| (name, n, time)).collect()
}

/// The C of a procedure and what it calls.
///
/// # Panics
/// The back end refuses it.
pub fn unit_of(name: &str, p: &Proc) -> CUnit {
    let mut module = Module::default();
    module.procs.push(p.ast().clone());
    compile_module(&module, &Options::new(name)).expect("a kernel that can be compiled")
}
