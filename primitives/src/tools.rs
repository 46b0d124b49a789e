//! What primitives share: walking, substitution, fresh copies, scopes. Pure functions on syntax.

pub mod candidate;
pub mod decided;
pub mod fold;
pub mod idle;
pub mod operand;
pub mod parts;
pub mod relayout;
pub mod scope;
pub mod stable;
pub mod subst;
pub mod uses;
pub mod views;
pub mod walk;
