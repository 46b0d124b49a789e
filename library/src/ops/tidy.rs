//! Small operations that others begin or end with.

use crate::inspect;
use crate::refusal::{During, refuse};
use rewright_primitives::cursor::{At, CursorKind};
use rewright_primitives::error::Result;
use rewright_primitives::hof::is_caught;
use rewright_primitives::ops::{Occurrences, Staging, Tail};
use rewright_primitives::{Cursor, Proc};
use rewright_semantics::pretty::expr_to_string;
use std::collections::BTreeSet;

/// Reads a cell that the statements of a loop read several times only once, where nothing changes it in between.
///
/// ```text
/// for i in seq(0, 8):              for i in seq(0, 8):
///     y[i] = x[i]                      v0: f32
///     z[i] = x[i] * x[i]   ~>          v0 = x[i]
///                                      y[i] = v0
///                                      z[i] = v0 * v0
/// ```
///
/// # Errors
/// The cursor is at no loop.
pub fn cse_loads(p: &Proc, at: &Cursor) -> Result<Proc> {
    let mut p = p.clone();
    let mut refused: BTreeSet<String> = BTreeSet::new();
    while let Some((cell, places)) = read_often(&p.forward(at)?, &refused) {
        let name = inspect::fresh(&p, "v");
        let bound = p.bind_expr(places.iter().map(At::from).collect(), &name, Occurrences::These);
        p = match bound {
            Err(e) if is_caught(&e) => {
                refused.insert(cell);
                p
            }
            done => done?,
        };
    }
    Ok(p)
}

/// The first cell that is read more than once in a loop, and is no variable of its own already.
fn read_often(around: &Cursor, refused: &BTreeSet<String>) -> Option<(String, Vec<Cursor>)> {
    let reads: Vec<(String, Cursor)> = inspect::accesses(around)
        .into_iter()
        .filter(|a| !a.is_write && !is_local_scalar(around, a))
        .map(|a| {
            let idx: Vec<String> = a.idx.iter().map(expr_to_string).collect();
            (format!("{:?}[{}]", a.name, idx.join(", ")), a.at)
        })
        .collect();
    let often = |cell: &String| reads.iter().filter(|(other, _)| other == cell).count() > 1;
    let (cell, _) = reads.iter().find(|(cell, _)| often(cell) && !refused.contains(cell))?;
    let places = reads.iter().filter(|(other, _)| other == cell).map(|(_, at)| at.clone()).collect();
    Some((cell.clone(), places))
}

fn is_local_scalar(around: &Cursor, a: &inspect::Access) -> bool {
    inspect::buffer(around.proc(), a.name).is_none_or(|b| b.rank == 0 && !b.is_argument)
}

/// Lets statements use a part of a buffer through a buffer in a memory, which it is brought into before and out of
/// after; with `Staging::Accumulate`, that is added to what was there.
///
/// ```text
/// for k in seq(0, 8):              acc: f32[4] @ DRAM_STACK
///     for i in seq(0, 4):          for i0 in seq(0, 4):
///         c[i] += a[k, i]              acc[i0] = c[i0]
///                          ~>      for k in seq(0, 8):
///                                      for i in seq(0, 4):
///                                          acc[i] += a[k, i]
///                                  for i0 in seq(0, 4):
///                                      c[i0] = acc[i0]
/// ```
///
/// # Errors
/// As `stage_mem`.
pub fn stage(
    p: &Proc,
    at: &Cursor,
    window: &str,
    name: &str,
    memory: &str,
    staging: Staging,
) -> Result<Proc> {
    let p = p.stage_mem(p.forward(at)?, window, name, staging).during("stage", "making the buffer")?;
    p.set_memory(name, memory)?.simplify()
}

/// Brings a cell that two statements of a loop add to, one after the other, in and out only once.
///
/// ```text
/// for i in seq(0, 8):              for i in seq(0, 8):
///     y[i] += a[i]                     v0: f32
///     y[i] += b[i]         ~>          v0 = y[i]
///                                      v0 += a[i]
///                                      v0 += b[i]
///                                      y[i] = v0
/// ```
///
/// # Errors
/// The cursor is at no loop.
pub fn add_at_once(p: &Proc, at: &Cursor) -> Result<Proc> {
    let stmts = p.forward(at)?.body()?.stmts()?;
    let cell = |s: &Cursor| -> Result<Option<String>> {
        if s.kind() != CursorKind::Reduce {
            return Ok(None);
        }
        let idx = s.idx()?.iter().map(|c| Ok(expr_to_string(&c.expr()?))).collect::<Result<Vec<_>>>()?;
        let name = s.name()?;
        Ok((!idx.is_empty()).then(|| format!("{name}[{}]", idx.join(", "))))
    };
    let mut p = p.clone();
    for (first, second) in stmts.iter().zip(stmts.iter().skip(1)) {
        let Some(cell) = cell(first)?.filter(|c| cell(second).is_ok_and(|d| d.as_ref() == Some(c))) else {
            continue;
        };
        let name = inspect::fresh(&p, "v");
        let both = p.forward(first)?.expand(Some(0), Some(1))?;
        p = p
            .stage_mem(both, cell, &name, Staging::Copy)
            .during("add_at_once", "bringing the cell in and out")?;
    }
    Ok(p)
}

