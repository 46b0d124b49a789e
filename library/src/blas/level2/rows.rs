//! Rows of a matrix that are done several at a time: what they share of a vector is loaded and stored once for all of them.
//! The columns that all rows of a block have are vectors; those of the triangle on the diagonal are cells.

use super::blocks::Blocks;
use super::lanes::{InLanes, written_out};
use super::shape::{Columns, Rows, Work};
use crate::refusal::refuse;
use crate::vectorize::to_instructions;
use crate::{Options, Target, inspect, vectorize};
use rewright_primitives::cursor::CursorKind;
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Staging, Tail};
use rewright_primitives::{Cursor, Proc};

/// Rows of which the same columns are done at once.
const ROWS: i64 = 4;

/// Blocks of so many rows, or of as many as a register has lanes, where the target can add up all of them at once.
pub(in crate::blas) fn several_rows(
    p: &Proc,
    rows: i64,
    columns: Columns,
    (of, work): (Rows, Work),
    target: &Target,
) -> Result<Proc> {
    if let Some(blocks) = Blocks::of(target, columns) {
        return match (of, work) {
            (Rows::Symmetric, _) => blocks.symmetric(p),
            (Rows::Product, Work::Sum) => blocks.sums_of_rows(p),
            (Rows::Product, Work::Add) => blocks.multiples_of_rows(p),
            (Rows::Equations, Work::Sum) => blocks.solved_by_sums(p),
            (Rows::Equations, Work::Add) => blocks.solved_by_multiples(p),
        };
    }
    let cells = p.find_loop("j")?;
    let row = cells.parent()?;
    let p = p.divide_loop(&row, rows, ["io", "ir"], Tail::Cut)?.simplify()?;
    let rest = p.forward(&row)?.next(1)?.find_loop("j")?;
    let (p, far, near) = apart(&p, &cells, columns, rows, work)?;
    let block = p.forward(&far)?.parent()?;
    let p = own_buffers(&p, &block, rows)?;
    let p = alone(&p, &far)?;
    let p = unrolled(&p, &near)?;
    let (p, vectors) = together(&p, &far)?;
    let options = Options::of(target);
    let (p, _) = vectorize(&p, &vectors, target, options)?;
    if columns.are_few_in_the_rest() { Ok(p) } else { Ok(vectorize(&p, &rest, target, options)?.0) }
}

/// Sums of rows that all have the same columns, in blocks of as many rows as a register has lanes where the target can add
/// up all of them at once.
pub(in crate::blas) fn sums_of_rows(p: &Proc, target: &Target) -> Result<Proc> {
    let rows = p.find_loop("i")?;
    let Some(in_lanes) = InLanes::of(target, ROWS) else { return rows_at_once(p, &rows, target) };
    let stmts = rows.body()?.stmts()?;
    let [sum, zero, cells, last] = &stmts[..] else {
        return refuse(
            "sums_of_rows",
            "looking at a row",
            format!("{} is no row of `gemv`", rows.describe()),
        );
    };
    let p = p.divide_loop(&rows, in_lanes.lanes(), ["io", "ir"], Tail::Cut)?.simplify()?;
    let rest = p.forward(&rows)?.next(1)?;
    let p = in_lanes.sums(&p, [sum, zero, cells])?;
    let p = in_lanes.rows_as_lanes(&p, &p.forward(last)?.parent()?)?;
    let block = p.forward(&rows)?;
    let p = written_out(&to_instructions(&p, target)?, &block, "ir")?;
    let p = in_lanes.cells_written_out(&p, &block)?;
    if target.lanes() <= ROWS {
        let cells = p.forward(&rest)?.find_loop("j")?;
        return Ok(vectorize(&p, &cells, target, Options::of(target).interleaved(4))?.0);
    }
    rows_at_once(&p, &rest, target)
}

