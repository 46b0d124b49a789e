# An 8-bit layer: 32-bit sums, scaled in single precision, rectified, and held to 8 bits.
# covers: blas3, ml, f32, i8, i32, scalar, tensor, alloc-scalar, reduction, cast, extern
from __future__ import annotations
from exo import *
from exo.libs.externs import clamp, relu


@proc
def matmul_i8_relu(m: size, n: size, p: size, scale: f32, A: i8[m, p], B: i8[p, n], C: i8[m, n]):
    for i in seq(0, m):
        for j in seq(0, n):
            acc: i32
            acc = 0
            for k in seq(0, p):
                a: i32
                a = A[i, k]
                b: i32
                b = B[k, j]
                acc += a * b
            real: f32
            real = acc
            C[i, j] = clamp(relu(scale * real))
