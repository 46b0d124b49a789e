# One Jacobi sweep for Poisson's equation on a grid with a fixed border.
# covers: stencil, f32, tensor, if, else, chained
from __future__ import annotations
from exo import *


@proc
def jacobi_2d(h: size, w: size, u: f32[h, w], f: f32[h, w], v: f32[h, w]):
    for i in seq(0, h):
        for j in seq(0, w):
            if 0 < i < h - 1 and 0 < j < w - 1:
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] + f[i, j])
            else:
                v[i, j] = u[i, j]
