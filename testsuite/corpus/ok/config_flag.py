# A boolean field decides between storing and accumulating; it is switched between two loops.
# covers: f32, tensor, window, calls, config, config-bool, if, else, reduction
from __future__ import annotations
from exo import *


@config
class Store:
    accumulate: bool


@proc
def store(n: size, x: [f32][n], y: [f32][n]):
    for i in seq(0, n):
        if Store.accumulate:
            y[i] += x[i]
        else:
            y[i] = x[i]


@proc
def config_flag(n: size, x: f32[n], z: f32[n], y: f32[n]):
    Store.accumulate = False
    store(n, x, y)
    Store.accumulate = True
    store(n, z, y)
