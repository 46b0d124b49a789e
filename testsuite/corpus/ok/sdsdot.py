# b plus the inner product, summed in double precision and rounded once at the end.
# covers: blas1, f32, f64, scalar, window, alloc-scalar, reduction, cast
from __future__ import annotations
from exo import *


@proc
def sdsdot(n: size, b: f32, x: [f32][n], y: [f32][n], result: f32):
    acc: f64
    acc = b
    for i in seq(0, n):
        prod: f64
        xd: f64
        xd = x[i]
        prod = y[i]
        prod = prod * xd
        acc += prod
    result = acc
