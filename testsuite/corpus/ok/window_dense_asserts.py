# A window of a tensor's trailing rows is still dense, and a callee may assert it.
# covers: i8, ui8, tensor, window, calls, asserts, stride, omitted-ends
from __future__ import annotations
from exo import *


@proc
def dense_rows(m: size, x: [i8][m, 6], y: [ui8][6]):
    assert stride(x, 0) == 6
    assert stride(x, 1) == 1
    assert stride(y, 0) == 1
    for i in seq(0, m):
        for j in seq(0, 6):
            x[i, j] = 3
            y[j] = 7


@proc
def window_dense_asserts(m: size, x: i8[m + 2, 6], y: ui8[4, 6]):
    dense_rows(m, x[2 : m + 2, :], y[3, :])
