# Depthwise 3 by 3 convolution followed by a rectifier, one filter for each channel.
# covers: conv, ml, f32, tensor, alloc-scalar, reduction, extern, asserts
from __future__ import annotations
from exo import *
from exo.libs.externs import relu


@proc
def depthwise_conv(
    ch: size, h: size, w: size, x: f32[ch, h, w], f: f32[ch, 3, 3], y: f32[ch, h - 2, w - 2]
):
    assert h >= 3
    assert w >= 3
    for c in seq(0, ch):
        for i in seq(0, h - 2):
            for j in seq(0, w - 2):
                acc: f32
                acc = 0.0
                for r in seq(0, 3):
                    for s in seq(0, 3):
                        acc += x[c, i + r, j + s] * f[c, r, s]
                y[c, i, j] = relu(acc)
