//! `symm syrk syr2k`: matrices of which one triangle is there.

use super::UNIT;
use super::copies::{by_threads, copied_in_panels, first_factor, in_panels};
use crate::blas::{Plan, Precision, Program, Side, Trans, Uplo};
use crate::gemm::{self, Kernel, call};
use crate::{Options, Target, vectorize};
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Staging, Tail};
use rewright_primitives::{Cursor, Proc};

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
    let (order, body, plan) = match side {
        Side::Left => ("m", symm_left(before, after), Plan::Factors { order: "m" }),
        Side::Right => ("n", symm_right(before, after), Plan::Panels { order: "n" }),
    };
    let parameters =
        format!("m: size, n: size, alpha: T, A: [T][{order}, {order}], B: [T][m, n], C: [T][m, n]");
    Program::new(p, &name, &parameters, &UNIT, &body).planned(plan)
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
u: T[n, n]
for l in seq(0, n):
    for j in seq(0, n):
        if j < l:
            u[l, j] = alpha * {}
        else:
            u[l, j] = alpha * {}
for i in seq(0, m):
    for l in seq(0, n):
        for j in seq(0, n):
            C[i, j] += B[i, l] * u[l, j]
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

/// `C += alpha op(X) op(Y)'`, with scaled copies under this name: of the factor that has columns where the product needs rows.
fn update(uplo: Uplo, trans: Trans, copy: &str, [x, y]: [&str; 2]) -> String {
    let row = row(uplo);
    match trans {
        Trans::No => format!(
            "
{copy}: T[k, n]
for j in seq(0, n):
    for l in seq(0, k):
        {copy}[l, j] = alpha * {y}[j, l]
for i in seq(0, n):
    for l in seq(0, k):
        for j in {row}:
            C[i, j] += {x}[i, l] * {copy}[l, j]"
        ),
        Trans::Yes => format!(
            "
for i in seq(0, n):
    for l in seq(0, k):
        {copy}: T
        {copy} = alpha * {x}[l, i]
        for j in {row}:
            C[i, j] += {copy} * {y}[l, j]"
        ),
    }
}

/// `C += alpha op(A) op(A)'`.
fn syrk(p: Precision, uplo: Uplo, trans: Trans) -> Program {
    let parameters = format!("n: size, k: size, alpha: T, A: {}, C: [T][n, n]", trans.shape("n", "k"));
    let body = update(uplo, trans, "t", ["A", "A"]);
    let name = format!("syrk_{}{}", uplo.letter(), trans.letter());
    Program::new(p, &name, &parameters, &["stride(A, 1) == 1", "stride(C, 1) == 1"], &body)
        .planned(Plan::Triangle { uplo })
}

/// `C += alpha op(A) op(B)' + alpha op(B) op(A)'`.
fn syr2k(p: Precision, uplo: Uplo, trans: Trans) -> Program {
    let shape = trans.shape("n", "k");
    let parameters = format!("n: size, k: size, alpha: T, A: {shape}, B: {shape}, C: [T][n, n]");
    let body = update(uplo, trans, "t", ["A", "B"]) + &update(uplo, trans, "u", ["B", "A"]);
    let name = format!("syr2k_{}{}", uplo.letter(), trans.letter());
    Program::new(p, &name, &parameters, &UNIT, &body).planned(Plan::Triangle { uplo })
}

/// Sums in a triangle, of products of which the first factor depends on i and l and the second on l and j: of what is scaled a
/// copy is made, and of the second factor one in panels, and they are multiplied.
pub(in crate::blas) fn triangles(p: &Proc, triangle: &Kernel, target: &Target) -> Result<Proc> {
    let nests = p.find_all("for i in _: _")?;
    let large = gemm::triangle::large(target, ["n", "k"]);
    let in_panels = |p: Proc, copy: &&str| copied_in_panels(&p, copy, "k", target, Some(&large));
    let p = ["t", "u"].iter().try_fold(p.clone(), in_panels)?;
    let p = nests.iter().try_fold(p, |p, nest| one_triangle(&p, nest, triangle, target))?;
    let stmts = p.body()?.stmts()?;
    let copies = |at: &&Cursor| at.is_loop() && at.name().is_ok_and(|x| ["to", "i0"].contains(&x.as_str()));
    stmts.iter().filter(copies).try_fold(p, |p, rows| by_threads(&p, rows, &large))
}

fn one_triangle(p: &Proc, nest: &Cursor, triangle: &Kernel, target: &Target) -> Result<Proc> {
    let nest = p.forward(nest)?;
    let scaled = nest.body()?.at(0)?.body()?.length()? > 1;
    let (p, nest) = if scaled { first_factor(p, &nest, ["n", "k"], target)? } else { (p.clone(), nest) };
    let p = ["A", "B"].iter().try_fold(p, |p, matrix| second_in_panels(&p, &nest, matrix, target))?;
    let p = p.reorder_loops(p.forward(&nest)?.body()?.at(0)?)?;
    call(&p, &p.forward(&nest)?, triangle)
}

/// A copy of the second factor in panels, if that is this matrix.
fn second_in_panels(p: &Proc, nest: &Cursor, matrix: &str, target: &Target) -> Result<Proc> {
    let nest = p.forward(nest)?;
    let name = format!("{}_in_panels", matrix.to_lowercase());
    if nest.find(&format!("{matrix}[l, j]")).is_err() {
        return Ok(p.clone());
    }
    let p = p.stage_mem(&nest, format!("{matrix}[0:k, 0:n]"), &name, Staging::Copy)?;
    let p = in_panels(&p, &name, "k", target)?;
    let columns = p.forward(&nest)?.prev(1)?.body()?.at(0)?;
    let p = p.divide_loop(&columns, gemm::panel_columns(target), ["jo", "ji"], Tail::Cut)?.simplify()?;
    let panels = p.forward(&columns)?;
    let loops = [panels.body()?.at(0)?, panels.next(1)?];
    loops.iter().try_fold(p, |p, cells| Ok(vectorize(&p, cells, target, Options::of(target))?.0))
}
