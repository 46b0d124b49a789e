# Valid two-dimensional convolution.
# covers: conv, f32, tensor, reduction, asserts, chained
from __future__ import annotations
from exo import *


@proc
def conv2d(
    h: size,
    w: size,
    kh: size,
    kw: size,
    x: f32[h, w],
    f: f32[kh, kw],
    y: f32[h - kh + 1, w - kw + 1],
):
    assert 1 <= kh <= h
    assert 1 <= kw <= w
    for i in seq(0, h - kh + 1):
        for j in seq(0, w - kw + 1):
            y[i, j] = 0.0
            for r in seq(0, kh):
                for c in seq(0, kw):
                    y[i, j] += x[i + r, j + c] * f[r, c]
