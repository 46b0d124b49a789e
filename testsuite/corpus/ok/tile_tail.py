# A vector in tiles of eight with a tail loop: 8 * (n / 8) + n % 8 is n.
# covers: tiling, f32, window, quasi-affine
from __future__ import annotations
from exo import *


@proc
def tile_tail(n: size, x: [f32][n], y: [f32][n]):
    for io in seq(0, n / 8):
        for ii in seq(0, 8):
            y[8 * io + ii] = 2.0 * x[8 * io + ii]
    for it in seq(0, n % 8):
        y[8 * (n / 8) + it] = 2.0 * x[8 * (n / 8) + it]
