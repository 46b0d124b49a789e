# Scales each row by the reciprocal of its root mean square; the caller gives 1 / n as data.
# covers: ml, f32, scalar, tensor, alloc-scalar, reduction, data-division, extern
from __future__ import annotations
from exo import *
from exo.libs.externs import sqrt


@proc
def rms_norm(m: size, n: size, inv_n: f32, gain: f32[n], x: f32[m, n]):
    for i in seq(0, m):
        ss: f32
        ss = 0.0
        for j in seq(0, n):
            ss += x[i, j] * x[i, j]
        inv: f32
        inv = 1.0 / sqrt(fabsf(ss * inv_n) + 1.0)
        for j in seq(0, n):
            x[i, j] = gain[j] * (x[i, j] * inv)
