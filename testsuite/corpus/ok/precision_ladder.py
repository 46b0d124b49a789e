# One value written down and up through every floating-point precision.
# covers: f16, f32, f64, tensor, alloc-scalar, data-division, cast
from __future__ import annotations
from exo import *


@proc
def precision_ladder(n: size, x: f64[n], y: f64[n]):
    for i in seq(0, n):
        single: f32
        single = x[i] / 3.0
        half: f16
        half = single * 0.5
        single = half + 1.0
        y[i] = single
