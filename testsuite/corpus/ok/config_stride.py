# A stride is put into a field, and a later callee asserts that it is the one it was told.
# covers: f32, tensor, window, calls, config, config-stride, stride-arg, asserts, stride, omitted-ends
from __future__ import annotations
from exo import *


@config
class Dma:
    row_stride: stride


@proc
def set_row_stride(s: stride):
    Dma.row_stride = s


@proc
def fetch(m: size, n: size, src: [f32][m, n], dst: f32[m, n]):
    assert Dma.row_stride == stride(src, 0)
    assert stride(src, 1) == 1
    for i in seq(0, m):
        for j in seq(0, n):
            dst[i, j] = src[i, j]


@proc
def config_stride(m: size, n: size, A: f32[m + 2, n], out: f32[m, n]):
    set_row_stride(stride(A, 0))
    fetch(m, n, A[1 : m + 1, :], out)
