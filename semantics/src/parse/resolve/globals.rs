//! What a file defines and what it is given: everything but variables.

use super::super::error::{SyntaxError, SyntaxErrorKind, UnknownCallee};
use super::super::tree::{self, Constant, Ident, WhyOpaque};
use super::super::{Outer, Prelude};
use crate::ast::{Config, ConfigField, Proc};
use crate::externs::Extern;
use crate::span::Span;
use crate::sym::Name;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A procedure's name.
#[derive(Clone, Debug)]
pub(super) enum Callee {
    /// May be called.
    Known(Arc<Proc>),
    /// Was reported; calls are left out.
    Broken,
}

/// The tables.
#[derive(Debug, Default)]
pub(super) struct Globals {
    pub(super) consts: FxHashMap<Name, Constant>,
    pub(super) memories: FxHashSet<Name>,
    procs: FxHashMap<Name, Callee>,
    configs: FxHashMap<Name, Arc<Config>>,
    /// Fields whose declaration was reported.
    broken_fields: FxHashSet<(Name, Name)>,
    aliases: FxHashMap<Name, Name>,
    /// What names of the surroundings stand for.
    externs: FxHashMap<Name, Vec<Extern>>,
    opaque: FxHashMap<Name, WhyOpaque>,
    /// Where the definitions of this file are, so far.
    places: FxHashMap<Name, Span>,
    /// All functions and classes of this file.
    defined: FxHashSet<Name>,
    /// Procedures that are hidden, since this file has a class of a name that they speak of.
    hidden: FxHashSet<Name>,
}

impl Globals {
    /// The names that are known before the first line.
    pub(super) fn new(prelude: &Prelude, defined: impl Iterator<Item = Name>) -> Globals {
        let Prelude { configs, memories, procs: _, scope } = prelude;
        let defined: FxHashSet<Name> = defined.collect();
        // What comes from the surroundings is a class of its own, whatever it is called here.
        let is_own = |c: &Config| configs.iter().any(|own| own.name == c.name && own.span == c.span);
        let around = |name| {
            scope.iter().any(|(_, outer)| matches!(outer, Outer::Config(c) if c.name == name && !is_own(c)))
        };
        let (procs, hidden) = prelude
            .procs_beside(|name| defined.contains(&name) || around(name), |name| defined.contains(&name));
        let mut globals = Globals {
            configs: configs.iter().map(|c| (c.name, c.clone())).collect(),
            memories: memories.iter().map(|m| m.0).collect(),
            procs: procs.into_iter().map(|p| (p.name, Callee::Known(p))).collect(),
            hidden: hidden.into_iter().collect(),
            defined,
            ..Globals::default()
        };
        scope.iter().for_each(|(name, outer)| globals.surround(*name, outer));
        globals
    }

    /// A name of the surroundings; it hides what the prelude has under it.
    fn surround(&mut self, name: Name, outer: &Outer) {
        self.configs.remove(&name);
        self.memories.remove(&name);
        self.procs.remove(&name);
        match outer {
            Outer::Int(n) => drop(self.consts.insert(name, Constant::Int((*n).into()))),
            Outer::Float(x) => drop(self.consts.insert(name, Constant::Float(x.clone()))),
            Outer::Bool(b) => drop(self.consts.insert(name, Constant::Bool(*b))),
            Outer::Text(text) => drop(self.consts.insert(name, Constant::Text(text.clone()))),
            Outer::Config(config) => drop(self.configs.insert(name, config.clone())),
            Outer::Proc(p) => drop(self.procs.insert(name, Callee::Known(p.clone()))),
            Outer::Memory(memory) => {
                self.memories.insert(memory.0);
                self.aliases.insert(name, memory.0);
            }
            Outer::Extern(f) => self.externs.entry(name).or_default().push(*f),
        }
    }

    /// Reports a second definition of a name in this file. Spec: [rule: name.duplicate-definition].
    pub(super) fn claim(&mut self, name: Ident, errors: &mut Vec<SyntaxError>) {
        if let Some(&first) = self.places.get(&name.name) {
            let kind = SyntaxErrorKind::DuplicateDefinition(name.name);
            errors.push(SyntaxError { kind, span: name.span, first: Some(first) });
        }
        self.places.entry(name.name).or_insert(name.span);
        self.opaque.remove(&name.name);
    }

