//! `gemm`.

use super::UNIT;
use super::copies::{by_rows, first_factor};
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
    let body = format!(
        "
for i in seq(0, m):
    for l in seq(0, k):
        t: T
        t = alpha * {}
        for j in seq(0, n):
            C[i, j] += t * {}
",
        a.cell("A", "i", "l"),
        b.cell("B", "l", "j")
    );
    Program::new(p, &format!("gemm_{}{}", a.letter(), b.letter()), &parameters, &UNIT, &body)
        .planned(Plan::Factors { order: "k" })
}

/// `C += A B`: the product, as a whole.
pub(in crate::blas) fn product(p: &Proc, product: &Kernel) -> Result<Proc> {
    call(p, &p.find_loop("i")?, product)
}

/// A sum of `t * a`, where t depends on i and l and a on l and j: of all t a copy is made, and of all a unless they are
/// cells of B that lie in rows, and the copies are multiplied.
pub(in crate::blas) fn factors(p: &Proc, order: &str, product: &Kernel, target: &Target) -> Result<Proc> {
    let (p, nest) = first_factor(p, &p.find_loop("i")?, ["m", order], target)?;
    let p = if nest.find("B[j, l]").is_ok() {
        by_rows(&p, &nest, "B", ["n", order], target)?
    } else if nest.find("a = _").is_ok() {
        second_factor(&p, order)?
    } else {
        p
    };
    let at = p.find("C[_] += _")?.parent()?.parent()?.parent()?;
    let p = p.reorder_loops(at.body()?.at(0)?)?;
    call(&p, &p.forward(&at)?, product)
}

/// All cells of the second factor, once, before the product.
fn second_factor(p: &Proc, order: &str) -> Result<Proc> {
    let p = p.expand_dim("a", "n", "j")?.lift_alloc("a", 1)?;
    let p = p.expand_dim("a", order, "l")?.lift_alloc("a", 2)?;
    let made = p.find("C[_] += _")?.prev(1)?;
    let p = p.fission(made.after()?, 3)?;
    p.remove_loop(p.forward(&made)?.parent()?.parent()?.parent()?)
}
