# y = T * x where T[i, j] = t[i - j + n - 1]: a matrix given by its diagonals.
# covers: blas2, f32, tensor, reduction
from __future__ import annotations
from exo import *


@proc
def toeplitz_mv(n: size, t: f32[2 * n - 1], x: f32[n], y: f32[n]):
    for i in seq(0, n):
        y[i] = 0.0
        for j in seq(0, n):
            y[i] += t[i - j + n - 1] * x[j]
