# Three procedures deep, each calling the one before with other windows and sizes.
# covers: f32, tensor, window, calls, index-arg, bool-arg, if, else, quasi-affine, omitted-ends
from __future__ import annotations
from exo import *


@proc
def fill(n: size, from_: index, up: bool, x: [f32][n]):
    for i in seq(0, n):
        if up and i >= from_:
            x[i] = 1.0
        else:
            x[i] = 0.0


@proc
def fill_rows(m: size, n: size, A: [f32][m, n]):
    for i in seq(0, m):
        fill(n, i, i % 2 == 0, A[i, :])


@proc
def call_chain(m: size, n: size, A: f32[m + 1, n + 1]):
    fill_rows(m, n, A[1 : m + 1, 1 : n + 1])
    fill(n + 1, -1, True, A[0, :])
