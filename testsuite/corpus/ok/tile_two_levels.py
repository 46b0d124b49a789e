# A copy in two levels of tiles: 4 inside 16 inside the whole.
# covers: tiling, f64, tensor, quasi-affine, asserts
from __future__ import annotations
from exo import *


@proc
def tile_two_levels(n: size, x: f64[n], y: f64[n]):
    assert n % 16 == 0
    for io in seq(0, n / 16):
        for im in seq(0, 4):
            for ii in seq(0, 4):
                y[16 * io + 4 * im + ii] = x[16 * io + 4 * im + ii]
