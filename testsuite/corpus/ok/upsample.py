# Doubles an image in both directions: each output cell reads the cell at half its place.
# covers: image, f32, tensor, quasi-affine
from __future__ import annotations
from exo import *


@proc
def upsample(h: size, w: size, x: f32[h, w], y: f32[2 * h, 2 * w]):
    for i in seq(0, 2 * h):
        for j in seq(0, 2 * w):
            y[i, j] = x[i / 2, j / 2]
