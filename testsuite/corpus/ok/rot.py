# A plane rotation of the points (x, y), with cosine and sine given.
# covers: blas1, f32, scalar, window, alloc-scalar
from __future__ import annotations
from exo import *


@proc
def rot(n: size, c: f32, s: f32, x: [f32][n], y: [f32][n]):
    for i in seq(0, n):
        xt: f32
        xt = c * x[i] + s * y[i]
        y[i] = c * y[i] - s * x[i]
        x[i] = xt
