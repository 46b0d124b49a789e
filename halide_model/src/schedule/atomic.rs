//! `atomic(f, k)`, an extension: each store of update stage `k` happens at once with what it reads, so that its iterations
//! may run in any order. Spec: [rule: halide.atomic].
//!
//! - `atomic.combines`: the update is `f[ē] <- f[ē] ⊕ e` with an associative and commutative operation, and reads `f` nowhere
//!   else. Without: `f[] <- 3 * f[] + r` depends on the order.

use super::directive::{Form, Phase, Source};
use super::refusal::{Context, FUNC, Refusal, Restriction};
use crate::combine;
use crate::tgt::{LoopName, Program};
use rewright_base::sym::Name;

const COMBINES: Restriction =
    Restriction::new("atomic.combines", "only updates that combine are the same in any order");

/// `atomic(f, k)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atomic {
    /// The func.
    pub func: Name,
    /// Its update stage.
    pub stage: usize,
}

impl Form for Atomic {
    const NAMES: &'static [&'static str] = &["atomic"];
    const PHASE: Phase = Phase::Loops;
    const RESTRICTIONS: &'static [Restriction] = &[COMBINES];

    fn read<S: Source>(_: &str, from: &mut S) -> Result<Self, S::Error> {
        Ok(Atomic { func: from.func()?, stage: from.stage()? })
    }

    fn name(&self) -> &'static str {
        "atomic"
    }

    fn arguments(&self) -> String {
        format!("{}, {}", self.func, self.stage)
    }

    fn marked(&self) -> Option<LoopName> {
        None
    }

    fn after_consumers_of(&self) -> Option<Name> {
        None
    }

    fn apply(&self, at: &Context<'_>) -> Result<Program, Refusal> {
        let Atomic { func, stage } = *self;
        let p = &at.program.algorithm;
        let there = p.func(func).is_some_and(|f| stage < f.stages());
        at.require(FUNC, there, || format!("func `{func}` has no stage {stage}"))?;
        at.require(COMBINES, combine::of_stage(p, func, stage).is_some(), || {
            format!("stage {stage} of `{func}` is not of the form `{func}[…] <- {func}[…] op e` with `op` of integers, associative and commutative")
        })?;
        let mut t = at.program.clone();
        t.atomic.insert((func, stage));
        Ok(t)
    }
}
