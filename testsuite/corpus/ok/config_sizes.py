# Loop bounds read from configuration fields that an earlier call has written.
# covers: f32, tensor, calls, config, config-size, asserts
from __future__ import annotations
from exo import *


@config
class Tile:
    rows: size
    cols: size


@proc
def set_tile(r: size, c: size):
    Tile.rows = r
    Tile.cols = c


@proc
def clear_tile(m: size, n: size, A: f32[m, n]):
    assert Tile.rows <= m
    assert Tile.cols <= n
    for i in seq(0, Tile.rows):
        for j in seq(0, Tile.cols):
            A[i, j] = 0.0


@proc
def config_sizes(m: size, n: size, A: f32[m, n]):
    set_tile(m, n)
    clear_tile(m, n, A)
