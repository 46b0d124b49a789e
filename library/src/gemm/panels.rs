//! Products of which B is in panels from the start, since its copy is needed anyway: it is not packed again.

use super::blocks::by_blocks;
use super::packing::Left;
use super::strips::in_strips;
use super::{Gemm, Kernel, Kernels, by_parts, call, panel, row_by_row, source};
use crate::definitions::Definitions;
use crate::target::Target;
use rewright_primitives::Proc;
use rewright_primitives::error::Result;
use rewright_primitives::ops::Tail;

/// A product of windows, the second of which is in panels, for other schedules; several threads may call it.
///
/// # Errors
/// As [`gemm`](super::gemm).
pub(crate) fn product(target: &Target) -> Result<Kernel> {
    let d = Definitions::of(&source(target));
    let g = Gemm::with(&d, target)?.parallel();
    let plain = d.proc("gemm_of_panels");
    let kernels = Kernels::new(&g)?;
    let panel = panel(&g, &kernels)?;
    let rows = row_by_row(&g, &kernels, &panel)?;
    let part = in_strips(&g, &plain, "strips_of_panels", &|sizes| strip(&g, &plain, [&panel, &rows], sizes))?;
    let p = plain.rename("product_of_panels")?;
    Ok(Kernel { fast: by_parts(&p, &p.find_loop("i")?, g.sizes.depth, &part)?, plain })
}

/// A product of at most so much in K and N: row by row; or in blocks, panel by panel, where the rows of panels are short and
/// there is more than a little of K.
fn strip(
    g: &Gemm<'_>,
    plain: &Proc,
    [panel, row_by_row]: [&Kernel; 2],
    [depth, width]: [i64; 2],
) -> Result<Kernel> {
    let plain = plain.rename(&format!("{}_{depth}", plain.name()))?;
    let plain = plain.add_assertion(format!("K <= {depth}"))?;
    let plain = plain.add_assertion(format!("N < {}", width + g.sizes.columns))?;
    let p = plain.rename(&format!("strip_of_panels_{depth}"))?;
    let p = p.divide_loop("j", g.sizes.columns, ["jo", "ji"], Tail::Cut)?.simplify()?;
    let rows = p.find_loop("i")?;
    let fast = if !g.sizes.short || depth == g.sizes.little {
        call(&p, &rows, row_by_row)?
    } else {
        by_blocks(g, &p, &Left { rows, number: "M".to_owned() }, panel)?
    };
    Ok(Kernel { plain, fast })
}
