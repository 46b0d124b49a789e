# Guards with else on every level; each cell is written on exactly one path.
# covers: f32, tensor, index-arg, if, else, not, or, pass, quasi-affine
from __future__ import annotations
from exo import *


@proc
def else_branches(n: size, a: index, b: index, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        if i < a:
            y[i] = x[i]
        elif i < b:
            y[i] = 2.0 * x[i]
        elif i % 3 == 0:
            y[i] = -x[i]
        else:
            if not (i == 1 or i == 2):
                y[i] = 0.0
            else:
                pass
