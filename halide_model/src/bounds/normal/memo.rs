//! What was found of a term before. Atoms are compared with each other wherever sums meet, and each comparison looks
//! inside them: without a memory the work doubles with every level of nesting.

use super::Normal;
use crate::expr::Expr;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::hash::Hash;
use std::thread::LocalKey;

/// How many terms are remembered before all are forgotten.
const MANY: usize = 1 << 14;

type Memory<K, V> = RefCell<FxHashMap<K, V>>;

thread_local! {
    static NORMAL: Memory<Expr, Normal> = RefCell::default();
    static SIGNS: Memory<Expr, bool> = RefCell::default();
}

/// Forgets everything.
pub(crate) fn forget() {
    NORMAL.with_borrow_mut(FxHashMap::clear);
    SIGNS.with_borrow_mut(FxHashMap::clear);
}

pub(super) fn normalized(e: &Expr, find: impl FnOnce() -> Normal) -> Normal {
    remembered(&NORMAL, e, find)
}

pub(super) fn never_negative(e: &Expr, find: impl FnOnce() -> bool) -> bool {
    remembered(&SIGNS, e, find)
}

fn remembered<K: Clone + Eq + Hash, V: Clone>(
    memory: &'static LocalKey<Memory<K, V>>,
    key: &K,
    find: impl FnOnce() -> V,
) -> V {
    if let Some(known) = memory.with_borrow(|m| m.get(key).cloned()) {
        return known;
    }
    let value = find();
    memory.with_borrow_mut(|m| {
        if m.len() >= MANY {
            m.clear();
        }
        m.insert(key.clone(), value.clone());
    });
    value
}
