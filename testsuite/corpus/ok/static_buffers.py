# Buffers on the stack and in static storage, beside one on the heap.
# covers: f32, tensor, alloc, other-memory, reduction, quasi-affine
from __future__ import annotations
from exo import *
from exo.libs.memories import DRAM_STACK, DRAM_STATIC


@proc
def static_buffers(n: size, x: f32[n, 8], y: f32[n]):
    sums: f32[8] @ DRAM_STACK
    ones: f32[8] @ DRAM_STATIC
    back: f32[n] @ DRAM
    for j in seq(0, 8):
        ones[j] = 1.0
        sums[j] = 0.0
    for i in seq(0, n):
        back[i] = 0.0
        for j in seq(0, 8):
            sums[j] += x[i, j]
            back[i] += ones[j] * x[i, j]
    for i in seq(0, n):
        y[i] = back[i] + sums[i % 8]
