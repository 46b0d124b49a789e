# / and % on numbers below zero: both round towards minus infinity.
# covers: tiling, f32, tensor, index-arg, reduction, quasi-affine, asserts
from __future__ import annotations
from exo import *


@proc
def floor_division(lo: index, x: f32[9], count: f32[5]):
    assert lo >= -4
    assert lo <= 1
    for c in seq(0, 5):
        count[c] = 0.0
    for i in seq(lo, lo + 9):
        count[(i + 4) / 4 + 1] += x[i - lo]
        count[i % 4] += 0.5 * x[i - lo]
