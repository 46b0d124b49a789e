# y += a * x on complex numbers stored as pairs of cells.
# covers: blas1, f32, tensor, window, alloc-scalar, reduction
from __future__ import annotations
from exo import *


@proc
def complex_axpy(n: size, a: f32[2], x: [f32][n, 2], y: [f32][n, 2]):
    for i in seq(0, n):
        re: f32
        im: f32
        re = a[0] * x[i, 0] - a[1] * x[i, 1]
        im = a[0] * x[i, 1] + a[1] * x[i, 0]
        y[i, 0] += re
        y[i, 1] += im
