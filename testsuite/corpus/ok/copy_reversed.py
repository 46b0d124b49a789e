# y = x backwards, as a vector of negative increment would be copied.
# covers: blas1, f32, window
from __future__ import annotations
from exo import *


@proc
def copy_reversed(n: size, x: [f32][n], y: [f32][n]):
    for i in seq(0, n):
        y[n - 1 - i] = x[i]
