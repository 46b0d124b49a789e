# The largest of 32-bit integers, by selection.
# covers: i32, scalar, window, extern
from __future__ import annotations
from exo import *
from exo.libs.externs import select


@proc
def max_i32(n: size, x: [i32][n], best: i32):
    best = x[0]
    for i in seq(1, n):
        best = select(best, x[i], x[i], best)
