# y += a * x by blocks of four, written out, then what is left over.
# covers: blas1, tiling, f32, scalar, window, reduction, quasi-affine
from __future__ import annotations
from exo import *


@proc
def axpy_unrolled(n: size, a: f32, x: [f32][n], y: [f32][n]):
    for io in seq(0, n / 4):
        y[4 * io] += a * x[4 * io]
        y[4 * io + 1] += a * x[4 * io + 1]
        y[4 * io + 2] += a * x[4 * io + 2]
        y[4 * io + 3] += a * x[4 * io + 3]
    for it in seq(0, n % 4):
        y[4 * (n / 4) + it] += a * x[4 * (n / 4) + it]
