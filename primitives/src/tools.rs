//! What primitives share: walking, substitution, fresh copies, scopes. Pure functions on syntax.

pub mod idle;
pub mod operand;
pub mod parts;
pub mod scope;
pub mod stable;
pub mod subst;
pub mod walk;
