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
}

/// How many questions are kept as they were asked.
const MOST_AS_ASKED: usize = 1 << 16;

impl Cache {
    /// The stage that proved this formula, if one has.
    pub(super) fn proved(&self, formula: &EffExpr) -> Option<Tier> {
        self.proved.get(formula).copied()
    }

    /// Keeps a formula that has been proved.
    pub(super) fn insert_proved(&mut self, formula: &EffExpr, by: Tier) {
        if self.proved.len() >= MOST_AS_ASKED {
            self.proved.clear();
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
