# Mixes two 8-bit images three to one in 16 bits, then scales in single precision.
# covers: image, f32, ui8, ui16, tensor, alloc-scalar, cast
from __future__ import annotations
from exo import *


@proc
def blend_u8(h: size, w: size, a: ui8[h, w], b: ui8[h, w], out: f32[h, w]):
    for i in seq(0, h):
        for j in seq(0, w):
            p: ui16
            p = a[i, j]
            q: ui16
            q = b[i, j]
            mixed: ui16
            mixed = 3 * p + 1 * q
            out[i, j] = mixed
            out[i, j] = out[i, j] * 0.25
