# A three-point stencil whose missing neighbours at the ends are left out by guards.
# covers: stencil, f32, window, if, reduction
from __future__ import annotations
from exo import *


@proc
def stencil_1d(n: size, x: [f32][n], y: [f32][n]):
    for i in seq(0, n):
        y[i] = -2.0 * x[i]
        if i > 0:
            y[i] += x[i - 1]
        if i + 1 < n:
            y[i] += x[i + 1]
