//! `symm syrk syr2k`: matrices of which one triangle is there.

use super::{BESIDE, UNIT};
use crate::blas::{Plan, Precision, Program, Side, Trans, Uplo};

/// The programs.
pub(super) fn programs(p: Precision) -> Vec<Program> {
    let mut all = Vec::new();
    for uplo in Uplo::ALL {
        all.extend(Side::ALL.map(|side| symm(p, side, uplo)));
        for trans in Trans::ALL {
            all.extend([syrk(p, uplo, trans), syr2k(p, uplo, trans)]);
        }
    }
    all
}

/// `C += alpha A B` or `alpha B A`, where A is symmetric.
fn symm(p: Precision, side: Side, uplo: Uplo) -> Program {
    let name = format!("symm_{}{}", side.letter(), uplo.letter());
    // Row l and column j of A, where j is before the diagonal, and where it is not.
    let (before, after) = match uplo {
        Uplo::Upper => (Trans::Yes, Trans::No),
        Uplo::Lower => (Trans::No, Trans::Yes),
    };
    let (order, body) = match side {
        Side::Left => ("m", symm_left(before, after)),
        Side::Right => ("n", symm_right(before, after)),
    };
    let parameters =
        format!("m: size, n: size, alpha: T, A: [T][{order}, {order}], B: [T][m, n], C: [T][m, n]");
    Program::new(p, &name, &parameters, &UNIT, &body).planned(Plan::Factors { order })
}

fn symm_left(before: Trans, after: Trans) -> String {
    format!(
        "
for i in seq(0, m):
    for l in seq(0, m):
        t: T
        if l < i:
            t = alpha * {}
        else:
            t = alpha * {}
        for j in seq(0, n):
            C[i, j] += t * B[l, j]
",
        before.cell("A", "i", "l"),
        after.cell("A", "i", "l")
    )
}

fn symm_right(before: Trans, after: Trans) -> String {
    format!(
        "
for i in seq(0, m):
    for l in seq(0, n):
        t: T
        t = alpha * B[i, l]
        for j in seq(0, n):
            a: T
            if j < l:
                a = {}
            else:
                a = {}
            C[i, j] += t * a
",
        before.cell("A", "l", "j"),
        after.cell("A", "l", "j")
    )
}

/// The columns of row i of the triangle.
fn row(uplo: Uplo) -> &'static str {
    match uplo {
        Uplo::Upper => "seq(i, n)",
        Uplo::Lower => "seq(0, i + 1)",
    }
}

/// The cells of op(A) and of its transpose that make cell (i, j).
fn factors(trans: Trans, matrix: &str) -> [String; 2] {
    [trans.cell(matrix, "i", "l"), trans.cell(matrix, "j", "l")]
}

/// Vectors of cells of a row, where those of the second factor lie in a row too.
fn by_rows(trans: Trans, program: Program) -> Program {
    match trans {
        Trans::No => program,
        Trans::Yes => program.vectorized(&["j"], BESIDE),
    }
}

/// `C += alpha op(A) op(A)'`.
fn syrk(p: Precision, uplo: Uplo, trans: Trans) -> Program {
    let parameters = format!("n: size, k: size, alpha: T, A: {}, C: [T][n, n]", trans.shape("n", "k"));
    let [left, right] = factors(trans, "A");
    let body = format!(
        "
for i in seq(0, n):
    for l in seq(0, k):
        t: T
        t = alpha * {left}
        for j in {}:
            C[i, j] += t * {right}
",
        row(uplo)
    );
    let name = format!("syrk_{}{}", uplo.letter(), trans.letter());
    by_rows(trans, Program::new(p, &name, &parameters, &["stride(A, 1) == 1", "stride(C, 1) == 1"], &body))
}

/// `C += alpha op(A) op(B)' + alpha op(B) op(A)'`.
fn syr2k(p: Precision, uplo: Uplo, trans: Trans) -> Program {
    let shape = trans.shape("n", "k");
    let parameters = format!("n: size, k: size, alpha: T, A: {shape}, B: {shape}, C: [T][n, n]");
    let ([a_left, a_right], [b_left, b_right]) = (factors(trans, "A"), factors(trans, "B"));
    let body = format!(
        "
for i in seq(0, n):
    for l in seq(0, k):
        t: T
        t = alpha * {a_left}
        u: T
        u = alpha * {b_left}
        for j in {}:
            C[i, j] += t * {b_right}
            C[i, j] += u * {a_right}
",
        row(uplo)
    );
    let name = format!("syr2k_{}{}", uplo.letter(), trans.letter());
    by_rows(trans, Program::new(p, &name, &parameters, &UNIT, &body))
}
