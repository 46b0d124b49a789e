//! `swap(ℓ)`. Thesis §2.8.2; spec: [rule: halide.swap].
//!
//! `for a in I do for b in J do s` ~> `for b in J do for a in I do s`; lets and guards that a split left between the two
//! move inside, since no loop's bounds mention the variables of lets.
//!
//! - `swap.reductions`: not two reduction loops. Without: `s[x] <- 3*s[x] + r + 10*t` sums in another order. The papers
//!   say both "only pure loops" and "anything but two reduction loops"; the second is meant (spec errata H-8).

use super::refusal::{LOOP, Refusal, SWAP_REDUCTIONS, Site};
use super::split::no_loop;
use crate::tgt::{For, LoopName, Program, Stmt};

pub(super) fn swap(at: &Site<'_>, of: LoopName) -> Result<Program, Refusal> {
    let Some(outer) = at.program.find_loop(of) else { return Err(no_loop(at, of)) };
    let Some(inner) = outer.inner_loop() else {
        return Err(at.refuse(LOOP, format!("no loop stands immediately inside {of}")));
    };
    at.require(SWAP_REDUCTIONS, outer.pure || inner.pure, || {
        format!("`{}` and `{}` are both reduction loops", outer.var, inner.var)
    })?;
    let sunk = For { body: inner.body.clone(), ..outer.clone() };
    let new = Stmt::For(For { body: vec![Stmt::For(sunk)], ..inner.clone() });
    let t = at.program.replace_first(&mut |s| s.is_loop(of).then(|| vec![new.clone()]));
    t.ok_or_else(|| no_loop(at, of))
}