/// Rows with the same columns, a few at a time.
fn rows_at_once(p: &Proc, rows: &Cursor, target: &Target) -> Result<Proc> {
    let rows = p.forward(rows)?;
    let cells = rows.find_loop("j")?;
    let p = p.divide_loop(&rows, ROWS, ["io", "ir"], Tail::Cut)?.simplify()?;
    let rest = p.forward(&rows)?.next(1)?.find_loop("j")?;
    let p = own_buffers(&p, &p.forward(&cells)?.parent()?, ROWS)?;
    let p = alone(&p, &cells)?;
    let (p, vectors) = together(&p, &cells)?;
    let options = Options::of(target);
    let (p, _) = vectorize(&p, &vectors, target, options)?;
    let p = written_out(&p, &p.forward(&rows)?, "ir")?;
    Ok(vectorize(&p, &rest, target, options.interleaved(4))?.0)
}

/// The columns that all rows have, and those of the triangle, each a loop; the two in the order that the work has.
fn apart(
    p: &Proc,
    cells: &Cursor,
    columns: Columns,
    rows: i64,
    work: Work,
) -> Result<(Proc, Cursor, Cursor)> {
    let p = p.cut_loop(p.forward(cells)?, columns.boundary(rows).as_str())?;
    let first = p.forward(cells)?;
    let second = first.next(1)?;
    let (far, near) = match columns {
        Columns::Before { .. } => (first, second),
        Columns::After { .. } => (second, first),
    };
    let mut p = p;
    match work {
        Work::Sum => {
            if far.prev(1)? == near {
                p = p.reorder_stmts(near.expand(Some(0), Some(1))?)?;
            }
        }
        Work::Add => {
            while p.forward(&far)?.next(1).is_ok() {
                p = p.reorder_stmts(p.forward(&far)?.expand(Some(0), Some(1))?)?;
            }
        }
    }
    let (far, near) = (p.forward(&far)?, p.forward(&near)?);
    Ok((p, far, near))
}

/// Gives each row of a block buffers of its own.
fn own_buffers(p: &Proc, block: &Cursor, rows: i64) -> Result<Proc> {
    let body = block.body()?;
    let mut p = p.clone();
    for at in body.stmts()? {
        if at.kind() == CursorKind::Alloc {
            p = p.expand_dim(p.forward(&at)?, rows, "ir")?;
            p = p.lift_alloc(p.forward(&at)?, 1)?;
            p = p.set_memory(p.forward(&at)?, "DRAM_STACK")?;
        }
    }
    Ok(p)
}

/// A loop over rows of its own for the columns that all have.
fn alone(p: &Proc, far: &Cursor) -> Result<Proc> {
    let here = p.forward(far)?;
    let p = if here.prev(1).is_ok() { p.fission(here.before()?, 1)? } else { p.clone() };
    let here = p.forward(far)?;
    if here.next(1).is_ok() { p.fission(here.after()?, 1) } else { Ok(p) }
}

/// The triangle, cell by cell.
fn unrolled(p: &Proc, near: &Cursor) -> Result<Proc> {
    let p = p.shift_loop(p.forward(near)?, 0)?.simplify()?;
    let rows = p.forward(near)?.parent()?;
    let block = rows.parent()?;
    let p = p.unroll_loop(&rows)?.simplify()?;
    let cells = p.forward(&block)?.find_all("for j in _: _")?;
    let constant = cells.iter().filter(|at| inspect::trip_count(at).is_some());
    constant.into_iter().try_fold(p.clone(), |p, at| p.unroll_loop(p.forward(at)?))?.simplify()
}

/// The columns outside the rows, which are written out.
fn together(p: &Proc, far: &Cursor) -> Result<(Proc, Cursor)> {
    let p = p.reorder_loops(p.forward(far)?.parent()?)?;
    let columns = p.forward(far)?;
    let rows = columns.body()?.at(0)?;
    let p = match added_to(&rows) {
        Some(cell) => p.stage_mem(&rows, cell, "added", Staging::Copy)?,
        None => p,
    };
    let p = p.unroll_loop(p.forward(&rows)?)?;
    let columns = p.forward(&columns)?;
    Ok((p, columns))
}

/// The cell of a vector that all rows are added to.
fn added_to(rows: &Cursor) -> Option<&'static str> {
    ["y[j]", "x[j]"].into_iter().find(|cell| rows.find(&format!("{cell} += _")).is_ok())
}
