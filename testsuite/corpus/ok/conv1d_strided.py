# One-dimensional convolution that keeps every second output.
# covers: conv, f64, tensor, reduction, quasi-affine, asserts
from __future__ import annotations
from exo import *


@proc
def conv1d_strided(n: size, k: size, x: f64[n], w: f64[k], y: f64[(n - k) / 2 + 1]):
    assert k <= n
    for i in seq(0, (n - k) / 2 + 1):
        y[i] = 0.0
        for j in seq(0, k):
            y[i] += x[2 * i + j] * w[j]
