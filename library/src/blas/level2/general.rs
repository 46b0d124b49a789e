//! `gemv ger`.

use crate::blas::{Precision, Program, Trans};

/// The programs.
pub(super) fn programs(p: Precision) -> Vec<Program> {
    Trans::ALL.into_iter().map(|trans| gemv(p, trans)).chain([ger(p)]).collect()
}

/// `y += alpha op(A) x`, where A has m rows and n columns.
fn gemv(p: Precision, trans: Trans) -> Program {
    let (x, y) = match trans {
        Trans::No => ("n", "m"),
        Trans::Yes => ("m", "n"),
    };
    let parameters = format!("m: size, n: size, alpha: T, A: [T][m, n], x: [T][{x}], y: [T][{y}]");
    let body = match trans {
        Trans::No => BY_ROWS,
        Trans::Yes => BY_COLUMNS,
    };
    Program::new(p, &format!("gemv_{}", trans.letter()), &parameters, &UNIT, body).vectorized(&["j"], 4)
}

const UNIT: [&str; 3] = ["stride(A, 1) == 1", "stride(x, 0) == 1", "stride(y, 0) == 1"];

const BY_ROWS: &str = "
for i in seq(0, m):
    sum: T
    sum = 0.0
    for j in seq(0, n):
        sum += A[i, j] * x[j]
    y[i] += alpha * sum
";

const BY_COLUMNS: &str = "
for i in seq(0, m):
    t: T
    t = alpha * x[i]
    for j in seq(0, n):
        y[j] += t * A[i, j]
";

/// `A += alpha x y'`.
fn ger(p: Precision) -> Program {
    let parameters = "m: size, n: size, alpha: T, x: [T][m], y: [T][n], A: [T][m, n]";
    Program::new(p, "ger", parameters, &UNIT, GER).vectorized(&["j"], 4)
}

const GER: &str = "
for i in seq(0, m):
    t: T
    t = alpha * x[i]
    for j in seq(0, n):
        A[i, j] += t * y[j]
";
