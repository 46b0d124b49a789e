//! What the languages of Rewright share: names, places in source text, diagnostics and their rendering,
//! exact numbers.
//!
//! What must stay true at this boundary: nothing here knows of any language.

pub mod c_names;
pub mod decimal;
pub mod diag;
pub mod number;
pub mod render;
pub mod rng;
pub mod shell;
pub mod span;
pub mod sym;
