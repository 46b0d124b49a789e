# y += a * x in bf16, with the sum of the result kept in single precision.
# covers: blas1, rounds, bf16, f32, scalar, window, reduction, cast
from __future__ import annotations
from exo import *


@proc
def axpy_bf16(n: size, a: bf16, x: [bf16][n], y: [bf16][n], s: f32):
    s = 0.0
    for i in seq(0, n):
        y[i] += a * x[i]
        t: f32
        t = y[i]
        s += t
