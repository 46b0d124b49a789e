# AVX2 by the names of its instructions, f32: every form once.
# covers: f32, scalar, tensor, alloc, alloc-in-loop, calls, other-memory
from __future__ import annotations
from exo import *


@proc
def avx2_ps(n: size, s: f32, x: f32[n, 8], y: f32[n, 8]):
    zero: f32[8] @ AVX2
    mm256_setzero_ps(zero)
    scale: f32[8] @ AVX2
    mm256_set1_ps(scale, s)
    for i in seq(0, n):
        a: f32[8] @ AVX2
        b: f32[8] @ AVX2
        mm256_loadu_ps(a, x[i, 0:8])
        mm256_loadu_ps(b, y[i, 0:8])
        mm256_fmadd_ps(b, a, scale)
        t: f32[8] @ AVX2
        mm256_add_ps(t, b, zero)
        mm256_mul_ps(b, t, scale)
        mm256_storeu_ps(y[i, 0:8], b)
