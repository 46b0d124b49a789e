//! A product with a single column: a matrix times a vector. Sums of every product of a lane stand beside each other in
//! a register and are added up at the end.

use super::{Gemm, sizes};
use crate::target::{Lanes, Op};
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Indices, Staging, Tail};
use rewright_primitives::{Cursor, Proc};

/// Rows that are done at once.
const ROWS: i64 = 4;

const INSTRUCTIONS: [(Op, Lanes); 4] =
    [(Op::Zero, Lanes::All), (Op::Load, Lanes::All), (Op::Fma, Lanes::All), (Op::ReduceAdd, Lanes::All)];

/// `gemm` with one column and at most so much in K as is packed at once.
///
/// # Errors
/// A primitive refuses: a bug.
pub(super) fn plain(g: &Gemm<'_>) -> Result<Proc> {
    let p = g.d.proc("gemm").rename("gemm_column")?.partial_eval(&sizes(&[("N", 1)]))?;
    p.add_assertion(format!("K <= {}", g.sizes.depth))
}

/// As it runs: four rows at once, and the rest one by one.
///
/// # Errors
/// A primitive refuses: a bug.
pub(super) fn fast(g: &Gemm<'_>) -> Result<Proc> {
    let p = plain(g)?.rename("column")?;
    let p = p.unroll_loop("j")?;
    let rows = p.find_loop("i")?;
    let p = p.stage_mem(rows.clone(), "B[0:K, 0]", "b", Staging::Copy)?;
    let p = p.resize_dim("b", 0, g.sizes.depth, 0, Indices::Shifted)?;
    let p = p.set_memory("b", g.packed)?;
    let p = p.divide_loop(rows.clone(), ROWS, ["io", "ii"], Tail::Cut)?;
    let blocks = p.forward(&rows)?;
    let (inner, rest) = (blocks.body()?.at(0)?, blocks.next(1)?);
    let p = in_lanes(g, &p, &inner, &format!("{ROWS} * io + ii"), ["sums", "a", "x"], true)?;
    let p = in_lanes(g, &p, &rest, &format!("ii + {ROWS} * (M / {ROWS})"), ["sum", "a1", "x1"], false)?;
    p.replace_all(&g.instructions(&INSTRUCTIONS))
}

/// The products of each row of a loop in sixteen lanes. `row` says which row; the names are those of the sums and of the
/// parts of A and B. With `beside`, the rows are done beside each other, and what is left of K after all of them.
fn in_lanes(
    g: &Gemm<'_>,
    p: &Proc,
    rows: &Cursor,
    row: &str,
    [sums, a, x]: [&str; 3],
    beside: bool,
) -> Result<Proc> {
    let lanes = g.sizes.lanes;
    let depth = i64::from(beside);
    let k = p.forward(rows)?.body()?.at(0)?;
    let p = p.divide_loop(k.clone(), lanes, ["ko", "ki"], Tail::Cut)?;
    let p = if beside { p.fission(p.forward(&k)?.after()?, 1)? } else { p };
    let p = p.reorder_loops(p.forward(&k)?)?;
    let steps = p.forward(&k)?;
    let p = p.stage_mem(steps.clone(), format!("C[{row}, 0]"), sums, Staging::Accumulate)?;
    let p = p.expand_dim(sums, lanes, "ki")?.lift_alloc(sums, 1)?;
    let p = if beside { p.expand_dim(sums, ROWS, "ii")?.lift_alloc(sums, 1)? } else { p };
    let p = p.fission(p.find(&format!("{sums}[_] = _"))?.after()?, 1 + depth)?;
    let p = p.fission(p.forward(&steps)?.after()?, 1 + depth)?;
    let around = p.forward(&steps)?.parent()?;
    let p = p.reorder_loops(around.clone())?;
    let p = if beside { p.reorder_loops(p.forward(&around)?.parent()?.parent()?)? } else { p };
    let add = p.find(&format!("{sums}[_] += _"))?;
    let p = p.stage_mem(
        add.parent()?,
        format!("A[{row}, {lanes} * ko:{lanes} * ko + {lanes}]"),
        a,
        Staging::Copy,
    )?;
    let add = p.forward(&add)?.parent()?;
    let around = if beside { add.parent()? } else { add };
    let p = p.stage_mem(around, format!("b[{lanes} * ko:{lanes} * ko + {lanes}]"), x, Staging::Copy)?;
    [a, x, sums].into_iter().try_fold(p, |p, buffer| p.set_memory(buffer, g.target.memory()))
}
