//! What primitives share: walking, substitution, fresh copies, scopes. Pure functions on syntax.

pub mod parts;
pub mod race;
pub mod scope;
pub mod stable;
pub mod subst;
pub mod walk;
