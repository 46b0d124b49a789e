# The modified rotation: which cells of the 2x2 matrix H are given is chosen by a control flag.
# covers: blas1, f32, tensor, window, alloc, alloc-scalar, index-arg, if, else, asserts
from __future__ import annotations
from exo import *


@proc
def rotm(n: size, flag: index, H: f32[2, 2], x: [f32][n], y: [f32][n]):
    assert flag >= -2
    assert flag <= 1
    if flag >= -1:
        g: f32[2, 2]
        for i in seq(0, 2):
            for j in seq(0, 2):
                g[i, j] = H[i, j]
        if flag == 0:
            g[0, 0] = 1.0
            g[1, 1] = 1.0
        else:
            if flag == 1:
                g[0, 1] = 1.0
                g[1, 0] = -1.0
        for i in seq(0, n):
            t: f32
            t = g[0, 0] * x[i] + g[0, 1] * y[i]
            y[i] = g[1, 0] * x[i] + g[1, 1] * y[i]
            x[i] = t
