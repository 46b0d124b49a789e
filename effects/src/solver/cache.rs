//! Verdicts by formula. The key is the formula in normal form, whose variables are numbered in the order in
//! which they are met: questions that differ in names only are asked once.

use super::linear::{Id, Table};
use super::prop::{Normal, Prop};
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
}

impl Cache {
    pub(super) fn get(&self, key: &Key) -> Option<&Known> {
        self.known.get(key)
    }

    pub(super) fn insert(&mut self, key: Key, known: Known) {
        self.known.insert(key, known);
    }
}
