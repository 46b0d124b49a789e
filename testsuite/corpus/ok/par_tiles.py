# Tiles of a matrix in two nested parallel loops; each pair of iterations has a tile of its own.
# covers: tiling, f32, tensor, parallel, quasi-affine, asserts
from __future__ import annotations
from exo import *


@proc
def par_tiles(m: size, n: size, A: f32[m, n], B: f32[n, m]):
    assert m % 4 == 0
    assert n % 4 == 0
    for io in par(0, m / 4):
        for jo in par(0, n / 4):
            for ii in seq(0, 4):
                for ji in seq(0, 4):
                    B[4 * jo + ji, 4 * io + ii] = A[4 * io + ii, 4 * jo + ji]
