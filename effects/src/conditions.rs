//! The conditions of rewriting. PLDI'22 §5.7, §5.8, §6.2; spec: [rule: conditions].
//!
//! Each function states, for statements at the hole of a [`Context`](crate::context::Context), what must be valid; it decides
//! nothing. Where a condition is about names and not about values, and fails, the obligation's formula is
//! `false`.

mod buffers;
mod cells;
mod exprs;
pub mod formulas;
mod iteration;
mod loops;
mod overwritten;
mod piece;
mod recomputed;
mod same;
mod states;
mod stmts;
mod values;
mod writes;

pub use buffers::{downward, no_carry, share, upward};
pub use cells::{cell, not_changed_by, not_read_by, not_touched_by, place, read_by, same_place};
pub(crate) use exprs::within;
pub use exprs::{
    equal_after, equal_exprs, holds, holds_unsaid, in_bounds, nonnegative, positive, same_after,
};
pub(crate) use loops::TwoIterations;
pub use loops::{
    fission, fuse_loops, parallel, parallel_from_outside, recompute, remove_loop, reorder_loops,
    reverse_loop, runs_at_least_once,
};
pub use stmts::cells_of;
pub use stmts::{
    commutes, commutes_but_for, dead_after, dead_changes, idempotent, registers_of_both, remaining_globals,
    same_after_either, shared_by_iterations, unread_after, unread_again,
};

use crate::obligation::ConditionId;

pub(crate) const COMMUTES: ConditionId = ConditionId("commutes");
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
/// That iterations of a loop are apart.
pub const LOOP_PARALLEL: ConditionId = ConditionId("loop.parallel");
pub(crate) const EQUAL: ConditionId = ConditionId("equal");
pub(crate) const HOLDS: ConditionId = ConditionId("holds");
pub(crate) const IN_BOUNDS: ConditionId = ConditionId("bounds");
pub(crate) const SAME_CELL: ConditionId = ConditionId("cell.same");
pub(crate) const UNTOUCHED: ConditionId = ConditionId("cell.untouched");
pub(crate) const NONNEGATIVE: ConditionId = ConditionId("nonnegative");
pub(crate) const POSITIVE: ConditionId = ConditionId("positive");
pub(crate) const BUFFER_CARRY: ConditionId = ConditionId("buffer.carry");
pub(crate) const BUFFER_ORDER: ConditionId = ConditionId("buffer.order");
pub(crate) const BUFFER_UNTOUCHED: ConditionId = ConditionId("buffer.untouched");
