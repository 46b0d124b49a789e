# The inner product of single precision vectors, widened to double by writes.
# covers: blas1, f32, f64, scalar, window, alloc-scalar, reduction, cast
from __future__ import annotations
from exo import *


@proc
def dsdot(n: size, x: [f32][n], y: [f32][n], result: f64):
    result = 0.0
    for i in seq(0, n):
        xd: f64
        xd = x[i]
        yd: f64
        yd = y[i]
        result += xd * yd
