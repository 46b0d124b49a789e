# y += a * x in half precision, with the sum of the result kept in single precision.
# covers: blas1, f16, f32, scalar, window, reduction, cast
from __future__ import annotations
from exo import *


@proc
def axpy_f16(n: size, a: f16, x: [f16][n], y: [f16][n], s: f32):
    s = 0.0
    for i in seq(0, n):
        y[i] += a * x[i]
        s += y[i]
