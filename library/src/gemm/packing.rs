//! How the second factor of a product is copied to panels: with the first rows, where what is loaded for them is stored there,
//! so that to copy takes no time of its own; or before them, row by row.

use super::{Gemm, Kernel, PANELS, ROWS, Width, branches, by_threads, call, sizes, sums_in_registers};
use crate::Options;
use crate::target::Nearer;
use rewright_primitives::error::Result;
use rewright_primitives::ops::Staging;
use rewright_primitives::{Cursor, Proc};

/// Rows that are left to be done when B has been copied.
pub(super) struct Left {
    /// The loop over them.
    pub(super) rows: Cursor,
    /// How many they are.
    pub(super) number: String,
}

/// A loop over rows, before which B is copied, with its first rows done meanwhile, by a kernel; the others.
///
/// # Errors
/// A primitive refuses: a bug.
pub(super) fn copied_with_first_rows(p: &Proc, rows: &Cursor, first_rows: &Kernel) -> Result<(Proc, Left)> {
    let p = p.cut_loop(rows, ROWS)?;
    let first = p.forward(rows)?;
    let others = first.next(1)?;
    let p = p.shift_loop(&others, 0)?.simplify()?;
    let copied = p.forward(&first)?.prev(1)?;
    let p = call(&p, &copied.expand(Some(0), Some(1))?, first_rows)?;
    let rows = p.forward(&others)?;
    Ok((p, Left { rows, number: format!("(M - {ROWS})") }))
}

/// The same, of which no row is done while B is copied, a row of all its panels after the other.
///
/// # Errors
/// A primitive refuses: a bug.
pub(super) fn copied_before(g: &Gemm<'_>, p: &Proc, rows: &Cursor) -> Result<(Proc, Left)> {
    let copied = p.forward(rows)?.prev(1)?;
    let panels = copied.body()?.at(0)?;
    let loops = [panels.body()?.at(0)?, panels.next(1)?];
    let options = Options::of(&g.target);
    let mut p = p.clone();
    for cells in &loops {
        (p, _) = crate::vectorize(&p, cells, &g.target, options)?;
    }
    let least = PANELS * g.sizes.columns;
    let large = format!("N >= {least} and K >= {least}");
    let p = if g.panels_by_threads() { by_threads(&p, &p.forward(&copied)?, &large)?.0 } else { p };
    let rows = p.forward(rows)?;
    Ok((p, Left { rows, number: "M".to_owned() }))
}

/// As many rows as the micro-kernel has, and panels of all columns.
///
/// # Errors
/// A primitive refuses: a bug.
pub(super) fn first_rows(g: &Gemm<'_>) -> Result<Kernel> {
    let plain = g.d.proc("gemm_packing").partial_eval(&sizes(&[("M", ROWS)]))?;
    let p = plain.rename("packing")?;
    let (copies, products) = (p.find_loop("jo")?, p.find_loop("jo #1")?);
    let (p, [copy, copied_last]) = panels_and_rest(&p, &copies)?;
    let (p, [product, _]) = panels_and_rest(&p, &products)?;
    let p = p.reorder_stmts(p.forward(&copied_last)?.expand(Some(0), Some(1))?)?;
    let p = p.fuse(p.forward(&copy)?, p.forward(&product)?)?;
    let panels = p.forward(&copy)?;
    let whole = kernel(g, Width::Whole(g.sizes.vectors))?;
    let p = match g.target.prefetch(Nearer::SecondCache) {
        Some(prefetch) => {
            let p = p.cut_loop(&panels, format!("N / {} - 1", g.sizes.columns).as_str())?;
            let last = p.forward(&panels)?.next(1)?;
            let p = call(&p, &last.body()?, &whole)?;
            call(&p, &p.forward(&panels)?.body()?, &with_the_next(g, prefetch)?)?
        }
        None => call(&p, &panels.body()?, &whole)?,
    };
    Ok(Kernel { fast: edge(g, &p, &copied_last)?, plain })
}

