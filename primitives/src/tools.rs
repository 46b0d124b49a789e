//! What primitives share: walking, substitution, fresh copies, scopes. Pure functions on syntax.

pub mod candidate;
pub mod decided;
pub mod declared;
pub mod depends;
pub mod equal;
pub mod fold;
pub mod idle;
pub mod naming;
pub mod normal;
pub mod occurrences;
pub mod operand;
pub mod parts;
pub mod precision;
pub mod race;
pub mod relayout;
pub mod scope;
pub mod simplify;
pub mod stable;
pub mod staging;
pub mod subst;
pub mod uses;
pub mod values;
pub mod views;
pub mod walk;
pub mod within;
