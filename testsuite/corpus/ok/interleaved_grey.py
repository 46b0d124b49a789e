# Luma of an interleaved colour image: pixels are triples in one long row.
# covers: image, f32, tensor
from __future__ import annotations
from exo import *


@proc
def interleaved_grey(n: size, rgb: f32[3 * n], luma: f32[n]):
    for i in seq(0, n):
        luma[i] = 0.299 * rgb[3 * i] + 0.587 * rgb[3 * i + 1] + 0.114 * rgb[3 * i + 2]
