# Transposed convolution with stride 2: each input cell is scattered over a stretch of the output.
# covers: conv, f32, tensor, reduction, constants
from __future__ import annotations
from exo import *

K = 4


@proc
def transposed_conv1d(n: size, x: f32[n], w: f32[K], y: f32[2 * n + 2]):
    for i in seq(0, 2 * n + 2):
        y[i] = 0.0
    for i in seq(0, n):
        for j in seq(0, K):
            y[2 * i + j] += x[i] * w[j]
