//! Cursors, edits, forwarding, versions, and the primitive rewrites. ASPLOS'25 §2-5 and App. A; PLDI'22 §5, §6.
//!
//! What must stay true at this boundary: the only way to a new version of a procedure is [`rewrite::Rewrite`].
//! It takes conditions, every one a [`registry::Condition`] of the primitive's entry, before edits; each edit is
//! data ([`edit::Edit`]), and forwarding of cursors is derived from the edits. Nothing here runs a program.
//!
//! One letter per sort: `p` a procedure at a version, `s` a statement, `b` a block, `e` an expression, `x` a
//! symbol, `c` a cursor, `at` a place in a procedure.

mod compare;
pub mod cursor;
pub mod derivation;
pub mod edit;
pub mod equivalence;
pub mod error;
pub mod forward;
pub mod hof;
pub mod kept;
pub mod left_open;
pub mod ops;
pub mod refused;
pub mod registry;
pub mod rewrite;
pub mod script;
pub mod tools;
pub mod unify;
pub mod version;

pub use cursor::Cursor;
pub use error::{Found, InvalidCursor, SchedulingError};
pub use rewrite::Rewrite;
pub use version::Proc;
