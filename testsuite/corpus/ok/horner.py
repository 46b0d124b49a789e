# Values of one polynomial at many points, by Horner's rule, highest coefficient last.
# covers: scan, f64, tensor, window, alloc-scalar
from __future__ import annotations
from exo import *


@proc
def horner(n: size, d: size, c: f64[d], x: [f64][n], y: [f64][n]):
    for i in seq(0, n):
        p: f64
        p = c[d - 1]
        for k in seq(1, d):
            p = p * x[i] + c[d - 1 - k]
        y[i] = p
