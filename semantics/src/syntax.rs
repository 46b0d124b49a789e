//! Trees, for whoever analyses, rewrites or compiles them: walking, substitution, arithmetic on control expressions.
//! The interpreter uses none of it.

pub mod comparison;
pub mod configs;
pub mod fold;
pub mod memories;
pub mod naming;
mod parts;
pub mod subst;
pub mod walk;
