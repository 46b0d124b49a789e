# Red-black order: first the cells whose row and column sum is even, then the others.
# covers: stencil, tiling, f32, tensor, if, quasi-affine
from __future__ import annotations
from exo import *


@proc
def checkerboard(h: size, w: size, u: f32[h, w]):
    for colour in seq(0, 2):
        for i in seq(1, h - 1):
            for j in seq(1, w - 1):
                if (i + j) % 2 == colour:
                    u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
