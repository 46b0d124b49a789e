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
                self.know(&part);
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

    /// What steps have made of something else. One that changes nothing leads from what is defined to what is defined.
    fn know(&mut self, version: &Proc) {
        let made = Arc::as_ptr(version.ast());
        let is_new = version.history().iter().all(|v| v.id() == version.id() || Arc::as_ptr(v.ast()) != made);
        if is_new {
            self.known.entry(made).or_insert_with(|| version.clone());
        }
    }

    fn add_value(&mut self, value: &Value) {
        match value {
            Value::Proc(q) => {
                let has_past = q.origin().is_some() || q.source().is_some();
                if has_past {
                    self.add(q);
                    self.know(q);
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
