# Clipped ranges without min and max: the larger of two bounds is found by a guard in the loop.
# covers: f32, tensor, index-arg, if, else, not, or, reduction, chained
from __future__ import annotations
from exo import *


@proc
def min_max_bounds(n: size, a: index, b: index, x: f32[n], y: f32[n]):
    for i in seq(a, b):
        if 0 <= i < n:
            if n - 1 - i >= a and (i < 3 or not i + 2 < b):
                y[i] += x[n - 1 - i]
            else:
                y[n - 1 - i] += x[i]
