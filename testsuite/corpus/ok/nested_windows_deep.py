# Windows handed down through three procedures, each showing a quarter of what it was given.
# covers: f32, scalar, tensor, window, window-stmt, calls, reduction, omitted-ends
from __future__ import annotations
from exo import *


@proc
def fill_corner(v: f32, x: [f32][2, 2]):
    x[0, 0] = v
    x[1, 1] += x[0, 1]


@proc
def middle_quarter(v: f32, x: [f32][4, 4]):
    inner = x[1:3, 1:3]
    fill_corner(v, inner)
    fill_corner(v, x[2:4, 0:2])


@proc
def nested_windows_deep(n: size, v: f32, x: f32[n, 8, 8]):
    for i in seq(0, n):
        half = x[i, 0:8, 4:8]
        middle_quarter(v, half[2:6, :])
        middle_quarter(v, x[n - 1 - i, 4:, :4])
