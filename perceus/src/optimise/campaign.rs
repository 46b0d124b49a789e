//! The optimisations on random programs. Spec: [rule: perceus.optimise.oracle].

use super::agree::{Agreed, Ended, agree};
use super::{Pass, Passes, code};
use crate::choice::Choice;
use crate::code::print;
use crate::theorems::{effects, generate};
use rewright_base::rng::Rng;
use std::collections::BTreeMap;
use std::fmt;

/// How far runs go; so many states of each are audited at most.
const STEPS: u64 = 4_000;

/// What the programs that were examined do, each counted once.
#[derive(Clone, Debug, Default)]
pub struct Tally(BTreeMap<&'static str, u64>);

impl Tally {
    /// Nothing yet.
    pub fn new() -> Tally {
        Tally::default()
    }

    fn add(&mut self, what: &'static str, n: u64) {
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

/// Each pass alone, each left out, none, all.
fn selections() -> Vec<Passes> {
    let one = Pass::ALL.map(|p| Passes::only(&[p]));
    let but = Pass::ALL.map(|p| Passes::without(&[p]));
    let borrow = [Passes::only(&[Pass::Borrow]), Passes::only(&[Pass::Fuse]).and(Pass::Borrow)];
    one.into_iter().chain(but).chain(borrow).chain([Passes::only(&[]), Passes::all()]).collect()
}

/// The program of a seed under all passes and under a random selection, held against the standard semantics. Two programs in four
/// are about data, and larger; one has exceptions and references.
///
/// # Errors
/// What does not agree, with the program.
pub fn examine(seed: u64, size: usize, tally: &mut Tally) -> Result<(), String> {
    let mut rng = Rng::new(seed);
    let p = match seed % 4 {
        0 => generate::program(&mut rng, size),
        1 => effects::program(&mut rng, 2 * size),
        _ => generate::about_data(&mut rng, 3 * size),
    };
    let mut selections = selections();
    let other = selections.swap_remove(Choice::below(&mut rng, selections.len()));
    for passes in [Passes::all(), Passes::all().and(Pass::Borrow), other] {
        let code = code(&p, &passes);
        let text = print::code(&code);
        let found = agree(&p, &code, STEPS, STEPS)
            .map_err(|why| format!("seed {seed}, {passes:?}: {why}\n{p}\n{text}"))?;
        tally.add("borrow", u64::from(!code.borrows().is_empty()));
        count(&found, &text, tally);
    }
    Ok(())
}

fn count(found: &Agreed, text: &str, tally: &mut Tally) {
    tally.add("runs", 1);
    tally.add("states audited", found.audited);
    tally.add("states with cells that only a cycle keeps alive", found.cycles);
    tally.add("leave a cycle", u64::from(found.left > 0));
    tally.add("read or assign references", u64::from(text.contains("get(") || text.contains("set(")));
    tally.add("have results of what may throw", u64::from(text.contains("Error(")));
    tally.add("states with garbage, where functions borrow", found.garbage);
    tally.add("reuse memory", u64::from(found.counters.reuses > 0));
    tally.add("test is-unique", u64::from(found.counters.tests > 0));
    tally.add("share cells", u64::from(found.counters.dups > 0));
    tally.add("drop-reuse is specialized", u64::from(text.contains("NULL")));
    tally.add("fields are kept", u64::from(text.contains("(=") || text.contains(", =")));
    tally.add("tokens are dropped", u64::from(text.contains("drop-token")));
    match found.end {
        Ended::Value(_) => tally.add("end with a value", 1),
        Ended::Stuck(_) => tally.add("stuck", 1),
        Ended::Unfinished => tally.add("unfinished", 1),
    }
}
