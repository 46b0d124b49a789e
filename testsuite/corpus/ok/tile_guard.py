# A vector in tiles of eight, rounded up, where a guard holds back what lies past the end.
# covers: tiling, f32, window, if, quasi-affine
from __future__ import annotations
from exo import *


@proc
def tile_guard(n: size, x: [f32][n], y: [f32][n]):
    for io in seq(0, (n + 7) / 8):
        for ii in seq(0, 8):
            if 8 * io + ii < n:
                y[8 * io + ii] = x[8 * io + ii] + 1.0
