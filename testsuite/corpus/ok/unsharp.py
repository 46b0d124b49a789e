# An unsharp mask: sharpens a grey image by what a vertical and horizontal blur takes away.
# covers: image, f32, scalar, tensor, alloc, alloc-scalar, alloc-in-loop
from __future__ import annotations
from exo import *


@proc
def unsharp(h: size, w: size, amount: f32, inp: f32[h + 2, w + 2], out: f32[h, w]):
    for y in seq(0, h):
        line: f32[w + 2]
        for x in seq(0, w + 2):
            line[x] = 0.25 * inp[y, x] + 0.5 * inp[y + 1, x] + 0.25 * inp[y + 2, x]
        for x in seq(0, w):
            smooth: f32
            smooth = 0.25 * line[x] + 0.5 * line[x + 1] + 0.25 * line[x + 2]
            out[y, x] = inp[y + 1, x + 1] + amount * (inp[y + 1, x + 1] - smooth)
