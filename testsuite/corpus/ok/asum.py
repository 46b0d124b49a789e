# The sum of absolute values: by an extern in single, by a selection in double precision.
# covers: blas1, f32, f64, scalar, window, reduction, extern
from __future__ import annotations
from exo import *
from exo.libs.externs import fabsf, select


@proc
def sasum(n: size, x: [f32][n], result: f32):
    result = 0.0
    for i in seq(0, n):
        result += fabsf(x[i])


@proc
def dasum(n: size, x: [f64][n], result: f64):
    result = 0.0
    for i in seq(0, n):
        result += select(x[i], 0.0, -x[i], x[i])
