# One name for an argument, a loop and a buffer: the innermost is meant, and scopes end.
# covers: f32, tensor, window-stmt, alloc-scalar, index-arg, if, reduction, asserts, chained, shadowing
from __future__ import annotations
from exo import *


@proc
def shadowed_names(n: size, i: index, x: f32[n], y: f32[n]):
    assert 0 <= i < n
    t: f32
    t = x[i]
    for i in seq(0, n):
        t: f32
        t = 2.0 * x[i]
        for i in seq(0, i):
            t: f32
            t = 1.0
            y[i] += t
        y[i] += t
    y[i] += t
    if i > 0:
        z = y[0:i]
        z[i - 1] = t