/// Makes the length of a loop a multiple of a number, with a guard around the body.
///
/// ```text
/// for i in seq(0, n):              for i in seq(0, 4 * ((n + 3) / 4)):
///     x[i] = 0.0           ~>          if i < n:
///                                          x[i] = 0.0
/// ```
///
/// # Errors
/// The cursor is at no loop.
pub fn round_up(p: &Proc, at: &Cursor, factor: i64) -> Result<Proc> {
    let name = p.forward(at)?.name()?;
    let names = [format!("{name}o"), format!("{name}i")];
    let p = p
        .divide_loop(p.forward(at)?, factor, [&names[0], &names[1]], Tail::Guard)
        .during("round_up", "dividing the loop")?;
    let p = p.mult_loops(p.forward(at)?, name.as_str()).during("round_up", "making one loop again")?;
    p.simplify()
}

/// Cuts the iterations off a loop that are left over when it is divided by a number. They get a loop from 0, at which the
/// cursor given back is.
///
/// ```text
/// for i in seq(0, n):              for i in seq(0, 4 * (n / 4)):
///     x[i] = 0.0                       x[i] = 0.0
///                          ~>      for ii in seq(0, n % 4):
///                                      x[ii + 4 * (n / 4)] = 0.0
/// ```
///
/// # Errors
/// The cursor is at no loop, or the loop may have a negative length.
pub fn cut_tail(p: &Proc, at: &Cursor, factor: i64) -> Result<(Proc, Cursor)> {
    let name = p.forward(at)?.name()?;
    let names = [format!("{name}o"), format!("{name}i")];
    let p = p
        .divide_loop(p.forward(at)?, factor, [&names[0], &names[1]], Tail::Cut)
        .during("cut_tail", "cutting the loop")?;
    let rest = p.forward(at)?.next(1)?;
    let p = p.mult_loops(p.forward(at)?, name.as_str()).during("cut_tail", "making one loop again")?;
    let p = p.simplify()?;
    let rest = p.forward(&rest)?;
    Ok((p, rest))
}

/// Divides a loop of constant length by the largest number, not above a limit, that leaves nothing over.
///
/// ```text
/// for i in seq(0, 12):             for io in seq(0, 3):
///     x[i] = 0.0           ~>          for ii in seq(0, 4):
///                                          x[4 * io + ii] = 0.0
/// ```
///
/// # Errors
/// The length is no number.
pub fn auto_divide(p: &Proc, at: &Cursor, most: i64) -> Result<Proc> {
    let here = p.forward(at)?;
    let Some(n) = inspect::trip_count(&here) else {
        let why = format!("{} does not run a number of times that is known", here.describe());
        return refuse("auto_divide", "looking at the loop", why);
    };
    let factor = (1..=most.min(n)).rev().find(|k| n % k == 0).unwrap_or(1);
    let name = here.name()?;
    let names = [format!("{name}o"), format!("{name}i")];
    p.divide_loop(here, factor, [&names[0], &names[1]], Tail::Perfect)
        .during("auto_divide", "dividing the loop")
}

/// Simplifies, and writes out loops that run once.
///
/// ```text
/// for i in seq(0, 1):
///     for j in seq(0, 8):  ~>      for j in seq(0, 8):
///         x[i + j] = 0.0               x[j] = 0.0
/// ```
///
/// # Errors
/// None but for bugs.
pub fn cleanup(p: &Proc) -> Result<Proc> {
    let p = p.simplify()?;
    let once = inspect::inner_loops(&p.body()?);
    let once: Vec<&Cursor> = once.iter().filter(|c| inspect::trip_count(c) == Some(1)).collect();
    if once.is_empty() {
        return Ok(p);
    }
    once.into_iter().try_fold(p.clone(), |p, at| p.unroll_loop(p.forward(at)?))?.simplify()
}
