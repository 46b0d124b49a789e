# A 3 by 3 box blur in two stages, rows first, on the cells that have all their neighbours.
# covers: image, f32, tensor, alloc, data-division, asserts
from __future__ import annotations

from exo import *


@proc
def blur(h: size, w: size, inp: f32[h, w] @ DRAM, out: f32[h - 2, w - 2] @ DRAM):
    assert h >= 3
    assert w >= 3
    blur_x: f32[h, w - 2] @ DRAM
    for y in seq(0, h):
        for x in seq(0, w - 2):
            blur_x[y, x] = (inp[y, x] + inp[y, x + 1] + inp[y, x + 2]) / 3.0
    for y in seq(0, h - 2):
        for x in seq(0, w - 2):
            out[y, x] = (blur_x[y, x] + blur_x[y + 1, x] + blur_x[y + 2, x]) / 3.0
