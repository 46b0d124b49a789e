# AVX2 by the names of its instructions, f64: every form once.
# covers: f64, scalar, tensor, alloc, alloc-in-loop, calls, other-memory
from __future__ import annotations
from exo import *


@proc
def avx2_pd(n: size, s: f64, x: f64[n, 4], y: f64[n, 4]):
    zero: f64[4] @ AVX2
    mm256_setzero_pd(zero)
    scale: f64[4] @ AVX2
    mm256_set1_pd(scale, s)
    for i in seq(0, n):
        a: f64[4] @ AVX2
        b: f64[4] @ AVX2
        mm256_loadu_pd(a, x[i, 0:4])
        mm256_loadu_pd(b, y[i, 0:4])
        mm256_fmadd_pd(b, a, scale)
        t: f64[4] @ AVX2
        mm256_add_pd(t, b, zero)
        mm256_mul_pd(b, t, scale)
        mm256_storeu_pd(y[i, 0:4], b)
