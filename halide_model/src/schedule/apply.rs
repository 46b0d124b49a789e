//! 𝓢(s, T): directives applied one after the other. Thesis §2.8; spec: [rule: halide.phases].

use super::refusal::{self, Refusal, Rules, Site};
use super::{Directive, Phase};
use super::{
    align, bound, compute_at, compute_with, fuse, inline, specialize, split, store_at, swap, traverse,
};
use crate::alg::Algorithm;
use crate::lower::lower;
use crate::tgt::invariant::{self, Broken};
use crate::tgt::{LoopName, Program};
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
    let mut algorithm = p.clone();
    let mut lowered = None;
    for d in ordered(p, s, sequence) {
        if let Directive::Inline { func } = d {
            if lowered.is_some() {
                return Err(refusal::out_of_phase(d, &lower(&algorithm), phase));
            }
            algorithm = Arc::new(inline::inline(&algorithm, *func, d, rules)?);
            continue;
        }
        let t = lowered.unwrap_or_else(|| lower(&algorithm));
        if d.phase() < phase && rules.has(refusal::PHASE) {
            return Err(refusal::out_of_phase(d, &t, phase));
        }
        phase = d.phase();
        lowered = Some(apply(d, &t, rules)?);
    }
    let t = lowered.unwrap_or_else(|| lower(&algorithm));
    seal(&t, rules)?;
    Ok(t)
}

fn ordered<'s>(p: &Algorithm, s: &'s [Directive], sequence: Sequence) -> Vec<&'s Directive> {
    let mut out: Vec<&Directive> = s.iter().collect();
    if sequence == Sequence::Sorted {
        out.sort_by_key(|d| {
            let consumers_first = match d {
                Directive::ComputeAt { func, .. } => p.funcs.len() - p.index(*func).unwrap_or(0),
                Directive::Inline { .. } | Directive::Specialize { .. } | Directive::Split { .. } => 0,
                Directive::Fuse { .. } | Directive::Swap { .. } | Directive::Traverse { .. } => 0,
                Directive::StoreAt { .. } | Directive::ComputeWith { .. } | Directive::Bound { .. } => 0,
                Directive::BoundExtent { .. } | Directive::AlignBounds { .. } => 0,
            };
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
    let at = Site { directive: d, program: t, rules, marked: marked(d) };
    match d {
        Directive::Inline { func } => {
            let algorithm = inline::inline(&t.algorithm, *func, d, rules)?;
            if *t == lower(&t.algorithm) {
                Ok(lower(&Arc::new(algorithm)))
            } else {
                Err(refusal::out_of_phase(d, t, Phase::Loops))
            }
        }
        Directive::Specialize { func, conds } => specialize::specialize(&at, *func, conds),
        Directive::Split { of, outer, inner, factor, tail } => {
            split::split(&at, *of, split::Names { outer: *outer, inner: *inner }, factor, *tail)
        }
        Directive::Fuse { of, into } => fuse::fuse(&at, *of, *into),
        Directive::Swap { of } => swap::swap(&at, *of),
        Directive::Traverse { of, order } => traverse::traverse(&at, *of, *order),
        Directive::ComputeAt { func, at: l } => compute_at::compute_at(&at, *func, *l),
        Directive::StoreAt { func, at: l } => store_at::store_at(&at, *func, *l),
        Directive::ComputeWith { func, stage, with } => compute_with::compute_with(&at, *func, *stage, *with),
        Directive::Bound { func, var, min, len } => bound::bound(&at, *func, *var, Some(min), len),
        Directive::BoundExtent { func, var, len } => bound::bound(&at, *func, *var, None, len),
        Directive::AlignBounds { func, var, modulus, remainder } => {
            align::align_bounds(&at, *func, *var, modulus, remainder)
        }
    }
}

fn marked(d: &Directive) -> Option<LoopName> {
    match d {
        Directive::Split { of, .. } | Directive::Fuse { of, .. } | Directive::Swap { of } => Some(*of),
        Directive::Traverse { of, .. } | Directive::ComputeWith { with: of, .. } => Some(*of),
        Directive::ComputeAt { at, .. } | Directive::StoreAt { at, .. } => Some(*at),
        Directive::Inline { .. } | Directive::Specialize { .. } | Directive::Bound { .. } => None,
        Directive::BoundExtent { .. } | Directive::AlignBounds { .. } => None,
    }
}

/// What can be said only of a whole schedule.
///
/// # Errors
/// A func is stored outside a parallel loop and computed inside.
pub fn seal(t: &Program, rules: Rules) -> Result<(), Refusal> {
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
