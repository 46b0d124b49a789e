# A rank-3 window with a point in the middle, of a rank-4 tensor, and planes taken from it.
# covers: f64, tensor, window, window-0d, window-stmt, window-of-window, cell-argument, calls, reduction, omitted-ends
from __future__ import annotations
from exo import *


@proc
def sum_plane(a: size, b: size, x: [f64][a, b], s: [f64]):
    for i in seq(0, a):
        for j in seq(0, b):
            s += x[i, j]


@proc
def window_rank3(n: size, m: size, T: f64[m, n, 3, n + 2], s: f64[n]):
    for k in seq(0, n):
        cube = T[:, k, 1:3, 1 : n + 1]
        s[k] = 0.0
        for c in seq(0, 2):
            sum_plane(m, n, cube[:, c, :], s[k])
        last = cube[m - 1, :, n - 1]
        s[k] += last[0] - last[1]
