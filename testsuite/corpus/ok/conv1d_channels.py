# One-dimensional convolution over channels, in 32-bit integers, with zero padding at the end.
# covers: conv, i32, tensor, alloc-scalar, if, else, reduction
from __future__ import annotations
from exo import *


@proc
def conv1d_channels(
    ic: size, oc: size, w: size, n: size, data: i32[ic, n], kernels: i32[oc, ic, w], out: i32[oc, n]
):
    for o in seq(0, oc):
        for i in seq(0, n):
            out[o, i] = 0.0
            for c in seq(0, ic):
                for r in seq(0, w):
                    cell: i32
                    if i + r < n:
                        cell = data[c, i + r]
                    else:
                        cell = 0
                    out[o, i] += kernels[o, c, r] * cell
