# A buffer and a window keep the shape they were made with when the fields in it change.
# covers: f32, tensor, window-stmt, alloc, config, config-size, config-index, reduction, omitted-ends
from __future__ import annotations
from exo import *


@config
class Grid:
    w: size
    at: index


@proc
def config_shape_kept(n: size, x: f32[n, n], y: f32[n]):
    Grid.w = n
    Grid.at = n - 1
    t: f32[n, Grid.w]
    row = x[Grid.at, :]
    for i in seq(0, n):
        for j in seq(0, Grid.w):
            t[i, j] = x[i, j]
    Grid.w = 1
    Grid.at = 0
    for i in seq(0, n):
        y[i] = row[i]
        for j in seq(0, n):
            y[i] += t[i, j]
