//! What was found of a term before. Atoms are compared with each other wherever sums meet, and each comparison looks
//! inside them: without a memory the work doubles with every level of nesting.

use super::Normal;
use crate::expr::Expr;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// How many terms are remembered before all are forgotten.
const MANY: usize = 1 << 14;

/// Brings terms into normal form and compares them, and remembers what it found.
#[derive(Debug, Default)]
pub struct Normalizer {
    forms: Memory<Normal>,
    signs: Memory<bool>,
}

type Memory<V> = RefCell<FxHashMap<Expr, V>>;

impl Normalizer {
    /// The normal form of a term: the one that is known, or the one that `find` gives.
    pub(super) fn form_of(&self, e: &Expr, find: impl FnOnce() -> Normal) -> Normal {
        remembered(&self.forms, e, find)
    }

    /// Whether a term is known never to be negative; what `find` says of one that is new.
    pub(super) fn sign_of(&self, e: &Expr, find: impl FnOnce() -> bool) -> bool {
        remembered(&self.signs, e, find)
    }
}

fn remembered<V: Clone>(memory: &Memory<V>, key: &Expr, find: impl FnOnce() -> V) -> V {
    if let Some(known) = memory.borrow().get(key) {
        return known.clone();
    }
    let value = find();
    let mut memory = memory.borrow_mut();
    if memory.len() >= MANY {
        memory.clear();
    }
    memory.insert(key.clone(), value.clone());
    value
}
