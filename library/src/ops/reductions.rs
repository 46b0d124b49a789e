//! Sums that are made side by side: each lane, or each of several iterations, adds to a sum of its own, and these are
//! added up in the end. Over the reals that is the same; floats are rounded otherwise.

use crate::inspect::{self, Access};
use crate::refusal::During;
use rewright_primitives::cursor::At;
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Staging, Tail};
use rewright_primitives::{Cursor, Proc};
use rewright_semantics::pretty::expr_to_string;

const LANES: &str = "lanes_for_reductions";
const SUMS: &str = "sums_per_iteration";

/// Gives each of so many successive iterations of a loop sums of their own, for all that it adds up. What is left of the
/// length adds to the same sums. The sums are in a memory.
///
/// ```text
/// for i in seq(0, n):              sums0: f32[4]
///     s += x[i]                    for ii in seq(0, 4):
///                                      sums0[ii] = 0.0
///                          ~>      for i in seq(0, n):
///                                      sums0[i % 4] += x[i]
///                                  for ii in seq(0, 4):
///                                      s += sums0[ii]
/// ```
///
/// # Errors
/// Something else is done to the sum in the loop, or the order of the iterations matters.
pub fn lanes_for_reductions(p: &Proc, at: &Cursor, lanes: i64, memory: &str) -> Result<Proc> {
    let around = p.forward(at)?;
    if inspect::accumulators(&around).is_empty() {
        return Ok(p.clone());
    }
    let name = around.name()?;
    let hi = around.hi()?.expr()?;
    let names = [format!("{name}o"), format!("{name}i")];
    let p = p
        .divide_loop(&around, lanes, [&names[0], &names[1]], Tail::Guard)
        .during(LANES, "dividing the loop")?;
    let p = p.simplify()?;
    let p = sums_per_iteration(&p, at, memory)?;
    let p = p.mult_loops(p.forward(at)?, name.as_str()).during(LANES, "making one loop again")?;
    let p = p.simplify()?;
    // What the guard lets through is what the loop had.
    let whole = p.forward(at)?;
    if !whole.body()?.at(0)?.is_if() {
        return Ok(p);
    }
    let p = p.cut_loop(&whole, &hi).during(LANES, "ending the loop where it ended")?;
    let (first, rest) = (p.forward(at)?, p.forward(at)?.next(1)?);
    let p = p.eliminate_dead_code(first.body()?.at(0)?).during(LANES, "taking out the guard")?;
    let guard = p.forward(&rest)?.body()?.at(0)?;
    let p = p.eliminate_dead_code(guard).during(LANES, "taking out what is past the end")?;
    p.simplify()
}

/// Of two nested loops, gives each iteration of the inner one sums of its own, for all that both loops add up. The sums
/// are in a memory. The inner loop is of constant length, and all there is in the outer one.
///
/// ```text
/// for i in seq(0, n):              sums0: f32[4]
///     for j in seq(0, 4):          for j in seq(0, 4):
///         s += x[i, j]                 sums0[j] = 0.0
///                          ~>      for i in seq(0, n):
///                                      for j in seq(0, 4):
///                                          sums0[j] += x[i, j]
///                                  for j in seq(0, 4):
///                                      s += sums0[j]
/// ```
///
/// # Errors
/// As [`lanes_for_reductions`].
pub fn sums_per_iteration(p: &Proc, at: &Cursor, memory: &str) -> Result<Proc> {
    let mut p = p.clone();
    while let Some(sum) = pending(&p, at)? {
        p = sum_per_iteration(&p, at, &sum, memory)?;
    }
    Ok(p)
}

/// A cell, or cells of a register, that both loops add to.
struct Sum {
    window: String,
}

/// The next sum of two nested loops. With a loop over lanes inside, all lanes of a register are one sum.
fn pending(p: &Proc, at: &Cursor) -> Result<Option<Sum>> {
    let outer = p.forward(at)?;
    let inner = outer.body()?.at(0)?;
    let (x, y) = (outer.sym()?, inner.sym()?);
    let settled = |a: &Access| !a.idx.iter().any(|e| [x, y].iter().any(|x| crate::target::mentions(e, *x)));
    let found = inspect::accesses(&outer)
        .into_iter()
        .find(|a| a.is_reduce && settled(a) && inspect::is_live(&outer, a.name));
    Ok(found.map(|a| Sum { window: window(&a, &outer) }))
}

/// The cells of an access over the loops between it and an outer loop, which are of constant length.
fn window(a: &Access, outer: &Cursor) -> String {
    let loops: Vec<Cursor> = inspect::enclosing_loops(&a.at).into_iter().take_while(|c| c != outer).collect();
    let coordinate = |e: &rewright_semantics::ast::Expr| {
        let over = loops.iter().find(|c| e.kind.read().is_some_and(|(x, _)| c.sym().is_ok_and(|y| x == y)));
        match over.and_then(inspect::trip_count) {
            Some(n) => format!("0:{n}"),
            None => expr_to_string(e),
        }
    };
    let all: Vec<String> = a.idx.iter().map(coordinate).collect();
    if all.is_empty() { a.name.name().to_string() } else { format!("{}[{}]", a.name.name(), all.join(", ")) }
}

fn sum_per_iteration(p: &Proc, at: &Cursor, sum: &Sum, memory: &str) -> Result<Proc> {
    let inner = p.forward(at)?.body()?.at(0)?;
    let count = inspect::trip_count(&inner).map_or_else(|| "?".to_owned(), |n| n.to_string());
    let iter = inner.name()?;
    let name = inspect::fresh(p, "sums");
    let p = p.reorder_loops(p.forward(at)?).during(SUMS, "bringing the inner loop outside")?;
    let p = p
        .stage_mem(p.forward(at)?, sum.window.as_str(), &name, Staging::Accumulate)
        .during(SUMS, "giving the loop a sum of its own")?;
    let p = p.set_memory(name.as_str(), memory)?;
    let p = p
        .expand_dim(name.as_str(), count.as_str(), iter.as_str())
        .during(SUMS, "giving each iteration a sum")?;
    let p = p.lift_alloc(name.as_str(), 1).during(SUMS, "giving each iteration a sum")?;
    let p =
        p.fission(p.forward(at)?.before()?, 1).during(SUMS, "parting the loop from what clears the sums")?;
    let after: At = p.forward(at)?.after()?.into();
    let p = p.fission(after, 1).during(SUMS, "parting the loop from what adds the sums up")?;
    p.reorder_loops(p.forward(at)?.parent()?).during(SUMS, "bringing the inner loop back inside")
}
