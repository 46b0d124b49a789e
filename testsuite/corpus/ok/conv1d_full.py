# The full convolution, every overlap of signal and kernel, scattered from the inputs.
# covers: conv, f32, tensor, reduction
from __future__ import annotations
from exo import *


@proc
def conv1d_full(n: size, k: size, x: f32[n], w: f32[k], y: f32[n + k - 1]):
    for i in seq(0, n + k - 1):
        y[i] = 0.0
    for i in seq(0, n):
        for j in seq(0, k):
            y[i + j] += x[i] * w[j]
