# An unsharp mask on three colour planes that share one grey blur.
# covers: image, f32, scalar, tensor, window, window-stmt, alloc, calls, asserts, omitted-ends
from __future__ import annotations
from exo import *


@proc
def grey(h: size, w: size, rgb: f32[3, h, w], g: f32[h, w]):
    for y in seq(0, h):
        for x in seq(0, w):
            g[y, x] = 0.25 * rgb[0, y, x] + 0.5 * rgb[1, y, x] + 0.25 * rgb[2, y, x]


@proc
def mask(h: size, w: size, g: [f32][h, w], m: f32[h, w - 2]):
    assert w >= 3
    for y in seq(0, h):
        for x in seq(0, w - 2):
            m[y, x] = g[y, x + 1] - 0.25 * (g[y, x] + 2.0 * g[y, x + 1] + g[y, x + 2])


@proc
def unsharp_rgb(h: size, w: size, amount: f32, rgb: f32[3, h, w], out: f32[3, h, w - 2]):
    assert w >= 3
    g: f32[h, w]
    grey(h, w, rgb, g)
    m: f32[h, w - 2]
    mask(h, w, g, m)
    for c in seq(0, 3):
        plane = rgb[c, :, 1 : w - 1]
        for y in seq(0, h):
            for x in seq(0, w - 2):
                out[c, y, x] = plane[y, x] + amount * m[y, x]
