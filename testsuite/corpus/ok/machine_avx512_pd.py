# AVX512 by the names of its instructions, f64: every form once.
# covers: f64, scalar, tensor, alloc, alloc-in-loop, calls, other-memory
from __future__ import annotations
from exo import *


@proc
def avx512_pd(n: size, s: f64, x: f64[n, 8], y: f64[n, 8]):
    zero: f64[8] @ AVX512
    mm512_setzero_pd(zero)
    scale: f64[8] @ AVX512
    mm512_set1_pd(scale, s)
    for i in seq(0, n):
        a: f64[8] @ AVX512
        b: f64[8] @ AVX512
        mm512_loadu_pd(a, x[i, 0:8])
        mm512_loadu_pd(b, y[i, 0:8])
        mm512_fmadd_pd(b, a, scale)
        t: f64[8] @ AVX512
        mm512_add_pd(t, b, zero)
        mm512_mul_pd(b, t, scale)
        mm512_storeu_pd(y[i, 0:8], b)
    for i in seq(0, n):
        c: f64[8] @ AVX512
        mm512_maskz_loadu_pd(5, c, x[i, 1:6])
        mm512_mask_storeu_pd(3, y[i, 2:5], c)
