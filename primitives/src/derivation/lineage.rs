//! Where versions come from that do not know it: a procedure that was read off a call (`call.subproc()`) is a root, also where a
//! step of the caller was given it, or made it. Its record goes on from there.

use crate::ops::extracted;
use crate::registry::Value;
use crate::version::{Proc, VersionId};
use rewright_semantics::ast;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The versions with a past that steps were given or made, by what they are.
#[derive(Default)]
pub struct Lineages {
    known: FxHashMap<*const ast::Proc, Proc>,
    /// What has been looked at.
    seen: FxHashSet<VersionId>,
}

impl Lineages {
    /// Of all that a version stands on.
    pub fn of(p: &Proc) -> Lineages {
        let mut out = Lineages::default();
        out.add(p);
        out
    }

    /// The versions from what is defined, or was extracted, to this one.
    pub fn history(&self, p: &Proc) -> Vec<Proc> {
        let own = p.history();
        let Some(root) = own.first().filter(|root| root.source().is_none()) else { return own };
        match self.known.get(&Arc::as_ptr(root.ast())) {
            Some(before) => [&self.history(before)[..], &own[1..]].concat(),
            None => own,
        }
    }

    /// Adds what a version stands on.
    pub fn add(&mut self, p: &Proc) {
        let mut next = Some(p.clone());
        while let Some(version) = next.take_if(|version| self.seen.insert(version.id())) {
            if let Some(part) = extracted(&version) {
                self.known.entry(Arc::as_ptr(part.ast())).or_insert(part);
            }
            match version.origin() {
                Some(origin) => {
                    origin.step.args.iter().for_each(|(_, value)| self.add_value(value));
                    next = Some(origin.parent.clone());
                }
                None => next = version.source().cloned(),
            }
        }
    }

    fn add_value(&mut self, value: &Value) {
        match value {
            Value::Proc(q) => {
                let has_past = q.origin().is_some() || q.source().is_some();
                if has_past && !self.known.contains_key(&Arc::as_ptr(q.ast())) {
                    self.add(q);
                    self.known.insert(Arc::as_ptr(q.ast()), q.clone());
                }
            }
            Value::List(items) => items.iter().for_each(|v| self.add_value(v)),
            Value::Named(items) => items.iter().for_each(|(_, v)| self.add_value(v)),
            Value::None
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Text(_)
            | Value::Cursor(_)
            | Value::Config(_) => {}
        }
    }
}
