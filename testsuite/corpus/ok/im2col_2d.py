# Lays 3 by 3 patches of an image out as rows; the patch index is split by / and %.
# covers: conv, f32, tensor, quasi-affine, asserts
from __future__ import annotations
from exo import *


@proc
def im2col_2d(h: size, w: size, x: f32[h, w], patches: f32[9, h - 2, w - 2]):
    assert h >= 3
    assert w >= 3
    for p in seq(0, 9):
        for i in seq(0, h - 2):
            for j in seq(0, w - 2):
                patches[p, i, j] = x[i + p / 3, j + p % 3]
