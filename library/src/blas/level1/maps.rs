//! `axpy copy rot rotm scal swap`: every cell by itself.

use super::both;
use crate::blas::{Precision, Program};

/// The programs.
pub(super) fn programs(p: Precision) -> Vec<Program> {
    let two = ["x", "y"];
    [
        both(p, "axpy", "n: size, alpha: T, x: [T][n], y: [T][n]", &two, AXPY),
        both(p, "copy", "n: size, x: [T][n], y: [T][n]", &two, COPY),
        both(p, "rot", "n: size, x: [T][n], y: [T][n], c: T, s: T", &two, ROT),
        both(p, "rotm", "n: size, x: [T][n], y: [T][n], H: T[2, 2]", &two, ROTM),
        both(p, "scal", "n: size, alpha: T, x: [T][n]", &["x"], SCAL),
        both(p, "swap", "n: size, x: [T][n], y: [T][n]", &two, SWAP),
    ]
    .concat()
}

const AXPY: &str = "
for i in seq(0, n):
    y[i] += alpha * x[i]
";

const COPY: &str = "
for i in seq(0, n):
    y[i] = x[i]
";

const ROT: &str = "
for i in seq(0, n):
    t: T
    t = c * x[i] + s * y[i]
    y[i] = c * y[i] - s * x[i]
    x[i] = t
";

const ROTM: &str = "
for i in seq(0, n):
    t: T
    t = H[0, 0] * x[i] + H[0, 1] * y[i]
    y[i] = H[1, 0] * x[i] + H[1, 1] * y[i]
    x[i] = t
";

const SCAL: &str = "
for i in seq(0, n):
    x[i] = alpha * x[i]
";

const SWAP: &str = "
for i in seq(0, n):
    t: T
    t = x[i]
    x[i] = y[i]
    y[i] = t
";
