//! What all procedures of the process share: the texts that they were read from, and what is known by name everywhere.

use pyo3::prelude::*;
use rewright_semantics::ast::{Config, MemoryDef};
use rewright_semantics::parse::Prelude;
use rewright_semantics::span::{FileId, SourceMap};
use std::fmt;
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard};

/// The version of Rewright.
#[pyfunction]
pub(crate) fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// One for the process.
pub(crate) struct World {
    sources: RwLock<SourceMap>,
    prelude: Prelude,
}

/// What surrounds a procedure: what C needs beside its syntax. Versions share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Env {
    /// Configuration classes, of which C makes one struct.
    pub(crate) configs: Vec<Arc<Config>>,
    /// Memories that are declared and not a machine's.
    pub(crate) memories: Vec<Arc<MemoryDef>>,
    /// The text with the definitions, where there is one.
    pub(crate) text: Option<Arc<str>>,
}

impl World {
    /// It; made when it is first asked for.
    pub(crate) fn get() -> &'static World {
        static WORLD: OnceLock<World> = OnceLock::new();
        WORLD.get_or_init(|| {
            let mut sources = SourceMap::new();
            let prelude = rewright_machines::prelude(&mut sources);
            World { sources: RwLock::new(sources), prelude }
        })
    }

    /// The texts.
    pub(crate) fn sources(&self) -> RwLockReadGuard<'_, SourceMap> {
        self.sources.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a text, or finds it: definitions that are made again and again are written in one place.
    pub(crate) fn add(&self, name: &str, text: &str) -> FileId {
        let mut sources = self.sources.write().unwrap_or_else(PoisonError::into_inner);
        let same = (0..).map(FileId).map_while(|id| Some((id, sources.get(id)?)));
        let known = same.filter(|(_, f)| f.name == name && *f.text == *text).map(|(id, _)| id).next();
        known.unwrap_or_else(|| sources.add(name, text))
    }

    /// What is known by name everywhere: the machines' memories, configurations and instructions.
    pub(crate) fn prelude(&self) -> &Prelude {
        &self.prelude
    }
}

impl Env {
    /// This and what surrounds another procedure.
    ///
    /// # Errors
    /// One name stands for two configuration classes, or for two memories: state and C go by name.
    pub(crate) fn with(&self, other: &Env) -> Result<Env, TwoOfOneName> {
        let mut out = self.clone();
        for config in &other.configs {
            match out.configs.iter().find(|c| c.name == config.name) {
                None => out.configs.push(config.clone()),
                Some(known) if same_class(known, config) => {}
                Some(_) => return Err(two("configuration classes", config.name.as_str())),
            }
        }
        for memory in &other.memories {
            match out.memories.iter().find(|m| m.name == memory.name) {
                None => out.memories.push(memory.clone()),
                Some(known) if known.methods == memory.methods => {}
                Some(_) => return Err(two("memories", memory.name.0.as_str())),
            }
        }
        Ok(out)
    }
}

/// Whether two definitions of a class are of the same state: a cell of a notebook may run twice, a text be read twice.
fn same_class(a: &Config, b: &Config) -> bool {
    let fields = |c: &Config| c.fields.iter().map(|f| (f.name, f.typ)).collect::<Vec<_>>();
    fields(a) == fields(b) && a.direct_access == b.direct_access
}

fn two(what: &'static str, name: &'static str) -> TwoOfOneName {
    TwoOfOneName { what, name }
}

/// Two different things of one sort are called the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TwoOfOneName {
    what: &'static str,
    name: &'static str,
}

impl fmt::Display for TwoOfOneName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TwoOfOneName { what, name } = self;
        write!(f, "two different {what} are called `{name}`: give one of them another name")
    }
}
