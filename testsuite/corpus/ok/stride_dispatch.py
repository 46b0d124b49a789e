# A stride decides between two loops in the body, and a stride is handed on as an argument.
# covers: f32, window, calls, stride-arg, if, else, reduction, asserts, stride
from __future__ import annotations
from exo import *


@proc
def expect_stride(n: size, s: stride, x: [f32][n]):
    assert stride(x, 0) == s
    for i in seq(0, n):
        x[i] += 1.0


@proc
def stride_dispatch(n: size, x: [f32][n]):
    if stride(x, 0) == 1:
        for i in seq(0, n):
            x[i] = 2.0 * x[i]
    else:
        for i in seq(0, n):
            x[i] = -x[i]
    expect_stride(n, stride(x, 0), x)
