# Inclusive and exclusive prefix sums.
# covers: scan, f32, tensor, window, alloc-scalar, reduction
from __future__ import annotations
from exo import *


@proc
def inclusive_sum(n: size, x: [f32][n], y: [f32][n]):
    y[0] = x[0]
    for i in seq(1, n):
        y[i] = y[i - 1] + x[i]


@proc
def exclusive_sum(n: size, x: [f32][n], y: f32[n + 1]):
    run: f32
    run = 0.0
    for i in seq(0, n):
        y[i] = run
        run += x[i]
    y[n] = run
