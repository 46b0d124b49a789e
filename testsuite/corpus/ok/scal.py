# x = a * x in place, and the case a = 0 where old values must not be read.
# covers: blas1, f32, scalar, window
from __future__ import annotations
from exo import *


@proc
def scal(n: size, a: f32, x: [f32][n]):
    for i in seq(0, n):
        x[i] = a * x[i]


@proc
def scal_zero(n: size, x: [f32][n]):
    for i in seq(0, n):
        x[i] = 0.0
