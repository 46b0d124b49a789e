# Assertions of each form: divisibility, order, chains, equality, booleans, negation, strides.
# covers: f32, tensor, window, index-arg, bool-arg, not, or, quasi-affine, asserts, stride, chained
from __future__ import annotations
from exo import *


@proc
def assertion_forms(
    n: size, m: size, k: index, up: bool, x: [f32][n], A: [f32][m, n], y: f32[n / 8]
):
    assert n % 8 == 0
    assert m <= n
    assert 0 <= k < m
    assert 1 <= m and m <= n <= 64 and k < 16
    assert n / 8 == (n + 7) / 8
    assert up or k == 0
    assert not (m == 3 and k == 2)
    assert stride(x, 0) == 1
    assert stride(A, 1) == 1
    assert stride(A, 0) >= 1
    for i in seq(0, n / 8):
        y[i] = x[8 * i + 7] + A[k, 8 * i]
