# Sums over a sliding window, each from the one before by one addition and one subtraction.
# covers: scan, f32, tensor, reduction
from __future__ import annotations
from exo import *


@proc
def moving_sum(n: size, k: size, x: f32[n + k], y: f32[n + 1]):
    y[0] = 0.0
    for j in seq(0, k):
        y[0] += x[j]
    for i in seq(0, n):
        y[i + 1] = y[i] + x[i + k] - x[i]
