# A 1 by 1 convolution is a matrix product per pixel.
# covers: conv, ml, f32, tensor, window, window-stmt, calls, reduction, omitted-ends
from __future__ import annotations
from exo import *


@proc
def mix_channels(ic: size, oc: size, f: [f32][oc, ic], x: [f32][ic], y: [f32][oc]):
    for o in seq(0, oc):
        y[o] = 0.0
        for c in seq(0, ic):
            y[o] += f[o, c] * x[c]


@proc
def pointwise_conv(
    h: size, w: size, ic: size, oc: size, x: f32[h, w, ic], f: f32[oc, ic], y: f32[h, w, oc]
):
    for i in seq(0, h):
        for j in seq(0, w):
            pixel_in = x[i, j, :]
            pixel_out = y[i, j, :]
            mix_channels(ic, oc, f, pixel_in, pixel_out)
