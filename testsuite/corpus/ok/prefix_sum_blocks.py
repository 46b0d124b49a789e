# Prefix sums in blocks of four: within each block, then across the blocks.
# covers: scan, tiling, f32, tensor, alloc, reduction, quasi-affine, asserts
from __future__ import annotations
from exo import *


@proc
def prefix_sum_blocks(n: size, x: f32[n]):
    assert n % 4 == 0
    carry: f32[n / 4]
    for b in seq(0, n / 4):
        for i in seq(1, 4):
            x[4 * b + i] += x[4 * b + i - 1]
        carry[b] = x[4 * b + 3]
    for b in seq(1, n / 4):
        carry[b] += carry[b - 1]
    for b in seq(1, n / 4):
        for i in seq(0, 4):
            x[4 * b + i] += carry[b - 1]
