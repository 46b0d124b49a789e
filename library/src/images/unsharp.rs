//! Unsharp masking of an image in three channels: Halide's application. ASPLOS'25 §6.3.2, Fig. 13.

use super::{compute_and_store_at, parallel, tile, vectorize};
use crate::{Options, Target};
use rewright_primitives::Proc;
use rewright_primitives::error::Result;

/// The program: a Gaussian blur of seven by seven pixels (σ = 1.5) is taken from the grey image, and what is left scales the
/// channels. The image has three more pixels on each side than the result.
pub const UNSHARP: &str = "
@proc
def unsharp(H: size, W: size, inp: [f32][3, H + 6, W + 6], out: [f32][3, H, W]):
    assert H % 32 == 0
    assert stride(inp, 2) == 1
    assert stride(out, 2) == 1
    gray: f32[H + 6, W + 6]
    for y in seq(0, H + 6):
        for x in seq(0, W + 6):
            gray[y, x] = 0.299 * inp[0, y, x] + 0.587 * inp[1, y, x] + 0.114 * inp[2, y, x]
    blur_y: f32[H, W + 6]
    for y in seq(0, H):
        for x in seq(0, W + 6):
            blur_y[y, x] = 0.2659615 * gray[y + 3, x] + 0.2129653 * (gray[y + 2, x] + gray[y + 4, x]) + 0.1093401 * (gray[y + 1, x] + gray[y + 5, x]) + 0.0359940 * (gray[y, x] + gray[y + 6, x])
    ratio: f32[H, W]
    for y in seq(0, H):
        for x in seq(0, W):
            blur_x: f32
            blur_x = 0.2659615 * blur_y[y, x + 3] + 0.2129653 * (blur_y[y, x + 2] + blur_y[y, x + 4]) + 0.1093401 * (blur_y[y, x + 1] + blur_y[y, x + 5]) + 0.0359940 * (blur_y[y, x] + blur_y[y, x + 6])
            ratio[y, x] = (2.0 * gray[y + 3, x + 3] - blur_x) / gray[y + 3, x + 3]
    for y in seq(0, H):
        for x in seq(0, W):
            for c in seq(0, 3):
                out[c, y, x] = ratio[y, x] * inp[c, y + 3, x + 3]
";

/// Its schedule: of strips of 32 rows, `gray` is computed first, and kept; the blurred rows and the ratio are row by row.
///
/// # Errors
/// A primitive refuses.
pub fn unsharp(p: &Proc, target: &Target) -> Result<Proc> {
    let options = Options::of(target);
    let p = tile(p, "out", &[("y", 32)])?.reorder_loops("x c")?;
    let p = compute_and_store_at(&p, "ratio", "out", "yi")?;
    let p = compute_and_store_at(&p, "blur_y", "out", "yi")?;
    let p = compute_and_store_at(&p, "gray", "out", "yo")?;
    let stages = ["gray", "blur_y", "ratio", "out"];
    let p = stages.into_iter().try_fold(p, |p, stage| vectorize(&p, stage, "x", target, options))?;
    parallel(&p, "out", "yo")
}
