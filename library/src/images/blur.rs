//! The 3×3 box blur of the Halide paper on 16-bit pixels. ASPLOS'25 Fig. 10–12.

use super::{compute_and_store_at, parallel, store_in, tile, vectorize};
use crate::{Options, Target};
use rewright_primitives::Proc;
use rewright_primitives::error::Result;

/// The program. Sums wrap at 16 bits, as Halide's do: they are stored in 16 bits.
pub const BLUR: &str = "
@proc
def blur(H: size, W: size, inp: [ui16][H + 2, W + 2], blur_y: [ui16][H, W]):
    assert H % 32 == 0
    assert W % 256 == 0
    assert stride(inp, 1) == 1
    assert stride(blur_y, 1) == 1
    blur_x: ui16[H + 2, W]
    for y in seq(0, H + 2):
        for x in seq(0, W):
            sum: ui16
            sum = inp[y, x] + inp[y, x + 1]
            sum += inp[y, x + 2]
            blur_x[y, x] = sum / 3.0
    for y in seq(0, H):
        for x in seq(0, W):
            sum: ui16
            sum = blur_x[y, x] + blur_x[y + 1, x]
            sum += blur_x[y + 2, x]
            blur_y[y, x] = sum / 3.0
";

/// Halide's schedule for it: tiles of 32 by 256, for each of which `blur_x` is computed first.
///
/// # Errors
/// A primitive refuses.
pub fn blur(p: &Proc, target: &Target) -> Result<Proc> {
    let options = Options::of(target);
    let p = tile(p, "blur_y", &[("y", 32), ("x", 256)])?;
    let p = compute_and_store_at(&p, "blur_x", "blur_y", "xo")?;
    let p = vectorize(&p, "blur_x", "xi", target, options)?;
    let p = vectorize(&p, "blur_y", "xi", target, options)?;
    let p = store_in(&p, "blur_x", "DRAM_STACK")?;
    parallel(&p, "blur_y", "yo")
}
