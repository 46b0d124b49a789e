//! Tiles: nested loops divided, and the inner parts brought together.

use super::interleave;
use crate::inspect;
use crate::refusal::During;
use rewright_primitives::error::Result;
use rewright_primitives::ops::Tail;
use rewright_primitives::{Cursor, Proc};

const TILE: &str = "tile";
const JAM: &str = "unroll_and_jam";

/// Divides nested loops, the outermost first, each by its number, and brings the inner parts together inside, in the
/// same order. The cursors given back are at the inner parts.
///
/// What is left over of a loop stays in a loop of its own, or is skipped iteration by iteration, as `tail` says.
///
/// ```text
/// for i in seq(0, 8):              for io in seq(0, 2):
///     for j in seq(0, 6):              for jo in seq(0, 2):
///         x[i, j] = 0.0    ~>              for ii in seq(0, 4):
///                                              for ji in seq(0, 3):
///                                                  x[4 * io + ii, 3 * jo + ji] = 0.0
/// ```
///
/// # Errors
/// The loops do not change places, or statements between them do not let them pass.
pub fn tile(p: &Proc, loops: &[(Cursor, i64)], tail: Tail) -> Result<(Proc, Vec<Cursor>)> {
    let (mut p, mut inner) = (p.clone(), Vec::new());
    for (at, factor) in loops {
        let (next, part) = divided(&p, at, *factor, tail).during(TILE, "dividing a loop")?;
        p = next;
        inner.push(part);
    }
    for (k, part) in inner.iter().enumerate().rev() {
        for (at, _) in loops.iter().skip(k + 1) {
            p = pushed_in(&p, part, at).during(TILE, "bringing a loop inside another")?;
        }
    }
    let inner = inner.iter().map(|c| Ok(p.forward(c)?)).collect::<Result<_>>()?;
    Ok((p, inner))
}

/// A loop divided, with names after its own; the inner part.
fn divided(p: &Proc, at: &Cursor, factor: i64, tail: Tail) -> Result<(Proc, Cursor)> {
    let here = p.forward(at)?;
    let whole = inspect::trip_count(&here).is_some_and(|n| factor > 0 && n % factor == 0);
    let name = here.name()?;
    let names = [format!("{name}o"), format!("{name}i")];
    let p = p.divide_loop(here, factor, [&names[0], &names[1]], if whole { Tail::Perfect } else { tail })?;
    let inner = p.forward(at)?.body()?.at(0)?;
    Ok((p, inner))
}

/// A loop brought inside one of the loops that stand in it. What stands before and after that one gets loops of its own.
fn pushed_in(p: &Proc, outer: &Cursor, inner: &Cursor) -> Result<Proc> {
    let mut p = p.clone();
    while let around = p.forward(inner)?.parent()?
        && around != p.forward(outer)?
        && around.is_if()
    {
        p = p.lift_scope(p.forward(inner)?)?;
    }
    if p.forward(inner)?.prev(1).is_ok() {
        p = p.fission(p.forward(inner)?.before()?, 1)?;
    }
    if p.forward(inner)?.next(1).is_ok() {
        p = p.fission(p.forward(inner)?.after()?, 1)?;
    }
    p.reorder_loops(p.forward(inner)?.parent()?)
}

/// Does so many iterations of a loop at once inside the loop in it, statement by statement: what the inner loop reads it
/// reads once for all of them. The iterations that are left over stay in a loop of their own.
///
/// ```text
/// for i in seq(0, 4):                      for io in seq(0, 2):
///     for j in seq(0, 8):                      for j in seq(0, 8):
///         y[i] += a[i, j] * x[j]   ~>              y[2 * io] += a[2 * io, j] * x[j]
///                                                  y[2 * io + 1] += a[2 * io + 1, j] * x[j]
/// ```
///
/// # Errors
/// There is not exactly one loop inside, or the order of the iterations matters.
pub fn unroll_and_jam(p: &Proc, at: &Cursor, factor: i64) -> Result<(Proc, Cursor)> {
    let outer = p.forward(at)?;
    let inside: Vec<Cursor> = outer.body()?.stmts()?.into_iter().filter(Cursor::is_loop).collect();
    let [inner] = inside.as_slice() else {
        let why = format!("there are {} loops right inside {}, not one", inside.len(), outer.describe());
        return crate::refusal::refuse(JAM, "looking at the loop", why);
    };
    let (p, part) = divided(p, at, factor, Tail::Cut).during(JAM, "dividing the loop")?;
    let p = pushed_in(&p, &part, inner).during(JAM, "bringing the iterations inside the inner loop")?;
    let jammed = p.forward(inner)?;
    let p = interleave(&p, &p.forward(&part)?).during(JAM, "putting the iterations beside each other")?;
    let p = p.simplify()?;
    let inner = p.forward(&jammed)?;
    Ok((p, inner))
}
