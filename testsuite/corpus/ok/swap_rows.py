# Exchanges two rows of a matrix; equal rows are left alone.
# covers: blas1, f64, tensor, alloc, index-arg, if, or, asserts, chained
from __future__ import annotations
from exo import *


@proc
def swap_rows(m: size, n: size, p: index, q: index, A: f64[m, n]):
    assert 0 <= p < m
    assert 0 <= q < m
    if p < q or q < p:
        row: f64[n] @ DRAM
        for j in seq(0, n):
            row[j] = A[p, j]
        for j in seq(0, n):
            A[p, j] = A[q, j]
        for j in seq(0, n):
            A[q, j] = row[j]
