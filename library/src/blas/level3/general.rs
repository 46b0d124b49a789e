//! `gemm`.

use super::UNIT;
use super::copies::{by_rows, copied_in_panels, first_factor};
use crate::Target;
use crate::blas::{Plan, Precision, Program, Trans};
use crate::gemm::{Kernel, call};
use rewright_primitives::Proc;
use rewright_primitives::error::Result;

/// The programs.
pub(super) fn programs(p: Precision) -> Vec<Program> {
    let all = Trans::ALL.into_iter().flat_map(|a| Trans::ALL.map(|b| gemm(p, a, b)));
    all.chain([gemm_one(p)]).collect()
}

/// `C += A B`.
fn gemm_one(p: Precision) -> Program {
    let parameters = "m: size, n: size, k: size, A: [T][m, k], B: [T][k, n], C: [T][m, n]";
    Program::new(p, "gemm_one", parameters, &UNIT, GEMM_ONE).planned(Plan::Product)
}

const GEMM_ONE: &str = "
for i in seq(0, m):
    for j in seq(0, n):
        for l in seq(0, k):
            C[i, j] += A[i, l] * B[l, j]
";

/// `C += alpha op(A) op(B)`.
fn gemm(p: Precision, a: Trans, b: Trans) -> Program {
    let parameters = format!(
        "m: size, n: size, k: size, alpha: T, A: {}, B: {}, C: [T][m, n]",
        a.shape("m", "k"),
        b.shape("k", "n")
    );
    let a_cell = a.cell("A", "i", "l");
    let (body, plan) = match b {
        Trans::No => (first_scaled(&a_cell), Plan::Factors { order: "k" }),
        Trans::Yes => (second_scaled(&a_cell), Plan::Panels { order: "k" }),
    };
    Program::new(p, &format!("gemm_{}{}", a.letter(), b.letter()), &parameters, &UNIT, &body).planned(plan)
}

fn first_scaled(a: &str) -> String {
    format!(
        "
for i in seq(0, m):
    for l in seq(0, k):
        t: T
        t = alpha * {a}
        for j in seq(0, n):
            C[i, j] += t * B[l, j]
"
    )
}

/// The factor that is scaled is the one that has columns where the product needs rows: of that a copy is made anyway.
fn second_scaled(a: &str) -> String {
    format!(
        "
u: T[k, n]
for j in seq(0, n):
    for l in seq(0, k):
        u[l, j] = alpha * B[j, l]
for i in seq(0, m):
    for l in seq(0, k):
        for j in seq(0, n):
            C[i, j] += {a} * u[l, j]
"
    )
}

/// `C += A B`: the product, as a whole.
pub(in crate::blas) fn product(p: &Proc, product: &Kernel) -> Result<Proc> {
    call(p, &p.find_loop("i")?, product)
}

/// A sum of `t * B[l, j]`, where t depends on i and l: of all t a copy is made, which is multiplied.
pub(in crate::blas) fn factors(p: &Proc, order: &str, product: &Kernel, target: &Target) -> Result<Proc> {
    let (p, nest) = first_factor(p, &p.find_loop("i")?, ["m", order], target)?;
    let p = p.reorder_loops(nest.body()?.at(0)?)?;
    call(&p, &p.forward(&nest)?, product)
}

/// A sum of products of which the second factor is a copy: that is put into panels, the first factor copied if it does not lie in
/// rows, and they are multiplied.
pub(in crate::blas) fn panels(p: &Proc, order: &str, product: &Kernel, target: &Target) -> Result<Proc> {
    let nest = p.find_loop("i")?;
    let p = copied_in_panels(p, "u", order, target, None)?;
    let p = match nest.find("A[l, i]") {
        Ok(_) => by_rows(&p, &nest, "A", ["k", "m"], target)?,
        Err(_) => p,
    };
    let p = p.reorder_loops(p.forward(&nest)?.body()?.at(0)?)?;
    call(&p, &p.forward(&nest)?, product)
}
