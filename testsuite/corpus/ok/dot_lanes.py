# The inner product with eight partial sums, a tail, and their sum at the end.
# covers: blas1, f32, scalar, window, alloc, reduction, quasi-affine, constants
from __future__ import annotations
from exo import *

LANES = 8


@proc
def dot_lanes(n: size, x: [f32][n], y: [f32][n], result: f32):
    acc: f32[LANES]
    for l in seq(0, LANES):
        acc[l] = 0.0
    for i in seq(0, n / LANES):
        for l in seq(0, LANES):
            acc[l] += x[LANES * i + l] * y[LANES * i + l]
    result = 0.0
    for l in seq(0, LANES):
        result += acc[l]
    for t in seq(0, n % LANES):
        result += x[LANES * (n / LANES) + t] * y[LANES * (n / LANES) + t]
