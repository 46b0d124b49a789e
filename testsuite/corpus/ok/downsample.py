# Halves an image by the mean of four pixels; an odd last row or column is dropped.
# covers: image, f32, tensor, quasi-affine, asserts
from __future__ import annotations
from exo import *


@proc
def downsample(h: size, w: size, x: f32[h, w], y: f32[h / 2, w / 2]):
    assert h / 2 >= 1
    assert w / 2 >= 1
    for i in seq(0, h / 2):
        for j in seq(0, w / 2):
            y[i, j] = 0.25 * (
                x[2 * i, 2 * j]
                + x[2 * i, 2 * j + 1]
                + x[2 * i + 1, 2 * j]
                + x[2 * i + 1, 2 * j + 1]
            )
