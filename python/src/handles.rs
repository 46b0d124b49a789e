//! Handles: what Python's objects hold.

use crate::env::{Env, OfMachines, assumptions};
use pyo3::prelude::*;
use rewright_semantics::ast;
use rewright_semantics::externs as known;
use rewright_semantics::types::MemName;
use std::sync::Arc;

/// A procedure at a version.
#[pyclass(frozen, module = "rewright._rewright")]
#[derive(Clone, Debug)]
pub(crate) struct Proc {
    pub(crate) proc: rewright_primitives::Proc,
    pub(crate) env: Arc<Env>,
}

/// A cursor.
#[pyclass(frozen, module = "rewright._rewright")]
#[derive(Clone, Debug)]
pub(crate) struct Cursor {
    pub(crate) cursor: rewright_primitives::Cursor,
    pub(crate) env: Arc<Env>,
}

/// A configuration class.
#[pyclass(frozen, eq, hash, module = "rewright._rewright")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Config(pub(crate) Arc<ast::Config>);

/// A memory.
#[pyclass(frozen, eq, hash, module = "rewright._rewright")]
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    pub(crate) name: MemName,
    /// `None` for a standard one or a machine's.
    pub(crate) declared: Option<Arc<ast::MemoryDef>>,
}

impl PartialEq for Memory {
    fn eq(&self, other: &Memory) -> bool {
        self.name == other.name && self.declared == other.declared
    }
}

impl Eq for Memory {}

impl std::hash::Hash for Memory {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

/// An extern function.
#[pyclass(frozen, eq, hash, module = "rewright._rewright")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Extern(pub(crate) known::Extern);

/// What a handle is of.
pub(crate) enum Handle {
    /// A procedure.
    Proc(rewright_primitives::Proc, Arc<Env>),
    /// A cursor.
    Cursor(rewright_primitives::Cursor, Arc<Env>),
    /// A configuration class.
    Config(Arc<ast::Config>),
    /// A memory.
    Memory(Memory),
    /// An extern.
    Extern(known::Extern),
}

/// The handle that an object is, or that it has under `_raw`.
pub(crate) fn handle(of: &Bound<'_, PyAny>) -> Option<Handle> {
    if let Some(known) = own(of) {
        return Some(known);
    }
    own(&of.getattr_opt(pyo3::intern!(of.py(), "_raw")).ok()??)
}

fn own(of: &Bound<'_, PyAny>) -> Option<Handle> {
    if let Ok(p) = of.cast::<Proc>() {
        return Some(Handle::Proc(p.get().proc.clone(), p.get().env.clone()));
    }
    if let Ok(c) = of.cast::<Cursor>() {
        return Some(Handle::Cursor(c.get().cursor.clone(), c.get().env.clone()));
    }
    if let Ok(c) = of.cast::<Config>() {
        return Some(Handle::Config(c.get().0.clone()));
    }
    if let Ok(m) = of.cast::<Memory>() {
        return Some(Handle::Memory(m.get().clone()));
    }
    of.cast::<Extern>().ok().map(|f| Handle::Extern(f.get().0))
}

/// What surrounds a procedure that uses one of these.
pub(crate) fn surroundings(of: &Handle) -> Env {
    match of {
        Handle::Proc(p, env) => {
            let mut env = env.as_ref().clone();
            env.assumed.extend(assumptions(p).into_iter().map(|a| (p.ast().name, a)));
            env
        }
        Handle::Cursor(_, env) => env.as_ref().clone(),
        Handle::Config(config) => Env { configs: vec![config.clone()], ..Env::default() },
        Handle::Memory(memory) => match &memory.declared {
            Some(declared) => Env { memories: vec![declared.clone()], ..Env::default() },
            None => Env { machines: OfMachines::memory(memory.name), ..Env::default() },
        },
        Handle::Extern(_) => Env::default(),
    }
}
