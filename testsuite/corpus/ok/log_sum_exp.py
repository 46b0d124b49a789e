# The logarithm of a sum of exponentials.
# covers: ml, f32, scalar, window, alloc-scalar, reduction, extern
from __future__ import annotations
from exo import *
from exo.libs.externs import expf, logf, fmaxf


@proc
def log_sum_exp(n: size, x: [f32][n], y: f32):
    top: f32
    top = x[0]
    for i in seq(1, n):
        top = fmaxf(top, x[i])
    y = 0.0
    for i in seq(0, n):
        y += expf(x[i] - top)
    y = top + logf(y)
