//! `hoist-storage(f, ℓ)`, an extension: the memory of `f` is taken once for each iteration of ℓ; what is allocated of it keeps the
//! size that it has where `f` is stored. Spec: [rule: halide.hoist].
//!
//! - `schedule.loop`: ℓ stands around the allocation.
//! - `schedule.shared-storage`: memory that is taken outside of a parallel loop is shared by its iterations, and counts as storage
//!   there.

use super::directive::{Form, Phase, Source};
use super::refusal::{Context, LOOP, Refusal, Restriction};
use super::split::no_loop;
use crate::tgt::walk::visit;
use crate::tgt::{LoopName, Program, Stmt};
use rewright_base::sym::Name;

/// `hoist-storage(f, ℓ)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoistStorage {
    /// The func.
    pub func: Name,
    /// The loop.
    pub at: LoopName,
}

impl Form for HoistStorage {
    const NAMES: &'static [&'static str] = &["hoist-storage"];
    const PHASE: Phase = Phase::Storage;
    const RESTRICTIONS: &'static [Restriction] = &[];

    fn read<S: Source>(_: &str, from: &mut S) -> Result<Self, S::Error> {
        Ok(HoistStorage { func: from.func()?, at: from.loop_name()? })
    }

    fn name(&self) -> &'static str {
        "hoist-storage"
    }

    fn arguments(&self) -> String {
        format!("{}, {}", self.func, self.at)
    }

    fn marked(&self) -> Option<LoopName> {
        Some(self.at)
    }

    fn after_consumers_of(&self) -> Option<Name> {
        None
    }

    fn apply(&self, at: &Context<'_>) -> Result<Program, Refusal> {
        let Some(l) = at.program.find_loop(self.at) else { return Err(no_loop(at, self.at)) };
        let mut inside = false;
        visit(&l.body, &mut |s: &Stmt| inside |= s.allocated() == Some(self.func));
        if !inside {
            return Err(at.refuse(LOOP, format!("`{}` is not stored inside loop {}", self.func, self.at)));
        }
        let mut t = at.program.clone();
        t.hoisted.insert(self.func, self.at);
        Ok(t)
    }
}
