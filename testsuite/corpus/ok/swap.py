# Exchanges two vectors through a scalar.
# covers: blas1, f32, window, alloc-scalar
from __future__ import annotations
from exo import *


@proc
def swap(n: size, x: [f32][n], y: [f32][n]):
    for i in seq(0, n):
        tmp: f32
        tmp = x[i]
        x[i] = y[i]
        y[i] = tmp
