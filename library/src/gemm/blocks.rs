//! Products of which B is copied to panels first: all rows with a panel, block by block, or a few rows with all panels.

use super::packing::{Left, copied_before, copied_with_first_rows};
use super::{Gemm, Kernel, Kernels, ROWS, branches, call, column, narrow, panel, shallow};
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Indices, Staging, Tail};
use rewright_primitives::{Cursor, Proc};

/// `gemm` of at most so much in K and N: few columns as they are, more of them packed, in blocks of rows.
pub(super) fn blocks(g: &Gemm<'_>, kernels: &Kernels) -> Result<Kernel> {
    let plain = g.d.proc("gemm").rename("gemm_blocks")?.add_assertion(format!("K <= {}", g.sizes.depth))?;
    let plain = plain.add_assertion(format!("N <= {}", g.sizes.width))?;
    let p = plain.rename("blocks")?;
    let rows = p.find_loop("i")?;
    let little = format!("N <= {} or M <= {ROWS}", g.sizes.narrow);
    let p = p.specialize(rows.clone(), &["N == 1", &little])?;
    let (few, many) = branches(&p, &rows, 2)?;
    let columns = few.first().map(|at| at.body()?.at(0)?.hi()).transpose()?;
    let p = columns.into_iter().try_fold(p, |p, n| p.rewrite_expr(n, 1))?;
    let single = Kernel { plain: column::plain(g)?, fast: column::fast(g)? };
    let p = few.iter().zip([single, narrow(g, kernels)?]).try_fold(p, |p, (at, k)| call(&p, at, &k))?;
    let p = pack(g, &p, &many)?;
    let panel = panel(g, kernels)?;
    let (p, [little, large]) =
        if g.sizes.short { copied_twice(g, &p, &many)? } else { copied_once(g, &p, &many)? };
    let p = call(&p, &p.forward(&little.rows)?, &shallow(g, kernels, &panel)?)?;
    let fast = by_blocks(g, &p, &large, &panel)?;
    Ok(Kernel { plain, fast })
}

/// Copies B to memory of its own, in panels, before a loop over rows.
fn pack(g: &Gemm<'_>, p: &Proc, rows: &Cursor) -> Result<Proc> {
    let p = p.divide_loop(p.forward(rows)?.body()?.at(0)?, g.sizes.columns, ["jo", "ji"], Tail::Cut)?;
    let p = p.stage_mem(rows.clone(), "B[0:K, 0:N]", "packed", Staging::Copy)?;
    let p = p.resize_dim("packed", 0, g.sizes.depth, 0, Indices::Shifted)?;
    let p = p.resize_dim("packed", 1, g.sizes.width + g.sizes.columns, 0, Indices::Shifted)?;
    let p = p.divide_dim("packed", 1, g.sizes.columns)?;
    let p = p.rearrange_dim("packed", &[1, 0, 2])?;
    let p = p.set_memory("packed", g.packed)?;
    let copied = p.find_loop("i1")?;
    p.divide_loop(&copied, g.sizes.columns, ["jo", "ji"], Tail::Cut)?.simplify()
}

/// Of a copy and a loop over rows, the rows of products of little depth, and those of others; the copy is made before that is
/// asked.
fn copied_once(g: &Gemm<'_>, p: &Proc, rows: &Cursor) -> Result<(Proc, [Left; 2])> {
    let (p, Left { rows, number }) = copied_with_first_rows(g, p, rows)?;
    let p = p.specialize(&rows, &[&little(g)])?;
    let around = p.forward(&rows)?.parent()?;
    let of = |rows| Left { rows, number: number.clone() };
    let all = [of(around.body()?.at(0)?), of(around.orelse()?.at(0)?)];
    Ok((p, all))
}

/// The same, where a copy of little depth is made with the first rows, and another one before them.
fn copied_twice(g: &Gemm<'_>, p: &Proc, rows: &Cursor) -> Result<(Proc, [Left; 2])> {
    let both = p.forward(rows)?.prev(1)?.expand(Some(0), Some(1))?;
    let p = p.specialize(&both, &[&little(g)])?;
    let around = p.forward(rows)?.parent()?;
    let (shallow, deep) = (around.body()?.at(1)?, around.orelse()?.at(1)?);
    let (p, shallow) = copied_with_first_rows(g, &p, &shallow)?;
    let (p, deep) = copied_before(g, &p, &p.forward(&deep)?)?;
    Ok((p, [shallow, deep]))
}

/// Products of so little depth that rows are done one after the other.
fn little(g: &Gemm<'_>) -> String {
    format!("K <= {}", g.sizes.little)
}

/// Rows in blocks, each with all panels.
fn by_blocks(g: &Gemm<'_>, p: &Proc, Left { rows, number }: &Left, panel: &Kernel) -> Result<Proc> {
    let p = p.divide_loop(p.forward(rows)?, g.sizes.block, ["io", "ii"], Tail::Cut)?;
    let blocks = p.forward(rows)?;
    let rest = blocks.next(1)?;
    let p = call(&p, &blocks.body()?.at(0)?, panel)?;
    let p = p.specialize(rest.clone(), &[&format!("{number} % {} > 0", g.sizes.block)])?;
    let (_, none) = branches(&p, &rest, 1)?;
    let p = p.eliminate_dead_code(none)?;
    call(&p, &rest, panel)
}
