# y = a * x + b * y: scales and adds in one statement.
# covers: blas1, f32, scalar, window
from __future__ import annotations
from exo import *


@proc
def axpby(n: size, a: f32, b: f32, x: [f32][n], y: [f32][n]):
    for i in seq(0, n):
        y[i] = a * x[i] + b * y[i]
