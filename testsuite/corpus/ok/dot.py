# The inner product, accumulated straight into the result.
# covers: blas1, f32, scalar, window, reduction
from __future__ import annotations
from exo import *


@proc
def dot(n: size, x: [f32][n], y: [f32][n], result: f32):
    result = 0.0
    for i in seq(0, n):
        result += x[i] * y[i]
