//! Programs as trees.

pub mod changed;
pub mod congruent;
pub mod formals;
pub mod inlining;
pub mod leading_writes;
pub mod normal;
pub mod occurrences;
pub mod operand;
pub mod pairs;
pub mod scope;
pub mod simplify;
pub mod stmt_views;
pub mod windows;
pub mod without;
