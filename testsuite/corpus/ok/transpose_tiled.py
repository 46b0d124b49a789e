# B = A^T by blocks of 4 by 4 through a small buffer, with guards at the edges.
# covers: transpose, tiling, f64, tensor, alloc, alloc-in-loop, if, quasi-affine, constants
from __future__ import annotations
from exo import *

B4 = 4


@proc
def transpose_tiled(m: size, n: size, A: f64[m, n], B: f64[n, m]):
    for io in seq(0, (m + 3) / B4):
        for jo in seq(0, (n + 3) / B4):
            tile: f64[B4, B4]
            for ii in seq(0, B4):
                for ji in seq(0, B4):
                    if B4 * io + ii < m and B4 * jo + ji < n:
                        tile[ji, ii] = A[B4 * io + ii, B4 * jo + ji]
            for ji in seq(0, B4):
                for ii in seq(0, B4):
                    if B4 * io + ii < m and B4 * jo + ji < n:
                        B[B4 * jo + ji, B4 * io + ii] = tile[ji, ii]
