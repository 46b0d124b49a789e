# Parallel exchange of neighbours: each iteration has one pair.
# covers: f32, tensor, alloc-scalar, parallel, quasi-affine, extern
from __future__ import annotations
from exo import *
from exo.libs.externs import fmaxf, fminf


@proc
def par_even_odd(n: size, x: f32[n]):
    for i in par(0, n / 2):
        low: f32
        low = fminf(x[2 * i], x[2 * i + 1])
        x[2 * i + 1] = fmaxf(x[2 * i], x[2 * i + 1])
        x[2 * i] = low
