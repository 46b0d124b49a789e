# 3 by 3 convolution with an output of the input's size; the border is guarded cell by cell.
# covers: conv, f32, tensor, if, reduction
from __future__ import annotations
from exo import *


@proc
def conv2d_same(h: size, w: size, x: f32[h, w], f: f32[3, 3], y: f32[h, w]):
    for i in seq(0, h):
        for j in seq(0, w):
            y[i, j] = 0.0
            for r in seq(0, 3):
                if i + r >= 1 and i + r < h + 1:
                    for c in seq(0, 3):
                        if j + c >= 1 and j + c < w + 1:
                            y[i, j] += f[r, c] * x[i + r - 1, j + c - 1]
