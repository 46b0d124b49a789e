# The inner product of 8-bit vectors in 32 bits.
# covers: blas1, i8, i32, scalar, window, alloc-scalar, reduction, cast
from __future__ import annotations
from exo import *


@proc
def dot_i8(n: size, x: [i8][n], y: [i8][n], result: i32):
    result = 0
    for i in seq(0, n):
        a: i32
        b: i32
        a = x[i]
        b = y[i]
        result += a * b
