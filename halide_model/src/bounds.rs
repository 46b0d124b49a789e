//! Bounds inference. Thesis §2.7; spec: [rule: halide.bounds].
//!
//! [`query`] is 𝓑(T); an engine answers it with a [`Solution`]; [`complete`] puts the solution into the program;
//! [`verify`] asks z3 whether it satisfies the query for all inputs. No engine is trusted.

pub mod complete;
mod demand;
mod extreme;
pub(crate) mod float_range;
pub mod interval;
pub mod normal;
pub mod oracle;
pub mod origin;
pub mod query;
pub mod tight;
pub mod values;
pub mod verify;

use crate::expr::{Expr, Interval, Region};
use std::collections::BTreeMap;

/// What an engine answers: for each region of the query, its bounds in terms of what is in scope there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Solution {
    /// Bounds per dimension.
    pub regions: BTreeMap<Region, Vec<Interval>>,
    /// What is asserted just before the func of a region is computed: that a window given by a directive covers what
    /// is needed.
    pub checks: BTreeMap<Region, Vec<Expr>>,
}

/// Why an engine gives no bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoBounds {
    /// The region.
    pub region: Region,
    /// The dimension.
    pub dim: usize,
    /// Why.
    pub why: String,
}

impl std::fmt::Display for NoBounds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let NoBounds { region, dim, why } = self;
        write!(f, "no bounds for dimension {dim} of {}: {why}", crate::text::print::region(*region))
    }
}
