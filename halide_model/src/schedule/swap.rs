//! `swap(ℓ)`. Thesis §2.8.2; spec: [rule: halide.swap].
//!
//! `for a in I do for b in J do s` ~> `for b in J do for a in I do s`; lets and guards that a split left between the two
//! move inside, since no loop's bounds mention the variables of lets.
//!
//! - `swap.reductions`: not two reduction loops. Without: `s[x] <- 3*s[x] + r + 10*t` sums in another order. The papers
//!   say both "only pure loops" and "anything but two reduction loops"; the second is meant (spec errata H-8).

use super::refusal::{LOOP, Refusal, SWAP_REDUCTIONS, Site};
use super::split::{is_loop, no_loop};
use crate::tgt::{Block, For, LoopName, Program, Stmt};

pub(super) fn swap(at: &Site<'_>, of: LoopName) -> Result<Program, Refusal> {
    let Some(outer) = at.program.find_loop(of) else { return Err(no_loop(at, of)) };
    let Some(inner) = inner_loop(outer) else {
        return Err(at.refuse(LOOP, format!("no loop stands immediately inside {of}")));
    };
    at.require(SWAP_REDUCTIONS, outer.pure || inner.pure, || {
        format!("`{}` and `{}` are both reduction loops", outer.var, inner.var)
    })?;
    let sunk = For { body: inner.body.clone(), ..outer.clone() };
    let new = Stmt::For(For { body: vec![Stmt::For(sunk)], ..inner.clone() });
    let t = at.program.replace_first(&mut |s| is_loop(s, of).then(|| vec![new.clone()]));
    t.ok_or_else(|| no_loop(at, of))
}

/// The loop immediately inside, with the lets and guards that stood between moved into its body.
pub(super) fn inner_loop(outer: &For) -> Option<For> {
    sunk(&outer.body)
}

fn sunk(b: &Block) -> Option<For> {
    let [s] = b.as_slice() else { return None };
    match s {
        Stmt::For(l) => Some(l.clone()),
        Stmt::Let { var, value, body } => {
            let inner = sunk(body)?;
            let body = vec![Stmt::Let { var: *var, value: value.clone(), body: inner.body }];
            Some(For { body, ..inner })
        }
        Stmt::If { cond, then, other } if other.is_empty() => {
            let inner = sunk(then)?;
            // The update's predicate stands inside all loops; what stands around one is a split's guard.
            let body = vec![Stmt::If { cond: cond.clone(), then: inner.body, other: Block::new() }];
            Some(For { body, ..inner })
        }
        Stmt::If { .. } | Stmt::Assert { .. } | Stmt::Allocate { .. } => None,
        Stmt::Store { .. } | Stmt::Label { .. } => None,
    }
}
