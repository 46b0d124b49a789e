//! `trmm trsm`: in place.

use super::BESIDE;
use super::copies::{copied_triangle, longer, transposed_triangle};
use crate::Target;
use crate::blas::{Diag, Plan, Precision, Program, Side, Trans, Uplo};
use crate::gemm::{Kernel, call};
use rewright_primitives::Proc;
use rewright_primitives::error::Result;

/// A triangular matrix as a factor.
#[derive(Clone, Copy)]
struct Factor {
    side: Side,
    uplo: Uplo,
    trans: Trans,
    diag: Diag,
}

impl Factor {
    fn all() -> Vec<Factor> {
        let mut all = Vec::new();
        for side in Side::ALL {
            for uplo in Uplo::ALL {
                for trans in Trans::ALL {
                    all.extend(Diag::ALL.map(|diag| Factor { side, uplo, trans, diag }));
                }
            }
        }
        all
    }

    fn name(self, routine: &str) -> String {
        let letters = [self.side.letter(), self.uplo.letter(), self.trans.letter(), self.diag.letter()];
        format!("{routine}_{}", String::from_iter(letters))
    }

    /// Vectors of rows of B, and of A where its rows are read as they lie.
    fn vectorized(self, program: Program) -> Program {
        match (self.side, self.trans, self.diag) {
            (Side::Left, _, Diag::NonUnit) => program.vectorized(&["j", "j #1"], BESIDE),
            (Side::Left, _, Diag::Unit) | (Side::Right, Trans::No, _) => program.vectorized(&["j"], BESIDE),
            (Side::Right, Trans::Yes, _) => program,
        }
    }

    fn parameters(self) -> String {
        let order = match self.side {
            Side::Left => "m",
            Side::Right => "n",
        };
        format!("m: size, n: size, A: [T][{order}, {order}], B: [T][m, n]")
    }
}

/// The programs.
pub(super) fn programs(p: Precision) -> Vec<Program> {
    Factor::all().into_iter().flat_map(|f| [trmm(p, f), trsm(p, f)]).collect()
}

const UNIT: [&str; 2] = ["stride(A, 1) == 1", "stride(B, 1) == 1"];

/// The index of iteration `name` of n, first to last or last to first.
fn order(forward: bool, name: &str, n: &str) -> String {
    if forward { name.to_owned() } else { format!("{n} - 1 - {name}") }
}

/// The indices on the other side of the diagonal of what is done now, where those come after it or before it.
fn others(after: bool, now: &str, n: &str) -> String {
    if after { format!("seq({now} + 1, {n})") } else { format!("seq(0, {now})") }
}

/// `B = op(A) B` or `B op(A)`.
fn trmm(p: Precision, f: Factor) -> Program {
    let upper = f.uplo.transposed(f.trans) == Uplo::Upper;
    let program = |body: &str| Program::new(p, &f.name("trmm"), &f.parameters(), &UNIT, body);
    match f.side {
        Side::Left => {
            let uplo = f.uplo.transposed(f.trans);
            program(&trmm_left(f, upper)).planned(Plan::Triangular { uplo })
        }
        Side::Right => f.vectorized(program(&trmm_right(f, upper))),
    }
}

/// Of a copy of B, so that rows may be done in any order.
fn trmm_left(f: Factor, upper: bool) -> String {
    let diagonal = f.diag.unless_unit(
        "
for i in seq(0, m):
    for j in seq(0, n):
        B[i, j] = A[i, i] * x[i, j]"
            .to_owned(),
    );
    format!(
        "
x: T[m, n]
for i in seq(0, m):
    for j in seq(0, n):
        x[i, j] = B[i, j]{diagonal}
for i in seq(0, m):
    for l in {}:
        t: T
        t = {}
        for j in seq(0, n):
            B[i, j] += t * x[l, j]
",
        others(upper, "i", "m"),
        f.trans.cell("A", "i", "l")
    )
}

