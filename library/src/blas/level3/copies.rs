//! Copies of factors: scaled, and with rows where the matrix has columns.

use crate::blas::Uplo;
use crate::target::mentions;
use crate::{Options, Target, gemm, vectorize};
use rewright_primitives::cursor::{At, CursorKind};
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
    let p = p.fission(p.forward(&made)?.after()?, 2)?;
    let made = p.forward(&made)?;
    let p = match transposed(&made)? {
        Some(_) if made.is_if() => completed_by_tiles(&p, &made, target)?,
        Some(cell) => {
            // Along the rows of the source: its columns, of which tiles seldom begin with a line of the cache, would bring each
            // line twice.
            let p = p.reorder_loops(made.parent()?.parent()?)?;
            let cell = p.forward(&cell)?;
            scaled_by_tiles(&p, &p.forward(&made)?, &cell, target)?
        }
        None => p,
    };
    let rest = p.forward(&sum)?.parent()?.parent()?;
    Ok((p, rest))
}

/// The cell of a matrix that a statement in a loop over l reads down its columns.
pub(super) fn transposed(made: &Cursor) -> Result<Option<Cursor>> {
    let order = made.parent()?;
    for cell in ["A[_]", "B[_]"].iter().flat_map(|cells| made.find_all(cells).unwrap_or_default()) {
        if is_transposed(&cell, &order)? {
            return Ok(Some(cell));
        }
    }
    Ok(None)
}

/// A scalar in two loops as a matrix before them.
fn hoisted(p: &Proc, alloc: &Cursor, [rows, order]: [&str; 2], target: &Target) -> Result<Proc> {
    let p = p.expand_dim(p.forward(alloc)?, order, "l")?;
    let p = p.lift_alloc(p.forward(alloc)?, 1)?;
    let p = p.expand_dim(p.forward(alloc)?, rows, "i")?;
    let p = p.lift_alloc(p.forward(alloc)?, 1)?;
    longer(&p, p.forward(alloc)?, order, target)
}

/// Makes the rows of a copy up to a register longer than they need be, so that each begins where a register may be stored at
/// once, and so that those of a matrix whose size is a power of two do not compete for the same places in a cache.
pub(super) fn longer(p: &Proc, copy: impl Into<At>, columns: &str, target: &Target) -> Result<Proc> {
    let lanes = target.lanes();
    p.resize_dim(copy, 1, format!("{lanes} * ({columns} / {lanes} + 1)").as_str(), 0, Indices::Shifted)
}

/// Two loops that copy the scaled transpose of a matrix, of which `cell` is read, tile by tile: by the target's instruction for
/// that where it has one, to memory that stays near, and from there.
pub(super) fn scaled_by_tiles(p: &Proc, made: &Cursor, cell: &Cursor, target: &Target) -> Result<Proc> {
    let Some((tile, _)) = target.transposition() else { return Ok(p.clone()) };
    let outer = made.parent()?.parent()?;
    let p = p.divide_loop(&outer, tile, ["to", "ti"], Tail::Cut)?;
    let p = p.reorder_loops(p.forward(&outer)?.next(1)?)?;
    let cell = p.forward(cell)?;
    tiles_of_rows(&p, &p.forward(made)?, cell, target)
}

/// The same where the outer loop has as many iterations as a tile has rows: one tile after the other, and what is left.
fn tiles_of_rows(p: &Proc, made: &Cursor, cell: Cursor, target: &Target) -> Result<Proc> {
    let Some((tile, instruction)) = target.transposition() else { return Ok(p.clone()) };
    let inner = made.parent()?;
    let rows_inside = is_transposed(&cell, &inner)?;
    let p = p.bind_expr(vec![cell.into()], "x", Occurrences::These)?;
    let bound = p.forward(made)?.prev(1)?;
    let x = bound.prev(1)?;
    let p = p.reorder_loops(p.forward(&inner)?.parent()?)?;
    let p = p.divide_loop(p.forward(&inner)?, tile, ["so", "si"], Tail::Cut)?;
    let (first, second) = if rows_inside { ("si", "ti") } else { ("ti", "si") };
    let p = [first, second].into_iter().try_fold(p, |p, at| p.expand_dim(p.forward(&x)?, tile, at))?;
    let p = p.lift_alloc(p.forward(&x)?, 4)?;
    let p = p.fission(p.forward(&bound)?.after()?, 2)?;
    let nest = |p: &Proc, s: &Cursor| p.forward(s)?.parent()?.parent();
    let other = if rows_inside { made } else { &bound };
    let p = p.reorder_loops(nest(&p, other)?)?;
    let p = p.replace(nest(&p, &bound)?, instruction)?;
    Ok(vectorize(&p, p.forward(made)?.parent()?, target, Options::of(target))?.0)
}

