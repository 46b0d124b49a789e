//! `asum dot dsdot sdsdot`, and what `nrm2` and `iamax` are made of: sums and a maximum, which are added to what
//! is there.

use super::{BESIDE, both};
use crate::blas::{Plan, Precision, Program};

/// The programs.
pub(super) fn programs(p: Precision) -> Vec<Program> {
    let two = ["x", "y"];
    let both_precisions = [
        both(p, "asum", "n: size, x: [T][n], sum: T", &["x"], ASUM),
        both(p, "amax", "n: size, x: [T][n], largest: T", &["x"], AMAX),
        both(p, "dot", "n: size, x: [T][n], y: [T][n], sum: T", &two, DOT),
    ];
    let one = match p {
        Precision::F32 => both(p, "dot64", "n: size, x: [T][n], y: [T][n], sum: f64", &two, DOT64),
        Precision::F64 => both(p, "squares", SQUARES_OF, &["x"], SQUARES),
    };
    let mut all = [both_precisions.concat(), one].concat();
    for program in &mut all {
        program.plan = match program.name.as_str() {
            // Comparisons of data have no vectors yet.
            "amax" | "squares" => Plan::AsItIs,
            "dot64" => Plan::Doubles { at: "i", beside: BESIDE },
            _ => program.plan,
        };
    }
    all
}

const ASUM: &str = "
for i in seq(0, n):
    sum += fabsf(x[i])
";

/// What is no number is never the largest.
const AMAX: &str = "
for i in seq(0, n):
    largest = select(largest, fabsf(x[i]), fabsf(x[i]), largest)
";

const DOT: &str = "
for i in seq(0, n):
    sum += x[i] * y[i]
";

/// Products of two `f32` are exact in `f64`.
const DOT64: &str = "
for i in seq(0, n):
    a: f64
    b: f64
    a = x[i]
    b = y[i]
    sum += a * b
";

const SQUARES_OF: &str =
    "n: size, x: [T][n], least: T, most: T, up: T, down: T, small: T, middle: T, large: T";

/// The sums of squares of what is small, scaled up, of what is large, scaled down, and of the others: none of them
/// overflows or vanishes where the norm does not (J. Blue, 1978). What is no number is among the others.
const SQUARES: &str = "
for i in seq(0, n):
    a: T
    a = fabsf(x[i])
    u: T
    u = up * a
    d: T
    d = down * a
    small += select(a, least, u * u, 0.0)
    large += select(most, a, d * d, 0.0)
    middle += select(a, least, 0.0, select(most, a, 0.0, a * a))
";
