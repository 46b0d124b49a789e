//! Verdicts by formula. The key is the formula in normal form, whose variables are numbered in the order in
//! which they are met: questions that differ in names only are asked once.

use super::Decision;
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
    /// What is decided, as it was asked: a step asks again, word for word, most of what the step before asked.
    decided: FxHashMap<EffExpr, Decision>,
    /// What was, before there was too much of it.
    decided_before: FxHashMap<EffExpr, Decision>,
}

/// How many questions are kept as they were asked, twice: those of long ago are about versions that are no longer there.
const MOST_AS_ASKED: usize = 1 << 12;

impl Cache {
    /// What is known of just this formula.
    pub(super) fn decided(&mut self, formula: &EffExpr) -> Option<Decision> {
        if let Some(decision) = self.decided.get(formula) {
            return Some(decision.clone());
        }
        let decision = self.decided_before.remove(formula)?;
        self.insert_decided(formula, decision.clone());
        Some(decision)
    }

    /// Keeps a formula that has been proved or refuted.
    pub(super) fn insert_decided(&mut self, formula: &EffExpr, decision: Decision) {
        if self.decided.len() >= MOST_AS_ASKED {
            self.decided_before = std::mem::take(&mut self.decided);
        }
        self.decided.insert(formula.clone(), decision);
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
    use crate::obligation::Verdict;
    use rewright_semantics::sym::Sym;

    /// What is asked again and again stays, and of the rest not more than so much.
    #[test]
    fn what_is_decided_is_kept_while_it_is_asked_for() {
        let mut cache = Cache::default();
        let (often, x) = (EffExpr::bool_var(Sym::fresh("b")), Sym::fresh("x"));
        let by = |tier| Decision { verdict: Verdict::Proved { by: tier }, tier: Some(tier) };
        cache.insert_decided(&often, by(Tier::Fast));
        for k in 0..3 * i64::try_from(MOST_AS_ASKED).unwrap() {
            let once = EffExpr::lt(EffExpr::int(k), EffExpr::int_var(x));
            cache.insert_decided(&once, by(Tier::Linear));
            assert_eq!(cache.decided(&once), Some(by(Tier::Linear)));
            assert_eq!(cache.decided(&often), Some(by(Tier::Fast)));
            assert!(cache.decided.len() + cache.decided_before.len() <= 2 * MOST_AS_ASKED);
        }
    }
}
