//! Products in place, panel of columns by panel: what is copied of a panel stays in a cache until it has been multiplied.

use super::copies::by_tiles;
use crate::gemm::{self, Kernel, branches, call};
use crate::target::mentions;
use crate::{Options, Target, inspect, vectorize};
use rewright_primitives::cursor::CursorKind;
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Indices, Tail};
use rewright_primitives::{Cursor, Proc};
use rewright_semantics::pretty::expr_to_string;

/// How many iterations a loop has that counts from 0.
pub(super) fn extent(nest: &Cursor) -> Result<String> {
    Ok(expr_to_string(&nest.hi()?.expr()?))
}

/// All nests of loops over so many columns panel by panel. One of them is the product, of so many rows, whose second factor
/// is a copy.
pub(super) fn by_panels(
    p: &Proc,
    product: &Cursor,
    [rows, columns]: [&str; 2],
    [whole_panel, fewer]: &[Kernel; 2],
    target: &Target,
) -> Result<Proc> {
    let (p, all) = together(p, product, columns)?;
    let width = gemm::panel_width(target);
    let p = p.divide_loop(&all, width, ["jo", "ji"], Tail::Cut)?;
    let whole = p.forward(&all)?;
    let rest = whole.next(1)?;
    let p = p.specialize(&rest, &[&format!("{columns} % {width} > 0")])?;
    let (some, none) = branches(&p, &rest, 1)?;
    let p = p.eliminate_dead_code(none)?;
    let least = gemm::PANELS * width;
    let (p, both) = gemm::by_threads(&p, &whole, &format!("{columns} >= {least} and {rows} >= {least}"))?;
    let mut all = Vec::new();
    for panels in both {
        all.push((p.forward(&panels)?.body()?.at(0)?, format!("{width} * jo"), whole_panel, true));
    }
    all.extend(some.into_iter().map(|rest| (rest, format!("{width} * ({columns} / {width})"), fewer, false)));
    let one = |p: Proc, (at, first, factor, whole): &(Cursor, String, &Kernel, bool)| {
        panel(&p, at, first, (factor, *whole), target)
    };
    all.iter().try_fold(p, one)?.simplify()
}

/// One loop over columns of all nests that have one, with the copies in it. What else there is is done before.
fn together(p: &Proc, product: &Cursor, columns: &str) -> Result<(Proc, Cursor)> {
    let stmts = p.body()?.stmts()?;
    let mut nests = Vec::new();
    for nest in stmts.iter().filter(|s| s.is_loop()) {
        if over(nest, columns)? {
            nests.push(nest.clone());
        }
    }
    let Some(first) = nests.first().cloned() else { return Ok((p.clone(), product.clone())) };
    let others = stmts.iter().skip_while(|s| **s != first).filter(|s| !nests.contains(s));
    let mut p = others.cloned().try_fold(p.clone(), |p, s| moved_before(&p, &s, &first))?;
    let mut loops = Vec::new();
    for nest in &nests {
        let (next, around) = outermost(&p, nest, columns)?;
        p = next;
        loops.push(around);
    }
    let Some((first, others)) = loops.split_first() else { return Ok((p, product.clone())) };
    for around in others {
        p = p.fuse(p.forward(first)?, p.forward(around)?)?;
    }
    for copy in stmts.iter().filter(|s| s.kind() == CursorKind::Alloc) {
        if copy.name()?.as_str() != "t" {
            p = p.sink_alloc(copy)?;
        }
    }
    let all = p.forward(first)?;
    Ok((p, all))
}

/// Whether a nest has a loop over so many columns.
fn over(nest: &Cursor, columns: &str) -> Result<bool> {
    let inner = nest.find_all("for _ in _: _").unwrap_or_default();
    [nest.clone()].iter().chain(&inner).try_fold(false, |found, at| Ok(found || extent(at)? == columns))
}

/// Brings a nest's loop over so many columns outside of the others.
fn outermost(p: &Proc, nest: &Cursor, columns: &str) -> Result<(Proc, Cursor)> {
    let outer = p.forward(nest)?;
    let mut at = outer.clone();
    while extent(&at)? != columns {
        at = at.body()?.at(0)?;
    }
    let mut p = p.clone();
    while p.forward(&at)?.parent().is_ok_and(|around| around.is_loop()) {
        p = p.reorder_loops(p.forward(&at)?.parent()?)?;
    }
    let at = p.forward(&at)?;
    Ok((p, at))
}

