# The largest cell of each 2 by 2 block; half blocks at the edges count too.
# covers: image, ml, f32, tensor, alloc-scalar, if, quasi-affine, extern
from __future__ import annotations
from exo import *
from exo.libs.externs import fmaxf


@proc
def max_pool(h: size, w: size, x: f32[h, w], y: f32[(h + 1) / 2, (w + 1) / 2]):
    for i in seq(0, (h + 1) / 2):
        for j in seq(0, (w + 1) / 2):
            best: f32
            best = x[2 * i, 2 * j]
            if 2 * j + 1 < w:
                best = fmaxf(best, x[2 * i, 2 * j + 1])
            if 2 * i + 1 < h:
                best = fmaxf(best, x[2 * i + 1, 2 * j])
                if 2 * j + 1 < w:
                    best = fmaxf(best, x[2 * i + 1, 2 * j + 1])
            y[i, j] = best
