# The 128 by 128 product in tiles of 16, as PLDI'22 §2.1 shows it after splitting and reordering.
# covers: paper, blas3, tiling, f32, tensor, reduction, constants
from __future__ import annotations
from exo import *

T = 16


@proc
def gemm_tiled_128(A: f32[128, 128] @ DRAM, B: f32[128, 128] @ DRAM, C: f32[128, 128] @ DRAM):
    for io in seq(0, 8):
        for jo in seq(0, 8):
            for ko in seq(0, 8):
                for ii in seq(0, T):
                    for ji in seq(0, T):
                        for ki in seq(0, T):
                            C[T * io + ii, T * jo + ji] += (
                                A[T * io + ii, T * ko + ki] * B[T * ko + ki, T * jo + ji]
                            )
