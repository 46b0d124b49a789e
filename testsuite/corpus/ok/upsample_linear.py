# Doubles a signal, placing means between neighbours; whether a cell is old or new is its parity.
# covers: image, f32, tensor, if, else, quasi-affine
from __future__ import annotations
from exo import *


@proc
def upsample_linear(n: size, x: f32[n], y: f32[2 * n]):
    for i in seq(0, 2 * n):
        if i % 2 == 0:
            y[i] = x[i / 2]
        else:
            if i / 2 + 1 < n:
                y[i] = 0.5 * (x[i / 2] + x[i / 2 + 1])
            else:
                y[i] = x[i / 2]
