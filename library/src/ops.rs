//! Operations that serve every machine, each made of primitives. ASPLOS'25 §6. Spec: [rule: library.operations].
//!
//! Each takes a procedure and cursors of it or of a version before it, and gives a new version; cursors to what is still
//! there go on with [`Proc::forward`](rewright_primitives::Proc::forward). A refusal names the operation, what it was
//! doing, and what the primitive said ([`crate::refusal`]).

mod hoist;
mod interleave;
mod loops;
mod reductions;
mod stage;
mod tidy;
mod tile;

pub use hoist::{hoist, hoist_all};
pub use interleave::interleave;
pub use loops::fission_into_singles;
pub use reductions::{lanes_for_reductions, sums_per_iteration};
pub use stage::stage_operations;
pub use tidy::{add_at_once, auto_divide, cleanup, cse_loads, cut_tail, round_up, stage};
pub use tile::{tile, unroll_and_jam};