/// Whether a loop goes down the rows of a matrix of which a cell is read.
fn is_transposed(cell: &Cursor, inner: &Cursor) -> Result<bool> {
    let row = cell.idx()?.first().map(Cursor::expr).transpose()?;
    let counter = inner.sym()?;
    Ok(row.is_some_and(|row| mentions(&row, counter)))
}

/// Two loops that copy a symmetric matrix of which one triangle is there, scaled: what lies on one side of the diagonal comes from
/// its rows, and what lies on the other, by tiles, from its columns.
pub(super) fn completed_by_tiles(p: &Proc, made: &Cursor, target: &Target) -> Result<Proc> {
    let Some((tile, _)) = target.transposition() else { return Ok(p.clone()) };
    let cells = made.parent()?;
    let p = p.divide_loop(cells.parent()?, tile, ["to", "ti"], Tail::Cut)?;
    let p = [format!("{tile} * to + {tile}"), format!("{tile} * to")]
        .iter()
        .try_fold(p, |p, end| p.cut_loop(p.forward(&cells)?, end.as_str()))?;
    let before = p.forward(&cells)?;
    let (diagonal, after) = (before.next(1)?, before.next(2)?);
    let p = p.fission(before.after()?, 1)?;
    let p = p.fission(p.forward(&diagonal)?.after()?, 1)?;
    let p = p.shift_loop(p.forward(&after)?, 0)?;
    let p = [&before, &after].into_iter().try_fold(p, |p, part| {
        let decided = p.forward(part)?.body()?.at(0)?;
        p.eliminate_dead_code(decided)
    })?;
    let cell = |p: &Proc, part: &Cursor| p.forward(part)?.find("A[_]");
    let (rows, columns) = if is_transposed(&cell(&p, &before)?, &p.forward(&before)?)? {
        (&after, &before)
    } else {
        (&before, &after)
    };
    let p = p.divide_loop(p.forward(rows)?, target.lanes(), ["lo", "li"], Tail::Cut)?;
    let lanes = p.forward(rows)?.body()?.at(0)?;
    let p = vectorize(&p, &lanes, target, Options::of(target))?.0;
    let made = p.forward(columns)?.body()?.at(0)?;
    let cell = cell(&p, columns)?;
    tiles_of_rows(&p, &made, cell, target)
}

/// A loop over rows of a copy by several threads, where these are worth it. Each has a tile of its own.
pub(super) fn by_threads(p: &Proc, rows: &Cursor, large: &str) -> Result<Proc> {
    let tile = p.forward(rows)?.prev(1).ok();
    let tile = tile.filter(|s| s.kind() == CursorKind::Alloc && s.name().is_ok_and(|x| x.as_str() == "x"));
    let p = tile.iter().try_fold(p.clone(), |p, tile| p.sink_alloc(tile))?;
    Ok(gemm::by_threads(&p, &p.forward(rows)?, large)?.0)
}

/// The second factor in panels, if it is a scaled copy of this name.
pub(super) fn copied_in_panels(
    p: &Proc,
    copy: &str,
    rows: &str,
    target: &Target,
    large: Option<&str>,
) -> Result<Proc> {
    let Ok(made) = p.find(&format!("{copy}[l, j] = _")) else { return Ok(p.clone()) };
    let around = made.parent()?;
    let p = if around.is_if() {
        completed_by_tiles(p, &around, target)?
    } else {
        let cell = made.find("A[j, l]").or_else(|_| made.find("B[j, l]"))?;
        let outer = made.parent()?.parent()?;
        let p = scaled_by_tiles(p, &made, &cell, target)?;
        // Before they are in panels, rows are seen to be apart at once.
        large.iter().try_fold(p, |p, large| by_threads(&p, &outer, large))?
    };
    in_panels(&p, &p.find(&format!("{copy}: _"))?, rows, target)
}

/// Puts the columns of a copy into panels, with a row more than there are, so that the panels do not compete for the same
/// places in a cache.
pub(super) fn in_panels(p: &Proc, copy: &Cursor, rows: &str, target: &Target) -> Result<Proc> {
    let width = gemm::panel_columns(target);
    let p = p.resize_dim(copy, 0, format!("{rows} + 1").as_str(), 0, Indices::Shifted)?;
    let columns = format!("{width} * (n / {width} + 1)");
    let p = p.resize_dim(p.forward(copy)?, 1, columns.as_str(), 0, Indices::Shifted)?;
    let p = p.divide_dim(p.forward(copy)?, 1, width)?;
    p.rearrange_dim(p.forward(copy)?, &[1, 0, 2])
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
