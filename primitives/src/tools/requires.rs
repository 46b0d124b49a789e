//! What rewrites require beyond the conditions of the effect analysis.

pub mod calls;
pub mod context_extension;
pub mod copies;
pub mod definitely_assigned;
pub mod equal;
pub mod held;
pub mod invariant;
pub mod needs;
pub mod noop;
pub mod precision;
pub mod race;
pub mod tentative;
pub mod values;
pub mod within;
