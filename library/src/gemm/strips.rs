//! Products in strips of columns, whose panels of B stay in the second cache; and how several threads share them.

use super::blocks::{self, Parts};
use super::packing::panels_and_rest;
use super::{Gemm, Kernel, PANELS, ROWS, branches, call};
use rayon::prelude::*;
use rewright_primitives::error::Result;
use rewright_primitives::ops::Tail;
use rewright_primitives::{Cursor, Proc};

/// Rows that a thread does at a time of columns that are too few for all threads: B is copied for each part.
const PART: i64 = 16 * ROWS;

/// `gemm` of at most so much in K, in strips of columns.
pub(super) fn strips(g: &Gemm<'_>, parts: &Parts) -> Result<Kernel> {
    in_strips(g, &g.d.proc("gemm"), "strips", &|sizes| blocks::strip(g, parts, sizes))
}

/// A product of at most so much in K, in strips of columns: the more of them, the less there is of K.
pub(super) fn in_strips(
    g: &Gemm<'_>,
    plain: &Proc,
    name: &str,
    strip: &(dyn Fn([i64; 2]) -> Result<Kernel> + Sync),
) -> Result<Kernel> {
    let plain = plain.rename(&format!("{}_{name}", plain.name()))?;
    let plain = plain.add_assertion(format!("K <= {}", g.sizes.depth))?;
    let p = plain.rename(name)?;
    let (rows, sizes) = (p.find_loop("i")?, g.sizes.strips());
    let conditions: Vec<String> = sizes.iter().map(|[depth, _]| format!("K <= {depth}")).collect();
    let all_but_last: Vec<&str> = conditions.iter().map(String::as_str).take(sizes.len() - 1).collect();
    let p = p.specialize(&rows, &all_but_last)?;
    let (mut all, last) = branches(&p, &rows, all_but_last.len())?;
    all.push(last);
    let kernels = sizes.par_iter().map(|sizes| strip(*sizes)).collect::<Result<Vec<_>>>()?;
    let fast = all
        .iter()
        .zip(sizes)
        .zip(&kernels)
        .try_fold(p, |p, ((rows, sizes), kernel)| by_strips(g, &p, rows, sizes, kernel))?;
    Ok(Kernel { plain, fast })
}

/// A product of at most so much in K in strips of so many columns, each by a kernel, and the rest by the same.
fn by_strips(
    g: &Gemm<'_>,
    p: &Proc,
    rows: &Cursor,
    [depth, width]: [i64; 2],
    kernel: &Kernel,
) -> Result<Proc> {
    let columns = p.forward(rows)?.body()?.at(0)?;
    let p = p.divide_loop(&columns, width, ["jo", "ji"], Tail::Cut)?;
    let (p, [strips, rest]) = panels_and_rest(&p, &p.forward(&columns)?)?;
    let p = p.simplify()?;
    let (strips, rest) = (p.forward(&strips)?, p.forward(&rest)?);
    let one = |p: &Proc, at: &Cursor| call(p, &p.forward(at)?, kernel);
    let each = |p: &Proc, strips: &Cursor| one(p, &strips.body()?.at(0)?);
    if !g.strips_by_threads(depth) {
        return strips_and_rest(&p, [&strips, &rest], width, &each, &one);
    }
    let (rows, least) = (PANELS * ROWS, PANELS * g.sizes.columns);
    let large = format!("N >= {} and M >= {rows} and K >= {least}", 2 * width);
    let p = p.specialize(strips.expand(Some(0), Some(1))?, &[&large])?;
    let (many, few) = branches(&p, &strips, 1)?;
    let p = strips_and_rest(&p, [&few, &few.next(1)?], width, &each, &one)?;
    let pairs = |p: &Proc, strips: &Cursor| in_pairs(p, strips, width, kernel);
    let parts = |p: &Proc, at: &Cursor| by_parts_of_rows(p, at, kernel);
    many.iter().try_fold(p, |p, many| {
        let many = p.forward(many)?;
        strips_and_rest(&p, [&many, &many.next(1)?], width, &pairs, &parts)
    })
}

/// What schedules a nest.
type Schedule<'a> = &'a dyn Fn(&Proc, &Cursor) -> Result<Proc>;

/// Strips of so many columns, and what is left over, if there is something.
fn strips_and_rest(
    p: &Proc,
    [strips, rest]: [&Cursor; 2],
    width: i64,
    of_strips: Schedule<'_>,
    of_rest: Schedule<'_>,
) -> Result<Proc> {
    let p = of_strips(p, &p.forward(strips)?)?;
    let rest = p.forward(rest)?;
    let p = p.specialize(&rest, &[&format!("N % {width} > 0")])?;
    let (some, none) = branches(&p, &rest, 1)?;
    let p = p.reorder_loops(none.clone())?.eliminate_dead_code(none.body()?.at(0)?)?;
    some.iter().try_fold(p, |p, rest| of_rest(&p, rest))
}

/// Strips by several threads, an even number of them; of one more, threads have parts of the rows.
fn in_pairs(p: &Proc, strips: &Cursor, width: i64, kernel: &Kernel) -> Result<Proc> {
    let p = p.cut_loop(strips, format!("2 * (N / {width} / 2)").as_str())?;
    let last = p.forward(strips)?.next(1)?;
    let p = call(&p, &p.forward(strips)?.body()?.at(0)?, kernel)?;
    let p = p.parallelize_loop(p.forward(strips)?)?;
    by_parts_of_rows(&p, &p.forward(&last)?.body()?.at(0)?, kernel)
}

/// A loop over rows by several threads, each with some of them at a time.
fn by_parts_of_rows(p: &Proc, rows: &Cursor, kernel: &Kernel) -> Result<Proc> {
    let rows = p.forward(rows)?;
    let p = p.divide_loop(&rows, PART, ["io", "ii"], Tail::Cut)?;
    let parts = p.forward(&rows)?;
    let rest = parts.next(1)?;
    let p = call(&p, &parts.body()?.at(0)?, kernel)?;
    let p = p.parallelize_loop(p.forward(&parts)?)?;
    let p = p.specialize(&rest, &[&format!("M % {PART} > 0")])?;
    let (_, none) = branches(&p, &rest, 1)?;
    call(&p.eliminate_dead_code(none)?, &rest, kernel)
}
