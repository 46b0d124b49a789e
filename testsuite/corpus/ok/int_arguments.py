# Arguments of type int: a shift and a step, with guards that keep every access inside.
# covers: f32, tensor, int-arg, if, reduction, quasi-affine, asserts, chained
from __future__ import annotations
from exo import *


@proc
def int_arguments(n: size, shift: int, times: int, x: f32[n], y: f32[n]):
    assert -5 <= shift <= 5
    for i in seq(0, n):
        y[i] = 0.0
        if 0 <= i + shift and i + shift < n:
            y[i] = x[i + shift]
    for t in seq(0, times):
        y[(t + shift) % 1] += 1.0
