# Two-dimensional 2 by 2 convolution with stride 2 in both directions.
# covers: conv, f32, tensor, reduction, quasi-affine, asserts
from __future__ import annotations
from exo import *


@proc
def conv2d_strided(h: size, w: size, x: f32[h, w], f: f32[2, 2], y: f32[h / 2, w / 2]):
    assert h >= 2
    assert w >= 2
    for i in seq(0, h / 2):
        for j in seq(0, w / 2):
            y[i, j] = 0.0
            for r in seq(0, 2):
                for c in seq(0, 2):
                    y[i, j] += x[2 * i + r, 2 * j + c] * f[r, c]
