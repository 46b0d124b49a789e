//! The conditions of rewriting. PLDI'22 §5.7, §5.8, §6.2; spec: [rule: conditions].
//!
//! Each function states, for statements at the hole of a [`Context`], what must be valid; it decides
//! nothing. Where a condition is about names and not about values, and fails, the obligation's formula is
//! `false`.

mod again;
mod buffers;
mod cells;
mod exprs;
mod loops;
mod same;
mod states;
mod stmts;
mod writes;

pub use buffers::{no_carry, share, untouched, upward};
pub use cells::{cell, not_changed_by, not_read_by, not_touched_by, place, read_by, same_place};
pub(crate) use exprs::within;
pub use exprs::{equal_after, equal_exprs, holds, in_bounds, positive, same_after};
pub(crate) use loops::TwoIterations;
pub use loops::{fission, fuse_loops, parallel, recompute, remove_loop, reorder_loops, runs_at_least_once};
pub use stmts::cells_of;
pub use stmts::{commutes, dead_after, idempotent, remaining_globals, shadows, unread_after};

use crate::effect::Effect;
use crate::effexpr::EffExpr;
use crate::env::Field;
use crate::locset::{Base, Loc, LocSet};
use crate::obligation::ConditionId;
use std::collections::BTreeSet;

/// The ids of all conditions stated here.
pub const CONDITIONS: [ConditionId; 22] = [
    COMMUTES,
    SHADOWS,
    IDEMPOTENT,
    SCOPE,
    DEAD_AFTER,
    UNREAD_AFTER,
    LOOP_BOUNDS,
    LOOP_ITERATIONS,
    LOOP_FISSION,
    LOOP_FUSION,
    LOOP_VARIABLE,
    LOOP_RUNS,
    LOOP_PARALLEL,
    EQUAL,
    HOLDS,
    IN_BOUNDS,
    POSITIVE,
    SAME_CELL,
    UNTOUCHED,
    BUFFER_CARRY,
    BUFFER_ORDER,
    BUFFER_UNTOUCHED,
];

pub(crate) const COMMUTES: ConditionId = ConditionId("commutes");
pub(crate) const SHADOWS: ConditionId = ConditionId("shadows");
pub(crate) const IDEMPOTENT: ConditionId = ConditionId("idempotent");
pub(crate) const SCOPE: ConditionId = ConditionId("scope");
pub(crate) const DEAD_AFTER: ConditionId = ConditionId("dead-after");
pub(crate) const UNREAD_AFTER: ConditionId = ConditionId("unread-after");
pub(crate) const LOOP_BOUNDS: ConditionId = ConditionId("loop.bounds");
pub(crate) const LOOP_ITERATIONS: ConditionId = ConditionId("loop.iterations-commute");
pub(crate) const LOOP_FISSION: ConditionId = ConditionId("loop.fission");
pub(crate) const LOOP_FUSION: ConditionId = ConditionId("loop.fusion");
pub(crate) const LOOP_VARIABLE: ConditionId = ConditionId("loop.variable");
pub(crate) const LOOP_RUNS: ConditionId = ConditionId("loop.runs");
pub(crate) const LOOP_PARALLEL: ConditionId = ConditionId("loop.parallel");
pub(crate) const EQUAL: ConditionId = ConditionId("equal");
pub(crate) const HOLDS: ConditionId = ConditionId("holds");
pub(crate) const IN_BOUNDS: ConditionId = ConditionId("bounds");
pub(crate) const SAME_CELL: ConditionId = ConditionId("cell.same");
pub(crate) const UNTOUCHED: ConditionId = ConditionId("cell.untouched");
pub(crate) const POSITIVE: ConditionId = ConditionId("positive");
pub(crate) const BUFFER_CARRY: ConditionId = ConditionId("buffer.carry");
pub(crate) const BUFFER_ORDER: ConditionId = ConditionId("buffer.order");
pub(crate) const BUFFER_UNTOUCHED: ConditionId = ConditionId("buffer.untouched");

/// Commutes a1 a2. Def. 5.6.
///
/// R+_H stands where the paper has R+, and reads that a write hides are kept: both differ only in places
/// where another conjunct fails anyway [E-8], and no quantifier is left.
pub fn commutes_formula(a1: &Effect, a2: &Effect) -> EffExpr {
    commutes_but_for(a1, a2, &BTreeSet::new())
}

/// The same, but for fields that both effects leave at one value: these may be written by both if neither
/// reads what the other wrote [E-31].
pub(crate) fn commutes_but_for(a1: &Effect, a2: &Effect, settled: &BTreeSet<Field>) -> EffExpr {
    let sets = [(a1.wr(), a2.all()), (a2.wr(), a1.all()), (a1.red_h(), a2.reads()), (a2.red_h(), a1.reads())];
    let apart = |keep: &dyn Fn(Base) -> bool| {
        EffExpr::and(sets.clone().map(|(a, b)| a.on(keep).inter(b.on(keep)).is_empty()))
    };
    let is_settled = |b: Base| matches!(b, Base::Global(f) if settled.contains(&f));
    let mut out = vec![apart(&|b| !is_settled(b))];
    for field in settled {
        let place = Loc { base: Base::Global(*field), idx: [].into() };
        let unread = |a: &Effect| EffExpr::not(EffExpr::maybe(a.rd().contains(&place)));
        let alone = apart(&|b| b == place.base);
        out.push(EffExpr::or([EffExpr::definitely(alone), EffExpr::and([unread(a1), unread(a2)])]));
    }
    EffExpr::definitely(EffExpr::and(out))
}

/// No place is changed by one and touched by the other: Commutes, where reductions count as changes too.
/// What two threads may do at once.
pub fn disjoint_formula(a1: &Effect, a2: &Effect) -> EffExpr {
    let apart = |a: LocSet, b: LocSet| a.inter(b).is_empty();
    EffExpr::definitely(EffExpr::and([apart(a1.modified(), a2.all()), apart(a2.modified(), a1.all())]))
}

/// Shadows a1 a2: `∀x ∈ M Mod(a1). x ∉ M Rd(a2) ∧ x ∈ D Wr(a2)`. Def. 5.7.
pub fn shadows_formula(a1: &Effect, a2: &Effect) -> EffExpr {
    let (read, written) = (a2.rd(), a2.wr());
    a1.modified().for_all(|x: &Loc, changed| {
        EffExpr::implies(
            EffExpr::maybe(changed),
            EffExpr::and([
                EffExpr::not(EffExpr::maybe(read.contains(x))),
                EffExpr::definitely(written.contains(x)),
            ]),
        )
    })
}
