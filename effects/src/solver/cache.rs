//! Verdicts by formula. The key is the formula in normal form, whose variables are numbered in the order in
//! which they are met: questions that differ in names only are asked once.

use super::linear::{Id, Table};
use super::prop::{Normal, Prop};
use crate::effexpr::EffExpr;
use crate::obligation::{ModelValue, Tier};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A verdict without names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Proved(Tier),
    Refuted(Arc<[(Id, ModelValue)]>, Option<Tier>),
    Unknown(Arc<str>),
}

/// A formula without names: two with equal keys are valid together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    prop: Prop,
    /// What the numbers of quotients stand for.
    table: Table,
}

impl Key {
    pub(super) fn of(normal: &Normal) -> Key {
        Key { prop: normal.prop.clone(), table: normal.table.clone() }
    }
}

/// The verdicts so far.
#[derive(Debug, Default)]
pub(super) struct Cache {
    known: FxHashMap<Key, Known>,
    /// What is proved, as it was asked: a step asks again, word for word, most of what the step before asked.
    proved: FxHashMap<EffExpr, Tier>,
    /// What was, before there was too much of it.
    proved_before: FxHashMap<EffExpr, Tier>,
}

/// How many questions are kept as they were asked, twice: those of long ago are about versions that are no longer there.
const MOST_AS_ASKED: usize = 1 << 12;

impl Cache {
    /// The stage that proved this formula, if one has.
    pub(super) fn proved(&mut self, formula: &EffExpr) -> Option<Tier> {
        if let Some(by) = self.proved.get(formula) {
            return Some(*by);
        }
        let by = self.proved_before.remove(formula)?;
        self.insert_proved(formula, by);
        Some(by)
    }

    /// Keeps a formula that has been proved.
    pub(super) fn insert_proved(&mut self, formula: &EffExpr, by: Tier) {
        if self.proved.len() >= MOST_AS_ASKED {
            self.proved_before = std::mem::take(&mut self.proved);
        }
        self.proved.insert(formula.clone(), by);
    }

    pub(super) fn get(&self, key: &Key) -> Option<&Known> {
        self.known.get(key)
    }

    pub(super) fn insert(&mut self, key: Key, known: Known) {
        self.known.insert(key, known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rewright_semantics::sym::Sym;

    /// What is asked again and again stays, and of the rest not more than so much.
    #[test]
    fn what_is_proved_is_kept_while_it_is_asked_for() {
        let mut cache = Cache::default();
        let (often, x) = (EffExpr::bool_var(Sym::fresh("b")), Sym::fresh("x"));
        cache.insert_proved(&often, Tier::Fast);
        for k in 0..3 * i64::try_from(MOST_AS_ASKED).unwrap() {
            let once = EffExpr::lt(EffExpr::int(k), EffExpr::int_var(x));
            cache.insert_proved(&once, Tier::Linear);
            assert_eq!(cache.proved(&once), Some(Tier::Linear));
            assert_eq!(cache.proved(&often), Some(Tier::Fast));
            assert!(cache.proved.len() + cache.proved_before.len() <= 2 * MOST_AS_ASKED);
        }
    }
}
