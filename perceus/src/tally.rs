//! What the programs of a campaign contain, and what was examined of them.

use std::collections::BTreeMap;
use std::fmt;

/// How often each thing was met.
#[derive(Clone, Debug, Default)]
pub struct Tally(BTreeMap<&'static str, u64>);

impl Tally {
    /// Nothing yet.
    pub fn new() -> Tally {
        Tally::default()
    }

    /// Met so often more.
    pub fn add(&mut self, what: &'static str, n: u64) {
        *self.0.entry(what).or_insert(0) += n;
    }

    /// How often something was met.
    pub fn get(&self, what: &str) -> u64 {
        self.0.get(what).copied().unwrap_or(0)
    }

    /// Both together.
    #[must_use]
    pub fn and(mut self, other: &Tally) -> Tally {
        other.0.iter().for_each(|(what, n)| self.add(what, *n));
        self
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(|(what, n)| format!("{n:>10} {what}")).collect();
        f.write_str(&lines.join("\n"))
    }
}
