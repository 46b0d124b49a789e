//! Environments: substitutions that are not carried out yet.

use crate::vars::Vars;
use rewright_base::sym::Name;

/// What the free variables of an expression stand for: `e` with `[x := v, …]` pending.
#[derive(Clone, Debug)]
pub struct Env<V>(Vec<(Name, V)>);

impl<V: Copy> Env<V> {
    /// Nothing.
    pub fn new() -> Env<V> {
        Env(Vec::new())
    }

    /// What x stands for.
    pub fn get(&self, x: Name) -> Option<V> {
        self.0.iter().rev().find(|(y, _)| *y == x).map(|(_, v)| *v)
    }

    /// self[x := v].
    #[must_use]
    pub fn with(&self, x: Name, v: V) -> Env<V> {
        let mut more = self.clone();
        more.bind(x, v);
        more
    }

    /// Adds x := v.
    pub fn bind(&mut self, x: Name, v: V) {
        self.0.retain(|(y, _)| *y != x);
        self.0.push((x, v));
    }

    /// What matters where only these variables occur.
    #[must_use]
    pub fn only(&self, vars: &Vars) -> Env<V> {
        Env(self.0.iter().filter(|(x, _)| vars.contains(*x)).copied().collect())
    }

    /// The pairs.
    pub fn iter(&self) -> impl Iterator<Item = (Name, V)> + '_ {
        self.0.iter().copied()
    }

    /// The right-hand sides.
    pub fn values(&self) -> impl Iterator<Item = V> + '_ {
        self.0.iter().map(|(_, v)| *v)
    }
}

impl<V: Copy> Default for Env<V> {
    fn default() -> Env<V> {
        Env::new()
    }
}

impl<V: Copy> FromIterator<(Name, V)> for Env<V> {
    fn from_iter<I: IntoIterator<Item = (Name, V)>>(pairs: I) -> Env<V> {
        Env(pairs.into_iter().collect())
    }
}
