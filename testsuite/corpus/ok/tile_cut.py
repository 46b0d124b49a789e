# A vector in whole tiles and a shorter last one, chosen by a guard outside the inner loop.
# covers: tiling, f32, scalar, window, if, else, reduction, quasi-affine
from __future__ import annotations
from exo import *


@proc
def tile_cut(n: size, x: [f32][n], s: f32):
    s = 0.0
    for io in seq(0, (n + 3) / 4):
        if 4 * io + 4 <= n:
            for ii in seq(0, 4):
                s += x[4 * io + ii]
        else:
            for ii in seq(0, n - 4 * io):
                s += x[4 * io + ii]
