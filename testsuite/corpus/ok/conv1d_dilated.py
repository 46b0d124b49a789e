# One-dimensional convolution whose taps lie three cells apart.
# covers: conv, f32, tensor, if, else, reduction
from __future__ import annotations
from exo import *


@proc
def conv1d_dilated(n: size, k: size, x: f32[n + 3 * k - 3], w: f32[k], y: f32[n]):
    for j in seq(0, k):
        for i in seq(0, n):
            if j == 0:
                y[i] = w[j] * x[i + 3 * j]
            else:
                y[i] += w[j] * x[i + 3 * j]