/// Moves a statement up before another.
fn moved_before(p: &Proc, stmt: &Cursor, first: &Cursor) -> Result<Proc> {
    let mut p = p.clone();
    while p.forward(stmt)?.next(1)? != p.forward(first)? {
        let pair = p.forward(stmt)?.prev(1)?.expand(Some(0), Some(1))?;
        p = p.reorder_stmts(pair)?;
    }
    Ok(p)
}

/// The nests of a panel, whose columns begin at `first`, one after the other, with copies as wide as a panel.
fn panel(
    p: &Proc,
    columns: &Cursor,
    first: &str,
    (factor, whole): (&Kernel, bool),
    target: &Target,
) -> Result<Proc> {
    let columns = p.forward(columns)?;
    let body = columns.body()?.stmts()?;
    let (copies, nests): (Vec<Cursor>, Vec<Cursor>) =
        body.into_iter().partition(|s| s.kind() == CursorKind::Alloc);
    let mut p = p.clone();
    for copy in &copies {
        p = p.lift_alloc(copy, 1)?;
        p = p.resize_dim(copy, 1, gemm::panel_width(target), first, Indices::Shifted)?;
    }
    for nest in nests.iter().rev().skip(1).rev() {
        p = p.fission(p.forward(nest)?.after()?, 1)?;
    }
    for nest in &nests {
        p = innermost(&p, nest, target)?;
    }
    let products: Vec<&Cursor> = nests.iter().filter(|nest| nest.find("_ += _").is_ok()).collect();
    if whole && gemm::panel_columns(target) < gemm::panel_width(target) {
        p = in_panels(&p, &copies, &nests, target)?;
    }
    products.iter().try_fold(p, |p, product| call(&p, &p.forward(product)?, factor))
}

/// The copy that is multiplied in panels of so many columns, and the loops over them.
fn in_panels(p: &Proc, copies: &[Cursor], nests: &[Cursor], target: &Target) -> Result<Proc> {
    let width = gemm::panel_columns(target);
    let mut p = p.clone();
    for copy in copies {
        if p.forward(copy)?.name()?.as_str() == "x" {
            p = p.divide_dim(copy, 1, width)?;
            p = p.rearrange_dim(copy, &[1, 0, 2])?;
        }
    }
    for nest in nests.iter().filter(|nest| nest.find("_ += _").is_err()) {
        let here = p.forward(nest)?;
        let inner = here.find_all("for ji in _: _").unwrap_or_default();
        for cells in inner.iter().filter(|at| inspect::trip_count(at).is_some_and(|n| n > width)) {
            p = p.divide_loop(p.forward(cells)?, width, ["jp", "jq"], Tail::Perfect)?.simplify()?;
            let one = p.forward(cells)?.body()?.at(0)?;
            (p, _) = vectorize(&p, &one, target, Options::of(target))?;
        }
    }
    p.simplify()
}

/// Brings the loop over columns inside the others of a nest.
fn innermost(p: &Proc, nest: &Cursor, target: &Target) -> Result<Proc> {
    let here = p.forward(nest)?;
    let columns = here.parent()?;
    let inner = here.body()?.at(0)?;
    if inner.is_loop() {
        let p = p.reorder_loops(columns)?;
        return p.reorder_loops(p.forward(&inner)?.parent()?);
    }
    match (place(&columns, &inner)?, place(&columns, &inner.rhs()?)?) {
        (Some(to), Some(from)) if to < from => {
            let p = p.reorder_loops(columns)?;
            by_tiles(&p, &p.forward(nest)?, target)
        }
        (Some(to), Some(from)) if to > from => by_tiles(p, &columns, target),
        _ => p.reorder_loops(columns),
    }
}

/// Which dimension of a cell a loop's variable counts.
fn place(around: &Cursor, cell: &Cursor) -> Result<Option<usize>> {
    let counter = around.sym()?;
    for (k, e) in cell.idx().unwrap_or_default().iter().enumerate() {
        if mentions(&e.expr()?, counter) {
            return Ok(Some(k));
        }
    }
    Ok(None)
}
