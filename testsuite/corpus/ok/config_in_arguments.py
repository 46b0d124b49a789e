# Fields read inside an index, a window, a guard and a scalar argument of calls.
# covers: f32, scalar, tensor, window, alloc-scalar, calls, config, config-size, config-index, config-data, if, reduction
from __future__ import annotations
from exo import *


@config
class Pick:
    row: index
    len: size
    k: f32


@proc
def add_row(n: size, k: f32, x: [f32][n], y: [f32][n]):
    for i in seq(0, n):
        y[i] += k * x[i]


@proc
def config_in_arguments(m: size, n: size, A: f32[m, n], y: f32[n]):
    Pick.row = m - 1
    Pick.len = n
    Pick.k = 2.0
    k: f32
    k = Pick.k
    add_row(Pick.len, k, A[Pick.row, 0 : Pick.len], y[0 : Pick.len])
    for i in seq(0, m):
        if i == Pick.row:
            y[0] += A[Pick.row, Pick.len - 1]
            Pick.row = 0
    A[Pick.row, Pick.len - 1] = 0.0
