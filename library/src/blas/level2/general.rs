//! `gemv ger`.

use super::strips::Strips;
use crate::blas::{Plan, Precision, Program, Trans};
use crate::{Options, Tail as Ends, Target, vectorize};
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Staging, Tail};
use rewright_primitives::{Cursor, Proc};

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
    let program = |body: &str| Program::new(p, &format!("gemv_{}", trans.letter()), &parameters, &UNIT, body);
    match trans {
        Trans::No => program(BY_ROWS).planned(Plan::SumsOfRows),
        Trans::Yes => program(BY_COLUMNS).planned(Plan::SumOfRows),
    }
}

/// Rows that are added to a vector at once: it is loaded and stored once for all of them.
const ROWS: i64 = 8;

/// A sum of rows `t * A[i, j]`, where t depends on i: of few columns strip by strip, and of more in the order in which they
/// lie.
pub(in crate::blas) fn sum_of_rows(p: &Proc, target: &Target) -> Result<Proc> {
    let rows = p.find_loop("i")?;
    let Some(strips) = Strips::of(target) else { return several_rows_at_once(p, &rows, target) };
    let few = format!("n <= {}", strips.number() * strips.columns());
    let by_size = p.specialize(&rows, &[&few])?;
    let around = by_size.forward(&rows)?.parent()?;
    let (few, many) = (around.body()?.at(0)?, around.orelse()?.at(0)?);
    several_rows_at_once(&strips.by_strips(p, &by_size, &few)?, &many, target)
}

/// Of all t of several rows a copy is made, and these are added at once.
fn several_rows_at_once(p: &Proc, rows: &Cursor, target: &Target) -> Result<Proc> {
    let rows = p.forward(rows)?;
    let (alloc, made, cells) = (rows.find("t: _")?, rows.find("t = _")?, rows.find_loop("j")?);
    let p = p.divide_loop(&rows, ROWS, ["io", "ii"], Tail::Cut)?;
    let rest = p.forward(&rows)?.next(1)?.find_loop("j")?;
    let p = p.expand_dim(p.forward(&alloc)?, ROWS, "ii")?;
    let p = p.lift_alloc(p.forward(&alloc)?, 1)?;
    let p = p.set_memory(p.forward(&alloc)?, "DRAM_STACK")?;
    let p = p.fission(p.forward(&made)?.after()?, 1)?;
    let p = p.reorder_loops(p.forward(&cells)?.parent()?)?;
    let cells = p.forward(&cells)?;
    let rows = cells.body()?.at(0)?;
    let p = p.stage_mem(rows.clone(), "y[j]", "sum", Staging::Copy)?;
    let p = p.unroll_loop(p.forward(&rows)?)?;
    let options = Options::of(target);
    let (p, _) = vectorize(&p, &cells, target, options)?;
    Ok(vectorize(&p, &rest, target, options.interleaved(4))?.0)
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
    Program::new(p, "ger", parameters, &UNIT, GER).planned(Plan::EndsLast)
}

/// Rows whose ends come after all that stands before them.
const ROWS_BEFORE_ENDS: i64 = 16;

/// Multiples of a vector that are added to rows, of several rows first the whole vectors and then the ends: where rows lie next to
/// each other, a store of some lanes of a vector would hold up the load of the row after it.
pub(in crate::blas) fn ends_last(p: &Proc, target: &Target) -> Result<Proc> {
    let (made, cells) = (p.find("t = _")?, p.find_loop("j")?);
    let options = Options::of(target).interleaved(4);
    if options.tail != Ends::Masked {
        return Ok(vectorize(p, &cells, target, options)?.0);
    }
    let p = p.divide_loop(cells.parent()?, ROWS_BEFORE_ENDS, ["io", "ii"], Tail::Cut)?;
    let rest = p.forward(&cells)?.parent()?.parent()?.next(1)?.find_loop("j")?;
    let alloc = p.forward(&made)?.prev(1)?;
    let p = p.expand_dim(&alloc, ROWS_BEFORE_ENDS, "ii")?;
    let p = p.lift_alloc(p.forward(&alloc)?, 1)?;
    let p = p.set_memory(p.forward(&alloc)?, "DRAM_STACK")?;
    let p = p.fission(p.forward(&made)?.after()?, 1)?;
    let (p, vectors) = vectorize(&p, &cells, target, options)?;
    let mut end = p.forward(&vectors)?;
    while !end.is_if() {
        end = end.next(1)?;
    }
    let p = p.fission(end.before()?, 1)?;
    Ok(vectorize(&p, &rest, target, options)?.0)
}

const GER: &str = "
for i in seq(0, m):
    t: T
    t = alpha * x[i]
    for j in seq(0, n):
        A[i, j] += t * y[j]
";
