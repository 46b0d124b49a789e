//! Rows of an image under filters: the micro-kernel with sums over all places of a filter, so that a cell of the result is
//! loaded and stored once. PLDI'22 §7.2. Spec: [rule: blas.convolution].

use super::{Gemm, Kernel, Kernels, Sum, by_columns, by_rows};
use crate::definitions::Definitions;
use crate::target::Target;
use rewright_primitives::error::Result;
use rewright_primitives::ops::Tail;

/// The definition, of floats.
const SOURCE: &str = include_str!("image.py");

/// Sums over the places of a filter, and its channels.
const FILTERED: Sum = Sum { name: "filtered", terms: &["ky", "kx", "k"], row: "ky, kx, k" };

/// The definition in a target's precision.
pub(crate) fn source(target: &Target) -> String {
    super::of_target(SOURCE, target)
}

/// A row of an image under filters, for other schedules.
///
/// # Errors
/// As [`gemm`](super::gemm).
pub(crate) fn filtered(target: &Target) -> Result<Kernel> {
    let d = Definitions::of(&(super::source(target) + &source(target)));
    let g = Gemm::with(&d, target)?;
    let plain = d.proc("filtered");
    let kernels = Kernels::of(&g, FILTERED)?;
    let p = plain.rename("filtered_row")?.divide_loop("j", g.sizes.columns, ["jo", "ji"], Tail::Cut)?;
    Ok(Kernel { fast: by_columns(&g, &p, &kernels, by_rows)?, plain })
}
