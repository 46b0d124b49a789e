//! `store-at(f, ℓ)`. Thesis §2.8.4; spec: [rule: halide.store-at].
//!
//! `allocate f(…)` moves to the front of ℓ's body.
//!
//! - `store-at.output`: the output stays at the top. Without: there is nothing to return.
//! - `store-at.dominates`: what computes `f`, and so every use, stays inside. Without: a value is stored where
//!   nothing is allocated.

use super::directive::{Form, Phase, Source};
use super::refusal::{Context, FUNC, Refusal, Restriction};
use super::split::no_loop;
use crate::tgt::invariant::dominance;
use crate::tgt::{Block, LoopName, Program, Stmt};
use rewright_base::sym::Name;

const OUTPUT: Restriction = Restriction::new("store-at.output", "the output is allocated at the top");
const DOMINATES: Restriction =
    Restriction::new("store-at.dominates", "a func is allocated around all of its uses");

/// `store-at(f, ℓ)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreAt {
    /// The func.
    pub func: Name,
    /// The loop.
    pub at: LoopName,
}

impl Form for StoreAt {
    const NAMES: &'static [&'static str] = &["store-at"];
    const PHASE: Phase = Phase::Storage;
    const RESTRICTIONS: &'static [Restriction] = &[OUTPUT, DOMINATES];

    fn read<S: Source>(_: &str, from: &mut S) -> Result<Self, S::Error> {
        Ok(StoreAt { func: from.func()?, at: from.loop_name()? })
    }

    fn name(&self) -> &'static str {
        "store-at"
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
        store_at(at, self.func, self.at)
    }
}

fn store_at(at: &Context<'_>, func: Name, l: LoopName) -> Result<Program, Refusal> {
    let t = at.program;
    if t.find_loop(l).is_none() {
        return Err(no_loop(at, l));
    }
    at.require(OUTPUT, !t.algorithm.is_output(func), || format!("`{func}` is the output"))?;
    let mut taken = None;
    let without = t.replace_first(&mut |s| {
        if s.allocated() != Some(func) {
            return None;
        }
        taken = Some(s.clone());
        Some(Block::new())
    });
    let (Some(without), Some(allocate)) = (without, taken) else {
        return Err(at.refuse(FUNC, format!("nothing allocates func `{func}`")));
    };
    let new = without.replace_first(&mut |s| {
        let mut new = s.as_loop().filter(|inner| inner.name() == l)?.clone();
        new.body.insert(0, allocate.clone());
        Some(vec![Stmt::For(new)])
    });
    let new = new.ok_or_else(|| no_loop(at, l))?;
    at.require(DOMINATES, dominance(&new).is_none(), || {
        format!("`{func}` is computed or used outside of loop {l}")
    })?;
    Ok(new)
}
