//! What primitives share: walking, substitution, fresh copies, scopes. Pure functions on syntax.

pub mod equal;
pub mod idle;
pub mod normal;
pub mod operand;
pub mod parts;
pub mod scope;
pub mod simplify;
pub mod stable;
pub mod subst;
pub mod walk;
