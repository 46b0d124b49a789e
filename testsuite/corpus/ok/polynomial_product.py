# Coefficients of the product of two polynomials, gathered by degree with a guard on both sides.
# covers: triangular, f32, tensor, if, reduction
from __future__ import annotations
from exo import *


@proc
def polynomial_product(n: size, m: size, a: f32[n], b: f32[m], c: f32[n + m - 1]):
    for d in seq(0, n + m - 1):
        c[d] = 0.0
        for i in seq(0, n):
            if d - i >= 0:
                if d - i < m:
                    c[d] += a[i] * b[d - i]
