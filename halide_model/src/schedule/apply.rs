//! 𝓢(s, T): directives applied one after the other. Thesis §2.8; spec: [rule: halide.phases].

use super::refusal::{self, Context, Refusal, Rules};
use super::{Directive, Phase};
use crate::alg::Algorithm;
use crate::lower::lower;
use crate::tgt::Program;
use crate::tgt::invariant::{self, Broken};
use std::sync::Arc;

/// How the order of directives is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sequence {
    /// As given: "schedules must be ordered into phases" (Thesis §2.8), a directive out of phase is refused, and
    /// dominance must hold after each.
    Strict,
    /// "The practical system sorts directives into phases automatically": sorted by phase; within the compute phase
    /// consumers come before their producers, so that each func finds its consumers in their final place.
    Sorted,
}

/// `𝓢(S, 𝓛(P))`: lowers an algorithm and applies a schedule to it.
///
/// # Errors
/// The first directive that is refused.
pub fn schedule(
    p: &Arc<Algorithm>,
    s: &[Directive],
    sequence: Sequence,
    rules: Rules,
) -> Result<Program, Refusal> {
    let mut phase = Phase::Inline;
    let mut t = lower(p);
    for d in ordered(p, s, sequence) {
        if d.phase() < phase && rules.has(refusal::PHASE) {
            return Err(refusal::out_of_phase(d, &t, phase));
        }
        phase = d.phase();
        t = apply(d, &t, rules)?;
    }
    check_whole(&t, rules)?;
    Ok(t)
}

fn ordered<'s>(p: &Algorithm, s: &'s [Directive], sequence: Sequence) -> Vec<&'s Directive> {
    let mut out: Vec<&Directive> = s.iter().collect();
    if sequence == Sequence::Sorted {
        out.sort_by_key(|d| {
            let consumers_first =
                d.after_consumers_of().map_or(0, |f| p.funcs.len() - p.index(f).unwrap_or(0));
            (d.phase(), consumers_first)
        });
    }
    out
}

/// 𝓢(s, T).
///
/// # Errors
/// The restriction that is broken.
pub fn apply(d: &Directive, t: &Program, rules: Rules) -> Result<Program, Refusal> {
    d.apply(&Context { directive: d, program: t, rules, marked: d.marked() })
}

/// What can be said only of a whole schedule.
///
/// # Errors
/// A func is stored outside a parallel loop and computed inside.
pub fn check_whole(t: &Program, rules: Rules) -> Result<(), Refusal> {
    if !rules.has(refusal::SHARED) {
        return Ok(());
    }
    let Some(Broken::SharedStorage { func, at }) = invariant::shared_storage(t) else { return Ok(()) };
    let why = format!(
        "func `{func}` is stored outside parallel loop {at} and computed inside it: iterations would overwrite \
         each other's values (a race)"
    );
    let nest = crate::tgt::print::program(t, Some(at));
    Err(Refusal { directive: None, restriction: refusal::SHARED, why, nest })
}
