//! A product with a single column: a matrix times a vector. Sums of every sixteenth product stand beside each other in
//! a register and are added up at the end.

use super::definitions::Definitions;
use super::sgemm::{DEPTH, LANES, sizes};
use rewright_primitives::error::Result;
use rewright_primitives::ops::add_assertion::add_assertion;
use rewright_primitives::ops::divide_loop::{Tail, divide_loop};
use rewright_primitives::ops::expand_dim::expand_dim;
use rewright_primitives::ops::fission::fission;
use rewright_primitives::ops::lift_alloc::lift_alloc;
use rewright_primitives::ops::partial_eval::partial_eval;
use rewright_primitives::ops::rename::rename;
use rewright_primitives::ops::reorder_loops::reorder_loops;
use rewright_primitives::ops::replace_all::replace_all;
use rewright_primitives::ops::resize_dim::resize_dim;
use rewright_primitives::ops::set_memory::set_memory;
use rewright_primitives::ops::stage_mem::stage_mem;
use rewright_primitives::ops::unroll_loop::unroll_loop;
use rewright_primitives::{Cursor, Proc};

/// Rows that are done at once.
const ROWS: i64 = 4;

const INSTRUCTIONS: [&str; 4] =
    ["mm512_setzero_ps", "mm512_loadu_ps", "mm512_fmadd_ps", "mm512_reduce_add_ps"];

/// `gemm` with one column and at most 512 in K.
///
/// # Errors
/// A primitive refuses: a bug.
pub(super) fn plain(d: &Definitions) -> Result<Proc> {
    let p = partial_eval(&rename(&d.proc("gemm"), "gemm_column")?, &sizes(&[("N", 1)]))?;
    add_assertion(&p, &format!("K <= {DEPTH}"))
}

/// As it runs: four rows at once, and the rest one by one.
///
/// # Errors
/// A primitive refuses: a bug.
pub(super) fn fast(d: &Definitions) -> Result<Proc> {
    let p = rename(&plain(d)?, "column")?;
    let p = unroll_loop(&p, "j")?;
    let rows = p.find_loop("i")?;
    let p = stage_mem(&p, rows.clone(), "B[0:K, 0]", "b", false)?;
    let p = resize_dim(&p, "b", 0, &DEPTH.to_string(), "0", false)?;
    let p = set_memory(&p, "b", "DRAM_STATIC")?;
    let p = divide_loop(&p, rows.clone(), ROWS, ["io", "ii"], Tail::Cut)?;
    let blocks = p.forward(&rows)?;
    let (inner, rest) = (blocks.body()?.at(0)?, blocks.next(1)?);
    let p = in_lanes(&p, &inner, &format!("{ROWS} * io + ii"), ["sums", "a", "x"], true)?;
    let p = in_lanes(&p, &rest, &format!("ii + {ROWS} * (M / {ROWS})"), ["sum", "a1", "x1"], false)?;
    replace_all(&p, &d.instructions(&INSTRUCTIONS))
}

/// The products of each row of a loop in sixteen lanes. `row` says which row; the names are those of the sums and of the
/// parts of A and B. With `beside`, the rows are done beside each other, and what is left of K after all of them.
fn in_lanes(p: &Proc, rows: &Cursor, row: &str, [sums, a, x]: [&str; 3], beside: bool) -> Result<Proc> {
    let depth = i64::from(beside);
    let k = p.forward(rows)?.body()?.at(0)?;
    let p = divide_loop(p, k.clone(), LANES, ["ko", "ki"], Tail::Cut)?;
    let p = if beside { fission(&p, p.forward(&k)?.after()?, 1)? } else { p };
    let p = reorder_loops(&p, p.forward(&k)?)?;
    let steps = p.forward(&k)?;
    let p = stage_mem(&p, steps.clone(), &format!("C[{row}, 0]"), sums, true)?;
    let p = lift_alloc(&expand_dim(&p, sums, &LANES.to_string(), "ki")?, sums, 1)?;
    let p = if beside { lift_alloc(&expand_dim(&p, sums, &ROWS.to_string(), "ii")?, sums, 1)? } else { p };
    let p = fission(&p, p.find(&format!("{sums}[_] = _"))?.after()?, 1 + depth)?;
    let p = fission(&p, p.forward(&steps)?.after()?, 1 + depth)?;
    let lanes = p.forward(&steps)?.parent()?;
    let p = reorder_loops(&p, lanes.clone())?;
    let p = if beside { reorder_loops(&p, p.forward(&lanes)?.parent()?.parent()?)? } else { p };
    let add = p.find(&format!("{sums}[_] += _"))?;
    let p =
        stage_mem(&p, add.parent()?, &format!("A[{row}, {LANES} * ko:{LANES} * ko + {LANES}]"), a, false)?;
    let add = p.forward(&add)?.parent()?;
    let around = if beside { add.parent()? } else { add };
    let p = stage_mem(&p, around, &format!("b[{LANES} * ko:{LANES} * ko + {LANES}]"), x, false)?;
    [a, x, sums].into_iter().try_fold(p, |p, buffer| set_memory(&p, buffer, "AVX512"))
}
