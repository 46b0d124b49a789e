//! `traverse(ℓ, τ)`, and the extensions `vectorize(ℓ)` and `unroll(ℓ)`. Thesis §2.8.2, §2.8.6;
//! spec: [rule: halide.traverse].
//!
//! - `traverse.pure`: only pure loops; `unroll` keeps the order of iterations and is for all loops. Without: the
//!   iterations of `s[x] <- s[x] + g[r]` race.

use super::refusal::{Refusal, Site, TRAVERSE_PURE};
use super::split::no_loop;
use crate::tgt::{For, LoopName, Order, Program, Stmt};

pub(super) fn traverse(at: &Site<'_>, of: LoopName, order: Order) -> Result<Program, Refusal> {
    let Some(l) = at.program.find_loop(of) else { return Err(no_loop(at, of)) };
    at.require(TRAVERSE_PURE, l.pure || order == Order::Unrolled, || {
        format!("{of} is a reduction loop: its iterations depend on each other")
    })?;
    let new = Stmt::For(For { order, ..l.clone() });
    let t = at.program.replace_first(&mut |s| s.is_loop(of).then(|| vec![new.clone()]));
    t.ok_or_else(|| no_loop(at, of))
}
