//! Products of which B is copied to panels first: all rows with a panel, block by block, or a few rows with all panels.

use super::packing::{Left, copied_before, copied_with_first_rows, first_rows};
use super::{Gemm, Kernel, Kernels, ROWS, STATIC, branches, call, column, narrow, panel, row_by_row};
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Indices, Staging, Tail};
use rewright_primitives::{Cursor, Proc};

/// `gemm` of at most so much in K and N: few columns as they are, more of them packed. Rows go one after the other, each with all
/// panels; or in blocks, panel by panel, where the rows of panels are short and there is more than a little of K.
pub(super) fn strip(g: &Gemm<'_>, parts: &Parts, sizes: [i64; 2]) -> Result<Kernel> {
    let [depth, _] = sizes;
    let Packed { plain, p, rows } = packed(g, parts, &format!("strip_{depth}"), sizes)?;
    let fast = if !g.sizes.short || depth == g.sizes.little {
        let (p, Left { rows, .. }) = copied_with_first_rows(&p, &rows, &parts.first_rows)?;
        call(&p, &p.forward(&rows)?, &parts.row_by_row)?
    } else {
        let (p, left) = copied_before(g, &p, &rows)?;
        by_blocks(g, &p, &left, &parts.panel)?
    };
    Ok(Kernel { plain, fast })
}

/// What products of a few columns are made of, and those of panels.
pub(super) struct Parts {
    /// One column.
    single: Kernel,
    /// Few columns.
    pub(super) narrow: Kernel,
    /// The first rows, with a copy of B.
    first_rows: Kernel,
    /// Rows with all panels, panel by panel.
    panel: Kernel,
    /// Rows with all panels, row by row.
    row_by_row: Kernel,
}

impl Parts {
    /// Those of a target.
    ///
    /// # Errors
    /// A primitive refuses: a bug.
    pub(super) fn new(g: &Gemm<'_>) -> Result<Parts> {
        let (kernels, first_rows) = rayon::join(|| Kernels::new(g), || first_rows(g));
        let kernels = kernels?;
        let of_panels = || -> Result<[Kernel; 2]> {
            let panel = panel(g, &kernels)?;
            Ok([row_by_row(g, &kernels, &panel)?, panel])
        };
        let (of_panels, narrow) = rayon::join(of_panels, || narrow(g, &kernels));
        let [row_by_row, panel] = of_panels?;
        let single = Kernel { plain: column::plain(g)?, fast: column::fast(g)? };
        Ok(Parts { single, narrow: narrow?, first_rows: first_rows?, panel, row_by_row })
    }
}

/// A product of which few columns are done, and B is copied for more.
struct Packed {
    plain: Proc,
    p: Proc,
    /// The loop over the rows of the rest; the copy is before it.
    rows: Cursor,
}

/// `gemm` of at most so much in K and N, under a name.
fn packed(g: &Gemm<'_>, parts: &Parts, name: &str, [depth, width]: [i64; 2]) -> Result<Packed> {
    let plain = g.d.proc("gemm").rename(&format!("gemm_{name}"))?;
    // One panel more: of a strip of two panels, `N <= width` would tell how many are whole, which `simplify` would write as a
    // number, and the copy would not be found.
    let most = format!("N < {}", width + g.sizes.columns);
    let plain = plain.add_assertion(format!("K <= {depth}"))?.add_assertion(most)?;
    let p = plain.rename(name)?;
    let rows = p.find_loop("i")?;
    let few = format!("N <= {} or M <= {ROWS}", g.sizes.narrow);
    let p = p.specialize(rows.clone(), &["N == 1", &few])?;
    let kernels = [&parts.single, &parts.narrow];
    let (few, many) = branches(&p, &rows, kernels.len())?;
    let columns = few.first().map(|at| at.body()?.at(0)?.hi()).transpose()?;
    let p = columns.into_iter().try_fold(p, |p, n| p.rewrite_expr(n, 1))?;
    let p = few.iter().zip(kernels).try_fold(p, |p, (at, k)| call(&p, at, k))?;
    let p = pack(g, &p, &many, [depth, width])?;
    Ok(Packed { plain, rows: p.forward(&many)?, p })
}

/// Copies B, of at most so many rows and columns, to memory of its own before a loop over rows: in panels that are as long as
/// they have to be, and lie one after the other. Where their distance is a power of two they push each other out of the
/// caches; memory that is static has one size.
fn pack(g: &Gemm<'_>, p: &Proc, rows: &Cursor, [depth, width]: [i64; 2]) -> Result<Proc> {
    let columns = g.sizes.columns;
    let p = p.divide_loop(p.forward(rows)?.body()?.at(0)?, columns, ["jo", "ji"], Tail::Cut)?;
    let p = p.stage_mem(rows.clone(), "B[0:K, 0:N]", "packed", Staging::Copy)?;
    let p = if g.packed == STATIC {
        let p = p.resize_dim("packed", 0, depth, 0, Indices::Shifted)?;
        p.resize_dim("packed", 1, width + columns, 0, Indices::Shifted)?
    } else {
        p.resize_dim("packed", 1, format!("{columns} * (N / {columns} + 1)").as_str(), 0, Indices::Shifted)?
    };
    let p = p.divide_dim("packed", 1, columns)?;
    let p = p.rearrange_dim("packed", &[1, 0, 2])?;
    let p = p.set_memory("packed", g.packed)?;
    let copied = p.find_loop("i1")?;
    p.divide_loop(&copied, g.sizes.columns, ["jo", "ji"], Tail::Cut)?.simplify()
}

/// Rows in blocks, each with all panels.
pub(super) fn by_blocks(
    g: &Gemm<'_>,
    p: &Proc,
    Left { rows, number }: &Left,
    panel: &Kernel,
) -> Result<Proc> {
    let p = p.divide_loop(p.forward(rows)?, g.sizes.block, ["io", "ii"], Tail::Cut)?;
    let blocks = p.forward(rows)?;
    let rest = blocks.next(1)?;
    let p = call(&p, &blocks.body()?.at(0)?, panel)?;
    let p = p.specialize(rest.clone(), &[&format!("{number} % {} > 0", g.sizes.block)])?;
    let (_, none) = branches(&p, &rest, 1)?;
    let p = p.eliminate_dead_code(none)?;
    call(&p, &rest, panel)
}
