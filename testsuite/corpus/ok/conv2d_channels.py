# Two-dimensional convolution over channels, channels last, with a bias.
# covers: conv, ml, f32, tensor, reduction, asserts
from __future__ import annotations
from exo import *


@proc
def conv2d_channels(
    h: size,
    w: size,
    ic: size,
    oc: size,
    x: f32[h, w, ic],
    f: f32[oc, 3, 3, ic],
    bias: f32[oc],
    y: f32[h - 2, w - 2, oc],
):
    assert h > 2 and w > 2
    for i in seq(0, h - 2):
        for j in seq(0, w - 2):
            for o in seq(0, oc):
                y[i, j, o] = bias[o]
                for r in seq(0, 3):
                    for s in seq(0, 3):
                        for c in seq(0, ic):
                            y[i, j, o] += x[i + r, j + s, c] * f[o, r, s, c]
