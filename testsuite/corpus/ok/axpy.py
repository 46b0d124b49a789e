# y += a * x on vectors of any stride: the first kernel of BLAS level 1.
# covers: blas1, f32, scalar, window, reduction, docstring
from __future__ import annotations

from exo import *


@proc
def axpy(n: size, a: f32, x: [f32][n], y: [f32][n]):
    """Adds a multiple of `x` to `y`."""
    for i in seq(0, n):
        y[i] += a * x[i]
