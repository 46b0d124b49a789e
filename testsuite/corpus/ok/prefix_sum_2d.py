# The summed-area table of an image, one row and column larger than the image.
# covers: image, scan, f64, tensor
from __future__ import annotations
from exo import *


@proc
def prefix_sum_2d(h: size, w: size, x: f64[h, w], s: f64[h + 1, w + 1]):
    for j in seq(0, w + 1):
        s[0, j] = 0.0
    for i in seq(0, h):
        s[i + 1, 0] = 0.0
        for j in seq(0, w):
            s[i + 1, j + 1] = x[i, j] + s[i, j + 1] + s[i + 1, j] - s[i, j]
