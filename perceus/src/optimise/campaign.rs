//! The optimisations on random programs. Spec: [rule: perceus.optimise.oracle].

use super::agree::{Agreed, Ended, agree};
use super::{Pass, Passes, code};
use crate::choice::Choice;
use crate::code::print;
use crate::syntax::Program;
use crate::tally::Tally;
use crate::theorems::{effects, generate, well_formed};
use rewright_base::rng::Rng;

/// How far runs go; so many states of each are audited at most.
const STEPS: u64 = 4_000;

/// Each pass alone, each left out, none, all.
fn selections() -> Vec<Passes> {
    let one = Pass::ALL.map(|p| Passes::only(&[p]));
    let but = Pass::ALL.map(|p| Passes::without(&[p]));
    let borrow = [Passes::only(&[Pass::Borrow]), Passes::only(&[Pass::Fuse]).and(Pass::Borrow)];
    one.into_iter().chain(but).chain(borrow).chain([Passes::only(&[]), Passes::all()]).collect()
}

/// The program of a seed. Two programs in four are about data, and larger; one has exceptions and references.
///
/// # Errors
/// What is made is no program of the surface language.
pub fn program(seed: u64, size: usize) -> Result<Program, String> {
    let rng = &mut Rng::new(seed);
    match seed % 4 {
        0 => Ok(generate::program(rng, size)),
        1 => effects::program(rng, 2 * size),
        _ => Ok(generate::about_data(rng, 3 * size)),
    }
}

/// A program under all passes and under a random selection, held against the standard semantics.
///
/// # Errors
/// What does not agree, with the program, or that it is not well-formed.
pub fn examine(p: &Program, choice: &mut impl Choice, tally: &mut Tally) -> Result<(), String> {
    well_formed(p).map_err(|why| format!("ill-formed: {why}\n{p}"))?;
    let mut selections = selections();
    let other = selections.swap_remove(choice.below(selections.len()));
    for passes in [Passes::all(), Passes::all().and(Pass::Borrow), other] {
        let code = code(p, &passes);
        let text = print::code(&code);
        let found = agree(p, &code, STEPS, STEPS).map_err(|why| format!("{passes:?}: {why}\n{p}\n{text}"))?;
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
