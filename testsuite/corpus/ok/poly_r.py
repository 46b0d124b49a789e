# A cubic on the abstract number type, with literals of many shapes.
# covers: R, tensor, alloc-scalar, constants
from __future__ import annotations
from exo import *

CUBIC = 0.125


@proc
def poly_r(n: size, x: R[n], y: R[n]):
    for i in seq(0, n):
        t: R
        t = x[i]
        y[i] = CUBIC * t * t * t - 1e-2 * t * t + 3 * t - -2.5e0
