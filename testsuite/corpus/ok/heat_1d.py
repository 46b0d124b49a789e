# Explicit time steps of the heat equation, every step kept as a row of the result.
# covers: stencil, f32, scalar, tensor, if, else, or
from __future__ import annotations
from exo import *


@proc
def heat_1d(t: size, n: size, k: f32, u: f32[t + 1, n]):
    for s in seq(0, t):
        for i in seq(0, n):
            if i == 0 or i == n - 1:
                u[s + 1, i] = u[s, i]
            else:
                u[s + 1, i] = u[s, i] + k * (u[s, i - 1] - 2.0 * u[s, i] + u[s, i + 1])
