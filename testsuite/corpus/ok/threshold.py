# Cells at least as large as a limit become 1, the others 0.
# covers: image, f32, scalar, window, extern
from __future__ import annotations
from exo import *
from exo.libs.externs import select


@proc
def threshold(h: size, w: size, limit: f32, x: [f32][h, w]):
    for i in seq(0, h):
        for j in seq(0, w):
            x[i, j] = select(x[i, j], limit, 0.0, 1.0)
