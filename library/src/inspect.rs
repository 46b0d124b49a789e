//! What can be found out about a program: functions on cursors. ASPLOS'25 §3.4, §4. Spec: [rule: library.inspection].

mod accesses;
mod buffers;
mod loops;

pub use accesses::{Access, accesses, accumulators, invariants, is_unit_stride, names_in, writers};
pub use buffers::{Buffer, buffer, fresh, is_live, live_buffers, precisions};
pub use loops::{
    encloses, enclosing_loops, inner_loops, innermost_loops, is_parallelizable, is_reduction, trip_count,
};
