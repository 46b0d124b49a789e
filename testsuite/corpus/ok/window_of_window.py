# A window of a window of a window: rows, then columns, then one row of what is left.
# covers: f32, tensor, window-stmt, window-of-window, reduction, asserts, omitted-ends
from __future__ import annotations
from exo import *


@proc
def window_of_window(m: size, n: size, A: f32[m, n], y: f32[n - 2]):
    assert m >= 4
    assert n >= 3
    rows = A[1 : m - 1, :]
    core = rows[:, 1 : n - 1]
    second = core[1, :]
    for j in seq(0, n - 2):
        y[j] = second[j]
        core[0, j] += second[j]
