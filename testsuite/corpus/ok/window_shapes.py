# Windows with either end left out, with both, and with a point among the intervals.
# covers: f64, scalar, tensor, window-stmt, index-arg, reduction, asserts, omitted-ends
from __future__ import annotations
from exo import *


@proc
def window_shapes(n: size, k: index, A: f64[n, n, 4], s: f64):
    assert 0 <= k
    assert k < n
    front = A[:k + 1, k, 2:]
    back = A[k:, :, 3]
    s = 0.0
    for i in seq(0, k + 1):
        for c in seq(0, 2):
            s += front[i, c]
    for i in seq(0, n - k):
        s += back[i, 0]
