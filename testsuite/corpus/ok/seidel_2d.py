# A Gauss-Seidel sweep: each cell is renewed from neighbours that are partly new already.
# covers: stencil, f64, window, data-division
from __future__ import annotations
from exo import *


@proc
def seidel_2d(n: size, a: [f64][n, n]):
    for i in seq(1, n - 1):
        for j in seq(1, n - 1):
            a[i, j] = (a[i - 1, j] + a[i, j - 1] + a[i, j] + a[i, j + 1] + a[i + 1, j]) / 5.0
