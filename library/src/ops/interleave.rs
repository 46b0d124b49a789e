//! Unroll and jam: iterations of a loop beside each other, statement by statement.

use super::fission_into_singles;
use crate::inspect;
use crate::refusal::{During, refuse};
use rewright_primitives::error::Result;
use rewright_primitives::{Cursor, Proc};

const INTERLEAVE: &str = "interleave";

/// Unrolls a loop of constant length statement by statement: all copies of the first come before those of the second.
/// What is allocated in the loop gets a cell, or a register, for each copy.
///
/// ```text
/// for i in seq(0, 2):              t: f32[2]
///     t: f32                       t[0] = x[0]
///     t = x[i]             ~>      t[1] = x[1]
///     y[i] = t                     y[0] = t[0]
///                                  y[1] = t[1]
/// ```
///
/// # Errors
/// The length is no number, or an iteration depends on a later statement of one before.
pub fn interleave(p: &Proc, at: &Cursor) -> Result<Proc> {
    let around = p.forward(at)?;
    if inspect::trip_count(&around).is_none() {
        let why = format!("{} does not run a number of times that is known", around.describe());
        return refuse(INTERLEAVE, "looking at the loop", why);
    }
    let (p, singles) = fission_into_singles(p, at, None).during(INTERLEAVE, "taking the loop apart")?;
    singles.iter().try_fold(p, |p, one| {
        let here = p.forward(one)?;
        p.unroll_loop(here).during(INTERLEAVE, "writing out the iterations")
    })
}
