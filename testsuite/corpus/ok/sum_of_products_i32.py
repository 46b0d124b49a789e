# 32-bit arithmetic with signs: differences, negations and products keep their value.
# covers: i32, tensor, reduction, extern
from __future__ import annotations
from exo import *


@proc
def sum_of_products_i32(n: size, a: i32[n], b: i32[n], c: i32[n]):
    for i in seq(0, n):
        c[i] = -(a[i] - b[i]) * 2 - -a[i] * (b[i] + -1)
        c[i] += relu(c[i])
