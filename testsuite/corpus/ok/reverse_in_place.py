# Reverses a vector in place; the loop stops at the middle.
# covers: transpose, f32, window, alloc-scalar, quasi-affine
from __future__ import annotations
from exo import *


@proc
def reverse_in_place(n: size, x: [f32][n]):
    for i in seq(0, n / 2):
        t: f32
        t = x[i]
        x[i] = x[n - 1 - i]
        x[n - 1 - i] = t
