//! Copies of factors: scaled, and with rows where the matrix has columns.

use crate::blas::Uplo;
use crate::{Options, Target, vectorize};
use rewright_primitives::cursor::At;
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Indices, Occurrences, Staging, Tail};
use rewright_primitives::{Cursor, Proc};

/// In a sum of `t * x` over l, in which t depends on i and l: a copy of all t, before. What is given back is the nest
/// of loops that is left.
///
/// `rows` and `order` are the numbers of iterations of i and l.
pub(super) fn first_factor(
    p: &Proc,
    nest: &Cursor,
    [rows, order]: [&str; 2],
    target: &Target,
) -> Result<(Proc, Cursor)> {
    let body = p.forward(nest)?.body()?.at(0)?.body()?;
    let (copy, made, sum) = (body.at(0)?, body.at(1)?, body.at(2)?);
    let p = hoisted(p, &copy, [rows, order], target)?;
    let made = p.forward(&made)?;
    let p = match made.find("A[l, i]").or_else(|_| made.find("B[l, i]")) {
        Ok(cell) if !made.is_if() && target.transposition().is_some() => {
            transposed_first(&p, &made, cell, [rows, order], target)?
        }
        _ => p,
    };
    let p = p.fission(p.forward(&made)?.after()?, 2)?;
    let p = match p.forward(&made)?.find("x[_]") {
        Ok(_) => vectorize(&p, p.forward(&made)?.parent()?, target, Options::of(target))?.0,
        Err(_) => p,
    };
    let rest = p.forward(&sum)?.parent()?.parent()?;
    Ok((p, rest))
}

/// A scalar in two loops as a matrix before them.
fn hoisted(p: &Proc, alloc: &Cursor, [rows, order]: [&str; 2], target: &Target) -> Result<Proc> {
    let p = p.expand_dim(p.forward(alloc)?, order, "l")?;
    let p = p.lift_alloc(p.forward(alloc)?, 1)?;
    let p = p.expand_dim(p.forward(alloc)?, rows, "i")?;
    let p = p.lift_alloc(p.forward(alloc)?, 1)?;
    longer(&p, p.forward(alloc)?, order, target)
}

/// Makes the rows of a copy a register longer than they need be, so that those of a matrix whose size is a power of two do
/// not compete for the same places in a cache.
pub(super) fn longer(p: &Proc, copy: impl Into<At>, columns: &str, target: &Target) -> Result<Proc> {
    p.resize_dim(copy, 1, format!("{columns} + {}", target.lanes()).as_str(), 0, Indices::Shifted)
}

/// A transposed copy of what a copy is made of.
fn transposed_first(
    p: &Proc,
    made: &Cursor,
    cell: Cursor,
    sizes: [&str; 2],
    target: &Target,
) -> Result<Proc> {
    let p = p.bind_expr(vec![cell.into()], "x", Occurrences::These)?;
    let bound = p.forward(made)?.prev(1)?;
    let p = hoisted(&p, &bound.prev(1)?, sizes, target)?;
    let p = p.fission(p.forward(&bound)?.after()?, 2)?;
    let inner = p.forward(&bound)?.parent()?;
    let outer = inner.parent()?;
    let p = p.reorder_loops(outer.clone())?;
    let rows = p.forward(&inner)?;
    by_tiles(&p, &rows, target)
}

/// A copy of a matrix of `rows` and `columns` that has rows where that has columns, before a statement.
pub(super) fn by_rows(
    p: &Proc,
    at: &Cursor,
    matrix: &str,
    [rows, columns]: [&str; 2],
    target: &Target,
) -> Result<Proc> {
    let name = format!("{}_by_rows", matrix.to_lowercase());
    let window = format!("{matrix}[0:{rows}, 0:{columns}]");
    let p = p.stage_mem(p.forward(at)?, window, &name, Staging::Copy)?;
    let p = p.rearrange_dim(name.as_str(), &[1, 0])?;
    let p = longer(&p, name.as_str(), rows, target)?;
    let copy = p.forward(at)?.prev(1)?;
    by_tiles(&p, &copy, target)
}

