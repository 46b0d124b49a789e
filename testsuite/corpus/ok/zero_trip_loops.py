# Loops that never run: empty, backwards, and from a bound that is not in the buffer.
# covers: f32, tensor, reduction, negative-bound
from __future__ import annotations
from exo import *


@proc
def zero_trip_loops(n: size, x: f32[n]):
    for i in seq(0, 0):
        x[i] = 1.0
    for i in seq(n, n):
        x[i] = 2.0
    for i in seq(n, 0):
        x[i] = 3.0
    for i in seq(5, -5):
        x[0] = 4.0
    for i in seq(0, n - 1):
        for j in seq(i + n, n):
            x[j] = 5.0
    x[0] += 0.5
