# Jacobi iteration on a line with fixed ends: an even number of sweeps between two buffers.
# covers: stencil, f64, tensor, alloc
from __future__ import annotations
from exo import *


@proc
def jacobi_1d(t: size, n: size, a: f64[n]):
    b: f64[n]
    for i in seq(0, n):
        b[i] = a[i]
    for s in seq(0, t):
        for i in seq(1, n - 1):
            b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1]
        for i in seq(1, n - 1):
            a[i] = 0.25 * b[i - 1] + 0.5 * b[i] + 0.25 * b[i + 1]