fn trmm_right(f: Factor, upper: bool) -> String {
    let l = order(!upper, "ll", "n");
    let d = f.diag.unless_unit(format!("B[i, {l}] = B[i, {l}] * A[{l}, {l}]"));
    let (columns, a) = (others(upper, &l, "n"), f.trans.cell("A", &l, "j"));
    format!(
        "
for i in seq(0, m):
    for ll in seq(0, n):
        t: T
        t = B[i, {l}]
        for j in {columns}:
            B[i, j] += t * {a}
        {d}
"
    )
}

/// A product of a triangular matrix, or of a copy of it if its columns are read, and a copy with longer rows.
pub(in crate::blas) fn triangular(p: &Proc, uplo: Uplo, factor: &Kernel, target: &Target) -> Result<Proc> {
    let p = longer(p, "x", "n", target)?;
    let nest = p.find("t = _")?.parent()?.parent()?;
    if p.find("A[i, l]").is_ok() {
        let p = p.inline_assign("t = _")?;
        let p = p.delete_buffer("t")?;
        return call(&p, &p.forward(&nest)?, factor);
    }
    let (p, rest) = transposed_triangle(&p, &nest, uplo, "m", target)?;
    call(&p, &rest, factor)
}

/// `op(A) X = B` or `X op(A) = B`, where B holds the right side before and X after.
fn trsm(p: Precision, f: Factor) -> Program {
    let upper = f.uplo.transposed(f.trans) == Uplo::Upper;
    let program = |body: &str| Program::new(p, &f.name("trsm"), &f.parameters(), &UNIT, body);
    match (f.side, upper) {
        (Side::Left, false) => program(&trsm_from_first(f)).planned(Plan::Solution { diag: f.diag }),
        (Side::Left, true) => f.vectorized(program(&trsm_from_last(f))),
        (Side::Right, _) => f.vectorized(program(&trsm_right(f, upper))),
    }
}

/// A lower triangle, from the first row to the last.
fn trsm_from_first(f: Factor) -> String {
    let divided = f.diag.unless_unit(
        "
    for j in seq(0, n):
        B[i, j] = B[i, j] / A[i, i]"
            .to_owned(),
    );
    format!(
        "
for i in seq(0, m):
    for l in seq(0, i):
        t: T
        t = -{}
        for j in seq(0, n):
            B[i, j] += t * B[l, j]{divided}
",
        f.trans.cell("A", "i", "l")
    )
}

/// An upper triangle, from the last row to the first.
fn trsm_from_last(f: Factor) -> String {
    let i = order(false, "ii", "m");
    let divided = f.diag.unless_unit(format!(
        "
    for j in seq(0, n):
        B[{i}, j] = B[{i}, j] / A[{i}, {i}]"
    ));
    format!(
        "
for ii in seq(0, m):
    for l in {}:
        t: T
        t = {}
        for j in seq(0, n):
            B[{i}, j] += -(t * B[l, j]){divided}
",
        others(true, &i, "m"),
        f.trans.cell("A", &i, "l")
    )
}

fn trsm_right(f: Factor, upper: bool) -> String {
    let l = order(upper, "ll", "n");
    let d = f.diag.unless_unit(format!("B[i, {l}] = B[i, {l}] / A[{l}, {l}]"));
    format!(
        "
for i in seq(0, m):
    for ll in seq(0, n):
        {d}
        t: T
        t = B[i, {l}]
        for j in {}:
            B[i, j] += -(t * {})
",
        others(upper, &l, "n"),
        f.trans.cell("A", &l, "j")
    )
}

/// The equations by blocks, with a copy of the negated coefficients.
pub(in crate::blas) fn solution(p: &Proc, solution: &Kernel, target: &Target) -> Result<Proc> {
    let nest = p.find("t = _")?.parent()?.parent()?;
    let (p, rest) = copied_triangle(p, &nest, "m", target)?;
    call(&p, &rest, solution)
}
