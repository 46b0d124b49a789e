//! Handles of what has a name and no versions: configuration classes, memories, externs.

use crate::handles::{Config, Extern, Memory};
use pyo3::prelude::*;
use rewright_semantics::externs as known;
use rewright_semantics::parse::Prelude;
use rewright_semantics::types::FieldType;

#[pymethods]
impl Config {
    /// Its name.
    fn name(&self) -> &'static str {
        self.0.name.as_str()
    }

    /// Its fields with their types.
    fn fields(&self) -> Vec<(&'static str, &'static str)> {
        let word = |t: FieldType| match t {
            FieldType::Control(t) => t.keyword(),
            FieldType::Data(t) => t.keyword(),
        };
        self.0.fields.iter().map(|f| (f.name.as_str(), word(f.typ))).collect()
    }

    fn __str__(&self) -> String {
        rewright_semantics::pretty::config_to_string(&self.0)
    }
}

#[pymethods]
impl Memory {
    /// Its name.
    fn name(&self) -> &'static str {
        self.name.0.as_str()
    }
}

#[pymethods]
impl Extern {
    /// Its name.
    fn name(&self) -> &'static str {
        self.0.name()
    }
}

/// Every extern.
#[pyfunction]
pub(crate) fn externs() -> Vec<Extern> {
    known::Extern::ALL.into_iter().map(Extern).collect()
}

/// The memories that there always are.
#[pyfunction]
pub(crate) fn standard_memories() -> Vec<Memory> {
    Prelude::standard().memories.into_iter().map(|name| Memory { name, declared: None }).collect()
}
