//! What all procedures of the process share: the texts that they were read from, and what is known by name everywhere.

use pyo3::prelude::*;
use rewright_semantics::parse::Prelude;
use rewright_semantics::span::{FileId, SourceMap};
use std::sync::{OnceLock, PoisonError, RwLock, RwLockReadGuard};

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
