# z = x * y cell by cell, where z is a tensor and the factors are windows.
# covers: blas1, f64, tensor, window
from __future__ import annotations
from exo import *


@proc
def hadamard(n: size, x: [f64][n], y: [f64][n], z: f64[n]):
    for i in seq(0, n):
        z[i] = x[i] * y[i]
