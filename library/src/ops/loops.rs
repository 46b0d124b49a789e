//! Loops: divided, taken apart.

use crate::refusal::During;
use rewright_primitives::cursor::CursorKind;
use rewright_primitives::error::Result;
use rewright_primitives::{Cursor, Proc};
use rewright_semantics::pretty::expr_to_string;

const FISSION: &str = "fission_into_singles";

/// Gives every statement in a loop a loop of its own. Allocations go before the loop, with a cell for each iteration of
/// it: for `extent` of them, or as many as there are.
///
/// A guard that is all there is in the loop is copied too.
///
/// ```text
/// for i in seq(0, 8):              t: f32[8]
///     t: f32                       for i in seq(0, 8):
///     t = x[i]             ~>          t[i] = x[i]
///     y[i] = t                     for i in seq(0, 8):
///                                      y[i] = t[i]
/// ```
///
/// # Errors
/// A statement of one iteration depends on a later statement of an iteration before, or the cursor is at no loop.
pub fn fission_into_singles(p: &Proc, at: &Cursor, extent: Option<i64>) -> Result<(Proc, Vec<Cursor>)> {
    let around = p.forward(at)?;
    let iter = around.name().during(FISSION, "looking at the loop")?;
    let hi = around.hi().and_then(|c| c.expr()).during(FISSION, "looking at the loop")?;
    let extent = extent.map_or_else(|| expr_to_string(&hi), |n| n.to_string());
    let (depth, body) = statements(&around)?;
    let (allocs, rest): (Vec<Cursor>, Vec<Cursor>) =
        body.into_iter().partition(|c| c.kind() == CursorKind::Alloc);
    let mut p = p.clone();
    for alloc in &allocs {
        p = p
            .expand_dim(alloc, extent.as_str(), iter.as_str())
            .during(FISSION, "giving a buffer a cell for each iteration")?;
        p = p.lift_alloc(alloc, depth).during(FISSION, "moving an allocation out of the loop")?;
    }
    let Some((_, firsts)) = rest.split_last() else { return Ok((p, Vec::new())) };
    for stmt in firsts {
        let gap = p.forward(stmt)?.after()?;
        p = p.fission(gap, depth).during(FISSION, "parting two statements")?;
    }
    let loops = rest.iter().map(|s| loop_around(&p.forward(s)?, depth)).collect::<Result<_>>()?;
    Ok((p, loops))
}

/// The statements of a loop, and how deep they are: below a guard that is all that it has, 2.
fn statements(around: &Cursor) -> Result<(i64, Vec<Cursor>)> {
    let body = around.body()?.stmts()?;
    match body.as_slice() {
        [only] if only.is_if() && only.orelse().is_err() => Ok((2, only.body()?.stmts()?)),
        _ => Ok((1, body)),
    }
}

fn loop_around(stmt: &Cursor, depth: i64) -> Result<Cursor> {
    let mut at = stmt.clone();
    for _ in 0..depth {
        at = at.parent()?;
    }
    Ok(at)
}
