//! Level 3: matrices.

mod copies;
mod general;
mod panels;
mod symmetric;
mod triangular;

pub(super) use general::{factors, panels, product};
pub(super) use symmetric::triangles;
pub(super) use triangular::{solution, triangular};

use super::{Precision, Program};

/// All programs: for matrices whose rows lie next to each other.
pub(super) fn programs(precision: Precision) -> Vec<Program> {
    [general::programs(precision), symmetric::programs(precision), triangular::programs(precision)].concat()
}

const UNIT: [&str; 3] = ["stride(A, 1) == 1", "stride(B, 1) == 1", "stride(C, 1) == 1"];
