# Elementary symmetric sum of degree three: a nest in which each loop starts behind the one outside.
# covers: triangular, i32, scalar, window, reduction
from __future__ import annotations
from exo import *


@proc
def triple_nest(n: size, x: [i32][n], e3: i32):
    e3 = 0
    for i in seq(0, n):
        for j in seq(i + 1, n):
            for k in seq(j + 1, n):
                e3 += x[i] * x[j] * x[k]
