# A window statement inside a loop: the same name shows another part each time.
# covers: f32, tensor, window, window-stmt, window-of-window, calls, reduction, asserts, stride
from __future__ import annotations
from exo import *


@proc
def add_into(n: size, x: [f32][n], y: [f32][n]):
    assert stride(x, 0) == 1
    for i in seq(0, n):
        y[i] += x[i]


@proc
def window_in_loop(n: size, k: size, x: f32[n + k], y: f32[n]):
    for s in seq(0, k):
        part = x[s : s + n]
        add_into(n, part, y)
        tail = part[n - 1 : n]
        y[0] += tail[0]
