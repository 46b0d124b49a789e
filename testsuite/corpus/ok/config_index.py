# An index field is an offset that a loop moves on, reads, and leaves behind.
# covers: f32, tensor, config, config-index, reduction
from __future__ import annotations
from exo import *


@config
class Cursor:
    at: index


@proc
def config_index(n: size, x: f32[n], y: f32[n]):
    Cursor.at = -1
    for i in seq(0, n):
        Cursor.at = i - 1
        y[Cursor.at + 1] = x[i]
    Cursor.at = n - 1
    y[Cursor.at] += 1.0
