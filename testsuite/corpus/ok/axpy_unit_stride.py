# y += a * x where both windows are asserted dense, in single and in double precision.
# covers: blas1, f32, f64, scalar, window, reduction, asserts, stride
from __future__ import annotations

from exo import *


@proc
def saxpy(n: size, a: f32, x: [f32][n] @ DRAM, y: [f32][n] @ DRAM):
    assert stride(x, 0) == 1
    assert stride(y, 0) == 1
    for i in seq(0, n):
        y[i] += a * x[i]


@proc
def daxpy(n: size, a: f64, x: [f64][n] @ DRAM, y: [f64][n] @ DRAM):
    assert stride(x, 0) == 1 and stride(y, 0) == 1
    for i in seq(0, n):
        y[i] += a * x[i]
