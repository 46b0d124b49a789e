# Valid one-dimensional convolution of a signal with a kernel (as a correlation).
# covers: conv, f32, tensor, alloc-scalar, reduction, asserts
from __future__ import annotations

from exo import *


@proc
def conv1d(n: size, k: size, x: f32[n] @ DRAM, w: f32[k] @ DRAM, y: f32[n - k + 1] @ DRAM):
    assert k <= n
    for i in seq(0, n - k + 1):
        acc: f32
        acc = 0.0
        for j in seq(0, k):
            acc += x[i + j] * w[j]
        y[i] = acc
