//! `symv syr syr2`: matrices of which one triangle is there.

use super::{BESIDE, Columns, Rows, Work};
use crate::blas::{Plan, Precision, Program, Uplo};

/// The programs.
pub(super) fn programs(p: Precision) -> Vec<Program> {
    Uplo::ALL.into_iter().flat_map(|uplo| [symv(p, uplo), syr(p, uplo), syr2(p, uplo)]).collect()
}

const MATRIX: &str = "stride(A, 1) == 1";
const X: &str = "stride(x, 0) == 1";
const Y: &str = "stride(y, 0) == 1";

/// Which columns of a row there are.
fn columns(uplo: Uplo) -> Columns {
    uplo.of(Columns::After { forward: true }, Columns::Before { forward: true })
}

/// The columns beside the diagonal in row i of the triangle.
fn beside(uplo: Uplo) -> &'static str {
    match uplo {
        Uplo::Upper => "seq(i + 1, n)",
        Uplo::Lower => "seq(0, i)",
    }
}

/// The columns of row i of the triangle.
fn row(uplo: Uplo) -> &'static str {
    match uplo {
        Uplo::Upper => "seq(i, n)",
        Uplo::Lower => "seq(0, i + 1)",
    }
}

/// `y += alpha A x`.
fn symv(p: Precision, uplo: Uplo) -> Program {
    let parameters = "n: size, alpha: T, A: [T][n, n], x: [T][n], y: [T][n]";
    let body = format!(
        "
for i in seq(0, n):
    t: T
    t = alpha * x[i]
    sum: T
    sum = 0.0
    for j in {}:
        y[j] += t * A[i, j]
        sum += A[i, j] * x[j]
    y[i] += t * A[i, i]
    y[i] += alpha * sum
",
        beside(uplo)
    );
    Program::new(p, &format!("symv_{}", uplo.letter()), parameters, &[MATRIX, X, Y], &body)
        .planned(Plan::SeveralRows { of: Rows::Symmetric, rows: 4, columns: columns(uplo), work: Work::Sum })
}

/// How multiples of vectors are added to the rows of a triangle. Below the diagonal all rows begin at the first column.
fn updated(uplo: Uplo) -> Plan {
    uplo.of(Plan::UpdatedRows { beside: BESIDE }, Plan::Vectors { at: &["j"], beside: BESIDE })
}

/// `A += alpha x x'`.
fn syr(p: Precision, uplo: Uplo) -> Program {
    let parameters = "n: size, alpha: T, x: [T][n], A: [T][n, n]";
    let body = format!(
        "
for i in seq(0, n):
    t: T
    t = alpha * x[i]
    for j in {}:
        A[i, j] += t * x[j]
",
        row(uplo)
    );
    Program::new(p, &format!("syr_{}", uplo.letter()), parameters, &[X, MATRIX], &body).planned(updated(uplo))
}

/// `A += alpha x y' + alpha y x'`.
fn syr2(p: Precision, uplo: Uplo) -> Program {
    let parameters = "n: size, alpha: T, x: [T][n], y: [T][n], A: [T][n, n]";
    let body = format!(
        "
for i in seq(0, n):
    t: T
    t = alpha * x[i]
    u: T
    u = alpha * y[i]
    for j in {}:
        A[i, j] += t * y[j]
        A[i, j] += u * x[j]
",
        row(uplo)
    );
    Program::new(p, &format!("syr2_{}", uplo.letter()), parameters, &[X, Y, MATRIX], &body)
        .planned(updated(uplo))
}