    /// A procedure of this file, `whole` when calls can be checked against its arguments.
    pub(super) fn add_proc(&mut self, name: Name, proc: Arc<Proc>, whole: bool) {
        self.procs.insert(name, if whole { Callee::Known(proc) } else { Callee::Broken });
    }

    /// A configuration class of this file.
    pub(super) fn add_config(&mut self, config: tree::Config) -> Arc<Config> {
        let tree::Config { name, fields, direct_access, broken } = config;
        self.broken_fields.extend(broken.into_iter().map(|field| (name.name, field)));
        let fields: Vec<ConfigField> =
            fields.into_iter().map(|(name, (span, typ))| ConfigField { name, typ, span }).collect();
        let config =
            Arc::new(Config { name: name.name, fields: fields.into(), direct_access, span: name.span });
        self.configs.insert(name.name, config.clone());
        config
    }

    /// A name that was reported where it is defined.
    pub(super) fn break_name(&mut self, name: Name) {
        self.opaque(name, WhyOpaque::Broken);
    }

    /// A name of which nothing is known. What was known of it before is forgotten, unless it is only
    /// imported: the standard names are imported in every file.
    pub(super) fn opaque(&mut self, name: Name, why: WhyOpaque) {
        match why {
            WhyOpaque::Broken | WhyOpaque::Scheduled => {
                self.procs.remove(&name);
                self.configs.remove(&name);
                self.consts.remove(&name);
                self.opaque.insert(name, why);
            }
            WhyOpaque::Imported => {
                self.opaque.entry(name).or_insert(why);
            }
        }
    }

    /// Another name for an imported one.
    pub(super) fn alias(&mut self, here: Name, there: Name) {
        self.aliases.insert(here, there);
        self.opaque.entry(here).or_insert(WhyOpaque::Imported);
    }

    /// Whether a name was reported where it is defined.
    pub(super) fn is_broken(&self, name: Name) -> bool {
        self.opaque.get(&name) == Some(&WhyOpaque::Broken)
    }

    /// Whether a line of this file binds the name to something that definitions cannot know.
    pub(super) fn is_made_here(&self, name: Name) -> bool {
        matches!(self.opaque.get(&name), Some(WhyOpaque::Broken | WhyOpaque::Scheduled))
    }

    /// The name at home of an imported one.
    fn home(&self, name: Name) -> Name {
        self.aliases.get(&name).copied().unwrap_or(name)
    }

    /// The memory of this name.
    pub(super) fn memory(&self, name: Name) -> Option<Name> {
        [name, self.home(name)].into_iter().find(|m| self.memories.contains(m))
    }

    /// The names of all memories, in order.
    pub(super) fn memory_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.memories.iter().map(|m| m.as_str()).collect();
        names.sort_unstable();
        names
    }

    /// The extern of this name: of several, the one that takes so many arguments.
    pub(super) fn extern_of(&self, name: Name, count: usize) -> Option<Extern> {
        let several = self.externs.get(&name);
        let fitting = several.and_then(|all| all.iter().find(|f| f.arity() == count).or_else(|| all.last()));
        fitting.copied().or_else(|| Extern::from_name(self.home(name).as_str()))
    }

    /// The configuration class of this name.
    pub(super) fn config(&self, name: Name) -> Option<&Arc<Config>> {
        self.configs.get(&name).or_else(|| self.configs.get(&self.home(name)))
    }

    /// Whether the declaration of a field was reported.
    pub(super) fn is_broken_field(&self, config: Name, field: Name) -> bool {
        self.broken_fields.contains(&(config, field))
    }

    /// The procedure of this name, or why there is none.
    pub(super) fn callee(&self, name: Name, current: Name) -> Result<&Callee, UnknownCallee> {
        if let Some(found) = self.procs.get(&name).or_else(|| self.procs.get(&self.home(name))) {
            return Ok(found);
        }
        match self.opaque.get(&name) {
            Some(WhyOpaque::Broken) => return Ok(&Callee::Broken),
            Some(WhyOpaque::Scheduled) => return Err(UnknownCallee::Scheduled),
            Some(WhyOpaque::Imported) => return Err(UnknownCallee::Imported),
            None => {}
        }
        if name == current {
            Err(UnknownCallee::Itself)
        } else if self.defined.contains(&name) {
            Err(UnknownCallee::Later)
        } else if Extern::from_name(name.as_str()).is_some() {
            Err(UnknownCallee::Extern)
        } else if self.hidden.contains(&name) {
            Err(UnknownCallee::Hidden)
        } else {
            Err(UnknownCallee::Nothing)
        }
    }
}
