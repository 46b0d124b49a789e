# Registers that are loaded and never used: C says that this is meant.
# covers: avx2, tensor, alloc, window
from __future__ import annotations
from exo import *


@proc
def machine_unread(x: f32[8], y: f32[16], s: f32):
    r: f32[8] @ AVX2
    mm256_loadu_ps(r, x[0:8])
    if 0 < 1:
        q: f32[2, 8] @ AVX2
        mm256_loadu_ps(q[0, 0:8], y[0:8])
        mm256_loadu_ps(q[1, 0:8], y[8:16])
    s = x[0]
