//! The primitives: one file each. A new one is a file here and a line in [`ALL`].

pub mod divide_loop;
pub mod reorder_loops;
pub mod reorder_stmts;

use crate::registry::Primitive;

/// Every primitive, in the order of ASPLOS'25 App. A.
pub static ALL: &[&Primitive] =
    &[&reorder_loops::REORDER_LOOPS, &divide_loop::DIVIDE_LOOP, &reorder_stmts::REORDER_STMTS];

/// The primitive of this name.
pub fn by_name(name: &str) -> Option<&'static Primitive> {
    ALL.iter().copied().find(|p| p.name == name)
}
