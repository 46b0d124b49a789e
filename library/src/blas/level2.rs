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
mod threads;
mod triangular;
mod unknowns;
mod updates;

pub(super) use rows::several_rows;
pub use shape::{Columns, Rows, Work};
pub(super) use updates::updated_rows;

use super::{Precision, Program};
use crate::Target;
use rewright_primitives::Proc;
use rewright_primitives::error::Result;

/// All programs: for vectors whose cells lie next to each other, and matrices whose rows do.
pub(super) fn programs(precision: Precision) -> Vec<Program> {
    [general::programs(precision), symmetric::programs(precision), triangular::programs(precision)].concat()
}

/// Vectors beside each other in a row of a triangle, where the length of what is left over is hard to reason about.
const BESIDE: i64 = 2;

/// Multiples of a vector that are added to rows.
pub(super) fn ends_last(p: &Proc, target: &Target) -> Result<Proc> {
    threads::rows(p, |p| general::ends_last(p, target))
}

/// Sums of rows.
pub(super) fn sums_of_rows(p: &Proc, target: &Target) -> Result<Proc> {
    threads::rows(p, |p| rows::sums_of_rows(p, target))
}

/// A sum of rows.
pub(super) fn sum_of_rows(p: &Proc, target: &Target) -> Result<Proc> {
    threads::sums(p, |p| general::sum_of_rows(p, target), target)
}
