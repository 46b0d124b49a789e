# 3 by 3 convolution whose taps are numbered from -1 to 1; only the inner cells are written.
# covers: conv, f64, tensor, reduction, negative-bound
from __future__ import annotations
from exo import *


@proc
def conv2d_negative_taps(h: size, w: size, x: f64[h, w], f: f64[3, 3], y: f64[h, w]):
    for i in seq(1, h - 1):
        for j in seq(1, w - 1):
            for r in seq(-1, 2):
                for c in seq(-1, 2):
                    y[i, j] += x[i + r, j + c] * f[r + 1, c + 1]
