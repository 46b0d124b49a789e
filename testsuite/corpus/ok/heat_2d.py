# Time steps of the heat equation on a plane; two planes of one buffer are used in turn.
# covers: stencil, f32, scalar, tensor, alloc, quasi-affine
from __future__ import annotations
from exo import *


@proc
def heat_2d(t: size, h: size, w: size, k: f32, u: f32[h, w]):
    plane: f32[2, h, w]
    for i in seq(0, h):
        for j in seq(0, w):
            plane[0, i, j] = u[i, j]
            plane[1, i, j] = u[i, j]
    for s in seq(0, t):
        for i in seq(1, h - 1):
            for j in seq(1, w - 1):
                plane[(s + 1) % 2, i, j] = plane[s % 2, i, j] + k * (
                    plane[s % 2, i - 1, j]
                    + plane[s % 2, i + 1, j]
                    + plane[s % 2, i, j - 1]
                    + plane[s % 2, i, j + 1]
                    - 4.0 * plane[s % 2, i, j]
                )
    for i in seq(0, h):
        for j in seq(0, w):
            u[i, j] = plane[t % 2, i, j]
