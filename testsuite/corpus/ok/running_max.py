# The largest cell so far, at each place.
# covers: scan, f32, window, if, else, extern
from __future__ import annotations
from exo import *
from exo.libs.externs import fmaxf


@proc
def running_max(n: size, x: [f32][n], y: [f32][n]):
    for i in seq(0, n):
        if i == 0:
            y[i] = x[i]
        else:
            y[i] = fmaxf(y[i - 1], x[i])
