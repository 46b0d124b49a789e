# The soft maximum of each row, made safe by subtracting the row's largest cell.
# covers: ml, f32, tensor, alloc-scalar, reduction, data-division, extern
from __future__ import annotations
from exo import *
from exo.libs.externs import expf, fmaxf


@proc
def softmax(m: size, n: size, x: f32[m, n]):
    for i in seq(0, m):
        top: f32
        top = x[i, 0]
        for j in seq(1, n):
            top = fmaxf(top, x[i, j])
        sum: f32
        sum = 0.0
        for j in seq(0, n):
            x[i, j] = expf(x[i, j] - top)
            sum += x[i, j]
        for j in seq(0, n):
            x[i, j] = x[i, j] / sum
