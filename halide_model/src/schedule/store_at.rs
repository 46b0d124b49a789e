//! `store-at(f, ℓ)`. Thesis §2.8.4; spec: [rule: halide.store-at].
//!
//! `allocate f(…)` moves to the front of ℓ's body.
//!
//! - `store-at.output`: the output stays at the top. Without: there is nothing to return.
//! - `store-at.dominates`: what computes `f`, and so every use, stays inside. Without: a value is stored where
//!   nothing is allocated.

use super::refusal::{FUNC, Refusal, STORE_DOMINATES, STORE_OUTPUT, Site};
use super::split::no_loop;
use crate::tgt::invariant::dominance;
use crate::tgt::{Block, LoopName, Program, Stmt};
use rewright_base::sym::Name;

pub(super) fn store_at(at: &Site<'_>, func: Name, l: LoopName) -> Result<Program, Refusal> {
    let t = at.program;
    if t.find_loop(l).is_none() {
        return Err(no_loop(at, l));
    }
    at.require(STORE_OUTPUT, t.algorithm.output != func, || format!("`{func}` is the output"))?;
    let mut taken = None;
    let without = t.replace_first(&mut |s| {
        if !matches!(s, Stmt::Allocate { func: f, .. } if *f == func) {
            return None;
        }
        taken = Some(s.clone());
        Some(Block::new())
    });
    let (Some(without), Some(allocate)) = (without, taken) else {
        return Err(at.refuse(FUNC, format!("nothing allocates func `{func}`")));
    };
    let new = without.replace_first(&mut |s| {
        let Stmt::For(inner) = s else { return None };
        if inner.site != l.site || inner.var != l.var {
            return None;
        }
        let mut new = inner.clone();
        new.body.insert(0, allocate.clone());
        Some(vec![Stmt::For(new)])
    });
    let new = new.ok_or_else(|| no_loop(at, l))?;
    at.require(STORE_DOMINATES, dominance(&new).is_none(), || {
        format!("`{func}` is computed or used outside of loop {l}")
    })?;
    Ok(new)
}
