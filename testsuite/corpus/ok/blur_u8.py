# A three-tap blur of 8-bit pixels, summed in 16 bits and weighted 1, 2, 1.
# covers: image, ui8, ui16, tensor, alloc-scalar, cast
from __future__ import annotations
from exo import *


@proc
def blur_u8(n: size, x: ui8[n + 2], y: ui16[n]):
    for i in seq(0, n):
        left: ui16
        left = x[i]
        mid: ui16
        mid = x[i + 1]
        right: ui16
        right = x[i + 2]
        y[i] = left + 2 * mid + right
