//! Level 1: vectors.

mod maps;
mod reductions;

use super::{Precision, Program};

/// All programs: each for vectors of any strides, and for those whose cells lie next to each other.
pub(super) fn programs(precision: Precision) -> Vec<Program> {
    [maps::programs(precision), reductions::programs(precision)].concat()
}

/// Vectors beside each other: as many sums hide the latency of an addition.
const BESIDE: i64 = 4;

/// A program of vectors `vectors` for any strides, and for those whose cells lie next to each other.
fn both(precision: Precision, name: &str, parameters: &str, vectors: &[&str], body: &str) -> Vec<Program> {
    let unit: Vec<String> = vectors.iter().map(|x| format!("stride({x}, 0) == 1")).collect();
    let unit: Vec<&str> = unit.iter().map(String::as_str).collect();
    let strided = Program::new(precision, &format!("{name}_strided"), parameters, &[], body);
    vec![Program::new(precision, name, parameters, &unit, body).vectorized(&["i"], BESIDE), strided]
}
