# Adds even cells of a vector to odd cells of another: strides as index arithmetic.
# covers: blas1, f32, scalar, tensor, reduction
from __future__ import annotations
from exo import *


@proc
def axpy_every_other(n: size, a: f32, x: f32[2 * n], y: f32[2 * n]):
    for i in seq(0, n):
        y[2 * i + 1] += a * x[2 * i]
