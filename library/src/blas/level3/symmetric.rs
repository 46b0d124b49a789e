//! `symm syrk syr2k`: matrices of which one triangle is there.

use super::UNIT;
use super::copies::{by_threads, copied_in_panels, first_factor, in_panels, transposed};
use crate::blas::{Plan, Precision, Program, Side, Trans, Uplo};
use crate::gemm::{self, Kernel, branches, call};
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

/// So much of K is copied and multiplied at a time: what is copied stays in a cache.
const PART: i64 = 256;

/// Sums in a triangle, of products of which the first factor depends on i and l and the second on l and j: of what is scaled a
/// copy is made, and of the second factor one in panels, and they are multiplied.
pub(in crate::blas) fn triangles(p: &Proc, triangle: &Kernel, target: &Target) -> Result<Proc> {
    let nests = p.find_all("for i in _: _")?;
    let large = gemm::triangle::large(target, ["n", "k"]);
    let in_panels = |p: Proc, copy: &&str| copied_in_panels(&p, copy, "k", target, Some(&large));
    let mut p = ["t", "u"].iter().try_fold(p.clone(), in_panels)?;
    for nest in &nests {
        let scaled = p.forward(nest)?.body()?.at(0)?.body()?.length()? > 1;
        let (cut, parts) = if scaled { by_parts(&p, nest)? } else { (p, vec![Part::whole(nest.clone())]) };
        p = parts.iter().try_fold(cut, |p, part| one_triangle(&p, part, triangle, (target, &large)))?;
    }
    Ok(p)
}

/// The copies before a product, whose rows may be for several threads.
fn copies_by_threads(p: &Proc, product: &Cursor, large: &str) -> Result<Proc> {
    let mut copies = Vec::new();
    let mut at = p.forward(product)?;
    while let Ok(before) = at.prev(1) {
        if before.is_loop() && ["to", "i0"].contains(&before.name()?.as_str()) {
            copies.push(before.clone());
        }
        at = before;
    }
    copies.iter().try_fold(p.clone(), |p, rows| by_threads(&p, rows, large))
}

/// A nest of loops over i and l, and of which part of K it is.
struct Part {
    nest: Cursor,
    first: String,
    order: String,
}

impl Part {
    fn whole(nest: Cursor) -> Part {
        Part { nest, first: "0".to_owned(), order: "k".to_owned() }
    }
}

/// A nest of loops over i and l by parts of K, the last of which is the longest, where there are two; as a whole where there are not.
fn by_parts(p: &Proc, nest: &Cursor) -> Result<(Proc, Vec<Part>)> {
    let p = p.specialize(nest, &[&format!("k >= {}", 2 * PART)])?;
    let (some, none) = branches(&p, nest, 1)?;
    let mut parts = vec![Part::whole(none)];
    let mut p = p;
    for nest in some {
        let l = p.forward(&nest)?.body()?.at(0)?;
        let last = format!("{PART} * (k / {PART} - 1)");
        p = p.cut_loop(&l, last.as_str())?;
        let rest = p.forward(&l)?.next(1)?;
        p = p.fission(p.forward(&l)?.after()?, 1)?;
        p = p.shift_loop(p.forward(&rest)?, 0)?;
        p = p.divide_loop(p.forward(&l)?, PART, ["lo", "l"], Tail::Perfect)?;
        p = p.reorder_loops(p.forward(&l)?.parent()?)?.simplify()?;
        let nest = p.forward(&l)?.body()?.at(0)?;
        parts.push(Part { nest, first: format!("{PART} * lo"), order: PART.to_string() });
        let nest = p.forward(&rest)?.parent()?;
        parts.push(Part { nest, first: last, order: format!("k % {PART} + {PART}") });
    }
    Ok((p, parts))
}

fn one_triangle(p: &Proc, part: &Part, triangle: &Kernel, (target, large): (&Target, &str)) -> Result<Proc> {
    let nest = p.forward(&part.nest)?;
    let scaled = nest.body()?.at(0)?.body()?.length()? > 1;
    let (p, nest) =
        if scaled { first_factor(p, &nest, ["n", &part.order], target)? } else { (p.clone(), nest) };
    let p = second_in_panels(&p, &nest, part, target)?;
    let p = copies_by_threads(&p, &nest, large)?;
    let p = p.reorder_loops(p.forward(&nest)?.body()?.at(0)?)?;
    call(&p, &p.forward(&nest)?, triangle)
}

/// A copy of the second factor in panels, if that is a matrix with a row for each l.
fn second_in_panels(p: &Proc, nest: &Cursor, part: &Part, target: &Target) -> Result<Proc> {
    let nest = p.forward(nest)?;
    let Some(cell) = transposed(&nest.find("_ += _")?.parent()?)? else { return Ok(p.clone()) };
    let matrix = cell.name()?.to_string();
    let name = format!("{}_in_panels", matrix.to_lowercase());
    let Part { nest: _, first, order } = part;
    let window = format!("{matrix}[{first}:{first} + {order}, 0:n]");
    let p = p.stage_mem(&nest, window, &name, Staging::Copy)?;
    let copies = p.forward(&nest)?.prev(1)?;
    let p = in_panels(&p, &copies.prev(1)?, order, target)?;
    let columns = p.forward(&copies)?.body()?.at(0)?;
    let p = p.divide_loop(&columns, gemm::panel_columns(target), ["jo", "ji"], Tail::Cut)?.simplify()?;
    let panels = p.forward(&columns)?;
    let loops = [panels.body()?.at(0)?, panels.next(1)?];
    loops.iter().try_fold(p, |p, cells| Ok(vectorize(&p, cells, target, Options::of(target))?.0))
}
