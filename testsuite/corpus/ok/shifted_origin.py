# Buffers indexed from lo: loops run from lo to hi, and each access takes lo away again.
# covers: f32, tensor, index-arg, asserts
from __future__ import annotations
from exo import *


@proc
def shifted_origin(lo: index, hi: index, x: f32[hi - lo], y: f32[hi - lo + 1]):
    assert lo < hi
    y[0] = 0.0
    for i in seq(lo, hi):
        y[i - lo + 1] = y[i - lo] + x[i - lo]
