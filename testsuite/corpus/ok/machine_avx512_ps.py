# AVX512 by the names of its instructions, f32: every form once.
# covers: f32, scalar, tensor, alloc, alloc-in-loop, calls, other-memory
from __future__ import annotations
from exo import *


@proc
def avx512_ps(n: size, s: f32, x: f32[n, 16], y: f32[n, 16]):
    zero: f32[16] @ AVX512
    mm512_setzero_ps(zero)
    scale: f32[16] @ AVX512
    mm512_set1_ps(scale, s)
    for i in seq(0, n):
        a: f32[16] @ AVX512
        b: f32[16] @ AVX512
        mm512_loadu_ps(a, x[i, 0:16])
        mm512_loadu_ps(b, y[i, 0:16])
        mm512_fmadd_ps(b, a, scale)
        t: f32[16] @ AVX512
        mm512_add_ps(t, b, zero)
        mm512_mul_ps(b, t, scale)
        mm512_storeu_ps(y[i, 0:16], b)
    for i in seq(0, n):
        c: f32[16] @ AVX512
        mm512_maskz_loadu_ps(13, c, x[i, 1:14])
        mm512_mask_storeu_ps(11, y[i, 2:13], c)
