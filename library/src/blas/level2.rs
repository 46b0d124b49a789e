//! Level 2: a matrix and vectors.

mod blocks;
mod equations;
mod general;
mod lanes;
mod products;
mod rows;
mod shape;
mod strips;
mod symmetric;
mod triangular;

pub(super) use general::{ends_last, sum_of_rows};
pub(super) use rows::{several_rows, sums_of_rows};
pub use shape::{Columns, Rows, Work};

use super::{Precision, Program};

/// All programs: for vectors whose cells lie next to each other, and matrices whose rows do.
pub(super) fn programs(precision: Precision) -> Vec<Program> {
    [general::programs(precision), symmetric::programs(precision), triangular::programs(precision)].concat()
}

/// Vectors beside each other in a row of a triangle, where the length of what is left over is hard to reason about.
const BESIDE: i64 = 2;
