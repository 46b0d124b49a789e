# A stencil of any radius with coefficients by distance; cells outside take the edge's value.
# covers: stencil, f64, tensor, if, else, reduction, negative-bound
from __future__ import annotations
from exo import *


@proc
def stencil_wide(n: size, r: size, c: f64[2 * r + 1], x: f64[n], y: f64[n]):
    for i in seq(0, n):
        y[i] = 0.0
        for d in seq(-r, r + 1):
            if i + d < 0:
                y[i] += c[r + d] * x[0]
            else:
                if i + d >= n:
                    y[i] += c[r + d] * x[n - 1]
                else:
                    y[i] += c[r + d] * x[i + d]
