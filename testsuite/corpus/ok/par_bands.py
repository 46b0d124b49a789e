# Parallel bands of rows with a stencil: all read a shared halo, none writes it.
# covers: stencil, f32, tensor, window-stmt, parallel, omitted-ends
from __future__ import annotations
from exo import *


@proc
def par_bands(b: size, n: size, x: f32[4 * b + 2, n], y: f32[4 * b, n]):
    for band in par(0, b):
        rows = x[4 * band : 4 * band + 6, :]
        out = y[4 * band : 4 * band + 4, :]
        for i in seq(0, 4):
            for j in seq(0, n):
                out[i, j] = rows[i, j] - 2.0 * rows[i + 1, j] + rows[i + 2, j]
