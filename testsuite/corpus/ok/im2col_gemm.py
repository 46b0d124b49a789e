# A padded 3 by 3 convolution over channels through a patch matrix of fixed width.
# covers: blas3, conv, f32, tensor, alloc, calls, index-arg, if, else, reduction, quasi-affine, asserts, chained, constants
from __future__ import annotations
from exo import *

CH = 4
PATCH = 36


@proc
def patches_of_row(h: size, w: size, i: index, x: f32[h, w, CH], p: f32[w, PATCH]):
    assert 0 <= i
    assert i < h
    for j in seq(0, w):
        for q in seq(0, PATCH):
            if 1 <= i + q / 12 < h + 1 and 1 <= j + q / 4 % 3 < w + 1:
                p[j, q] = x[i + q / 12 - 1, j + q / 4 % 3 - 1, q % 4]
            else:
                p[j, q] = 0.0


@proc
def im2col_gemm(h: size, w: size, oc: size, x: f32[h, w, CH], f: f32[PATCH, oc], y: f32[h, w, oc]):
    p: f32[w, PATCH]
    for i in seq(0, h):
        patches_of_row(h, w, i, x, p)
        for j in seq(0, w):
            for o in seq(0, oc):
                y[i, j, o] = 0.0
                for q in seq(0, PATCH):
                    y[i, j, o] += p[j, q] * f[q, o]
