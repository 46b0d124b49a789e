# The square of the Euclidean norm, and the norm itself by an extern square root.
# covers: blas1, f32, scalar, window, alloc-scalar, calls, reduction, extern
from __future__ import annotations
from exo import *
from exo.libs.externs import sqrt


@proc
def nrm2_squared(n: size, x: [f32][n], result: f32):
    result = 0.0
    for i in seq(0, n):
        result += x[i] * x[i]


@proc
def nrm2(n: size, x: [f32][n], result: f32):
    ss: f32
    nrm2_squared(n, x, ss)
    result = sqrt(ss)
