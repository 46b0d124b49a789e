# Blocks of a vector are summed in parallel into cells of their own; one loop adds these up.
# covers: f32, scalar, tensor, window, window-0d, cell-argument, alloc, calls, parallel, reduction, quasi-affine, asserts
from __future__ import annotations
from exo import *


@proc
def block_sum(x: [f32][16], s: [f32]):
    s = 0.0
    for i in seq(0, 16):
        s += x[i]


@proc
def par_blocks(n: size, x: f32[n], total: f32):
    assert n % 16 == 0
    part: f32[n / 16]
    for b in par(0, n / 16):
        block_sum(x[16 * b : 16 * b + 16], part[b])
    total = 0.0
    for b in seq(0, n / 16):
        total += part[b]
