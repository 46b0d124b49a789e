//! `swap(ℓ)`. Thesis §2.8.2; spec: [rule: halide.swap].
//!
//! `for a in I do for b in J do s` ~> `for b in J do for a in I do s`; lets and guards that a split left between the two
//! move inside, since no loop's bounds mention the variables of lets.
//!
//! - `swap.reductions`: not two reduction loops. Without: `s[x] <- 3*s[x] + r + 10*t` sums in another order. The papers
//!   say both "only pure loops" and "anything but two reduction loops"; the second is meant [H-8].
//! - `swap.blend`: a loop of tiles that blend stays around them. Without: parallel iterations of the inner loop would each run
//!   through all tiles, and write back each other's points.

use super::directive::{Form, Phase, Source};
use super::refusal::{Context, LOOP, Refusal, Restriction};
use super::split::no_loop;
use crate::tgt::{For, LoopName, Program, Stmt};
use rewright_base::sym::Name;

const BLEND: Restriction = Restriction::new("swap.blend", "a loop of tiles that blend stays around them");
const REDUCTIONS: Restriction = Restriction::new("swap.reductions", "two reduction loops keep their order");

/// `swap(ℓ)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Swap {
    /// The outer loop.
    pub of: LoopName,
}

impl Form for Swap {
    const NAMES: &'static [&'static str] = &["swap"];
    const PHASE: Phase = Phase::Loops;
    const RESTRICTIONS: &'static [Restriction] = &[REDUCTIONS, BLEND];

    fn read<S: Source>(_: &str, from: &mut S) -> Result<Self, S::Error> {
        Ok(Swap { of: from.loop_name()? })
    }

    fn name(&self) -> &'static str {
        "swap"
    }

    fn arguments(&self) -> String {
        self.of.to_string()
    }

    fn marked(&self) -> Option<LoopName> {
        Some(self.of)
    }

    fn after_consumers_of(&self) -> Option<Name> {
        None
    }

    fn apply(&self, at: &Context<'_>) -> Result<Program, Refusal> {
        swap(at, self.of)
    }
}

fn swap(at: &Context<'_>, of: LoopName) -> Result<Program, Refusal> {
    let Some(outer) = at.program.find_loop(of) else { return Err(no_loop(at, of)) };
    let Some(inner) = outer.inner_loop() else {
        return Err(at.refuse(LOOP, format!("no loop stands immediately inside {of}")));
    };
    let any = outer.pure || inner.pure || at.program.is_atomic(of.site);
    at.require(REDUCTIONS, any, || format!("`{}` and `{}` are both reduction loops", outer.var, inner.var))?;
    at.require(BLEND, !outer.blended, || format!("the tiles of `{}` overlap", outer.var))?;
    let sunk = For { body: inner.body.clone(), ..outer.clone() };
    let new = Stmt::For(For { body: vec![Stmt::For(sunk)], ..inner.clone() });
    let t = at.program.replace_first(&mut |s| s.is_loop(of).then(|| vec![new.clone()]));
    t.ok_or_else(|| no_loop(at, of))
}