/// In a sum of `t * x` over a part of l, in which t is a cell of the transpose of A: a copy of that triangle of the
/// transpose, before, and the nest of loops that is left.
pub(super) fn transposed_triangle(
    p: &Proc,
    nest: &Cursor,
    uplo: Uplo,
    rows: &str,
    target: &Target,
) -> Result<(Proc, Cursor)> {
    let made = p.forward(nest)?.body()?.at(0)?.body()?.at(1)?;
    let (p, rest) = copied_triangle(p, nest, rows, target)?;
    let p = triangle_by_tiles(&p, &p.forward(&made)?, uplo, target)?;
    let rest = p.forward(&rest)?;
    Ok((p, rest))
}

/// The same where the triangle is copied cell by cell: it may be negated on the way.
pub(super) fn copied_triangle(
    p: &Proc,
    nest: &Cursor,
    rows: &str,
    target: &Target,
) -> Result<(Proc, Cursor)> {
    let body = p.forward(nest)?.body()?.at(0)?.body()?;
    let (copy, made, sum) = (body.at(0)?, body.at(1)?, body.at(2)?);
    let p = hoisted(p, &copy, [rows, rows], target)?;
    let p = p.fission(p.forward(&made)?.after()?, 2)?;
    let rest = p.forward(&sum)?.parent()?.parent()?;
    Ok((p, rest))
}

/// The tiles of a transposed triangle that are beside those on the diagonal, by the target's instruction.
fn triangle_by_tiles(p: &Proc, made: &Cursor, uplo: Uplo, target: &Target) -> Result<Proc> {
    let Some((tile, instruction)) = target.transposition() else { return Ok(p.clone()) };
    let columns = made.parent()?;
    let p = p.divide_loop(columns.parent()?, tile, ["io", "ii"], Tail::Cut)?;
    let end = uplo.of(format!("{tile} * io + {tile}"), format!("{tile} * io"));
    let p = p.cut_loop(p.forward(&columns)?, end.as_str())?;
    let p = p.fission(p.forward(&columns)?.after()?, 1)?;
    let first = p.forward(&columns)?.parent()?;
    let beside = uplo.of(first.next(1)?, first);
    let columns = beside.body()?.at(0)?;
    let p = p.shift_loop(columns.clone(), 0)?;
    let tail = uplo.of(Tail::Cut, Tail::Perfect);
    let p = p.divide_loop(p.forward(&columns)?, tile, ["lo", "li"], tail)?;
    let whole = p.forward(&columns)?;
    let p = if whole.next(1).is_ok() { p.fission(whole.after()?, 1)? } else { p };
    let p = p.reorder_loops(p.forward(&whole)?.parent()?)?;
    let at = p.forward(&whole)?.body()?.at(0)?;
    let p = p.reorder_loops(at)?;
    let at = p.forward(&whole)?.body()?.at(0)?;
    p.replace(at, instruction)
}

/// A nest of two loops that transposes, by the target's instruction for that where it has one.
pub(super) fn by_tiles(p: &Proc, outer: &Cursor, target: &Target) -> Result<Proc> {
    let Some((tile, instruction)) = target.transposition() else { return Ok(p.clone()) };
    let inner = outer.body()?.at(0)?;
    let p = p.divide_loop(outer.clone(), tile, ["io", "ii"], Tail::Cut)?;
    let p = p.reorder_loops(p.forward(&inner)?.parent()?)?;
    let columns = p.forward(&inner)?;
    let p = p.divide_loop(columns.clone(), tile, ["jo", "ji"], Tail::Cut)?;
    let tile = p.forward(&columns)?.body()?.at(0)?;
    let p = p.reorder_loops(tile.clone())?;
    let tile = p.forward(&columns)?.body()?.at(0)?;
    p.replace(tile, instruction)
}
