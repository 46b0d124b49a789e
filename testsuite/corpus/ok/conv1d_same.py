# One-dimensional convolution with an output of the input's size; outside cells count as zero.
# covers: conv, f32, tensor, if, reduction, chained, constants
from __future__ import annotations
from exo import *

TAPS = 5
HALF = 2


@proc
def conv1d_same(n: size, x: f32[n], w: f32[TAPS], y: f32[n]):
    for i in seq(0, n):
        y[i] = 0.0
        for t in seq(0, TAPS):
            if 0 <= i + t - HALF < n:
                y[i] += w[t] * x[i + t - HALF]