/// A loop over panels outside the one that is around it, and what comes after the panels in a nest of its own.
pub(super) fn panels_and_rest(p: &Proc, panels: &Cursor) -> Result<(Proc, [Cursor; 2])> {
    let p = p.fission(p.forward(panels)?.after()?, 1)?;
    let around = p.forward(panels)?.parent()?;
    let rest = around.next(1)?;
    let p = p.reorder_loops(around)?;
    let panels = p.forward(panels)?;
    Ok((p, [panels, rest]))
}

/// The last columns, fewer than those of a panel: copied, and multiplied.
fn edge(g: &Gemm<'_>, p: &Proc, copied: &Cursor) -> Result<Proc> {
    let both = p.forward(copied)?.expand(Some(0), Some(1))?;
    let more = |n: i64| format!("N % {} > {n}", g.sizes.columns);
    let conditions: Vec<String> = (0..g.sizes.vectors).rev().map(|n| more(g.sizes.lanes * n)).collect();
    let p = p.specialize(both, &conditions.iter().map(String::as_str).collect::<Vec<_>>())?;
    let (some, none) = branches(&p, copied, conditions.len())?;
    let none = [none.clone(), none.next(1)?];
    let p = none.iter().try_fold(p, |p, nest| {
        let empty = p.forward(nest)?.body()?.at(0)?;
        let p = p.reorder_loops(p.forward(nest)?)?;
        p.eliminate_dead_code(p.forward(&empty)?)
    })?;
    some.iter().zip((1..=g.sizes.vectors).rev()).try_fold(p, |p, (at, n)| {
        call(&p, &p.forward(at)?.expand(Some(0), Some(1))?, &kernel(g, Width::Ragged(n))?)
    })
}

/// The micro-kernel that copies a panel and brings the one after it nearer: in the time that it multiplies.
fn with_the_next(g: &Gemm<'_>, prefetch: &Proc) -> Result<Kernel> {
    let plain = g.d.proc("gemm_first_of_two").partial_eval(&sizes(&[("M", ROWS)]))?;
    let fast = scheduled(g, &plain, g.sizes.vectors, &g.sizes.columns.to_string())?;
    let start = fast.find_loop("k")?.body()?.at(0)?.before()?;
    let fast = (0..g.sizes.vectors).rev().try_fold(fast, |p, n| {
        let first = g.sizes.columns + g.sizes.lanes * n;
        let cells = format!("B[k, {first}:{first} + {}]", g.sizes.lanes);
        p.insert_noop_call(p.forward(&start)?, prefetch, &[&cells])
    })?;
    Ok(Kernel { plain, fast })
}

/// The micro-kernel that copies.
fn kernel(g: &Gemm<'_>, width: Width) -> Result<Kernel> {
    let p = g.d.proc("gemm_first").partial_eval(&sizes(&[("M", ROWS)]))?;
    let (plain, vectors, end) = match width {
        Width::Whole(n) => {
            let columns = g.sizes.lanes * n;
            let p = p.rename("gemm_first_columns")?.partial_eval(&sizes(&[("N", columns)]))?;
            (p, n, columns.to_string())
        }
        Width::Ragged(n) => {
            let p = p.rename(&format!("gemm_first_{}", g.sizes.lanes * n))?;
            let p = p.add_assertion(format!("{} < N", g.sizes.lanes * (n - 1)))?;
            (p.add_assertion(format!("N <= {}", g.sizes.lanes * n))?, n, "N".to_owned())
        }
    };
    Ok(Kernel { fast: scheduled(g, &plain, vectors, &end)?, plain })
}

/// A copy and a product of so many columns, `end`, in so many registers: each row of B is loaded once for both.
fn scheduled(g: &Gemm<'_>, plain: &Proc, vectors: i64, end: &str) -> Result<Proc> {
    let p = plain.rename(&plain.name().as_str().replace("gemm", "kernel"))?;
    let (copied, product) = (p.find_loop("k")?, p.find_loop("i")?);
    let column = product.body()?.at(0)?;
    let p = p.reorder_loops(&column)?;
    let p = p.reorder_loops(p.forward(&product)?)?;
    let p = p.fuse(p.forward(&copied)?, p.forward(&product)?.parent()?)?;
    let steps = p.forward(&copied)?;
    let p = p.stage_mem(steps.body()?, format!("P[k, 0:{end}]"), "b", Staging::Copy)?;
    sums_in_registers(g, &p, &steps, ROWS, (end, vectors))
}
