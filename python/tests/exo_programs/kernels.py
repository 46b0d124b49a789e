# ruff: noqa
# mypy: ignore-errors
"""The programs that are scheduled."""

from __future__ import annotations

from exo import *
from exo.libs.externs import select
from exo.libs.memories import *


@proc
def axpy(n: size, alpha: f32, x: f32[n] @ DRAM, y: f32[n] @ DRAM):
    for i in seq(0, n):
        y[i] += alpha * x[i]


@proc
def axpy_w(n: size, alpha: f32, x: [f32][n], y: [f32][n]):
    assert stride(x, 0) == 1
    assert stride(y, 0) == 1
    for i in seq(0, n):
        y[i] += alpha * x[i]


@proc
def copy(n: size, x: [f32][n], y: [f32][n]):
    assert stride(x, 0) == 1
    assert stride(y, 0) == 1
    for i in seq(0, n):
        y[i] = x[i]


@proc
def scal(n: size, alpha: f64, x: [f64][n]):
    assert stride(x, 0) == 1
    for i in seq(0, n):
        x[i] = alpha * x[i]


@proc
def swap(n: size, x: [f32][n], y: [f32][n]):
    assert stride(x, 0) == 1
    assert stride(y, 0) == 1
    for i in seq(0, n):
        tmp: f32
        tmp = x[i]
        x[i] = y[i]
        y[i] = tmp


@proc
def dot(n: size, x: [f32][n], y: [f32][n], result: f32):
    assert stride(x, 0) == 1
    assert stride(y, 0) == 1
    result = 0.0
    for i in seq(0, n):
        result += x[i] * y[i]


@proc
def asum(n: size, x: [f32][n], result: f32):
    assert stride(x, 0) == 1
    result = 0.0
    for i in seq(0, n):
        result += select(0.0, x[i], x[i], -x[i])


@proc
def gemv(m: size, n: size, A: f32[m, n], x: f32[n], y: f32[m]):
    for i in seq(0, m):
        for j in seq(0, n):
            y[i] += A[i, j] * x[j]


@proc
def gemv64(A: f32[64, 64], x: f32[64], y: f32[64]):
    for i in seq(0, 64):
        y[i] = 0.0
        for j in seq(0, 64):
            y[i] += A[i, j] * x[j]


@proc
def matmul(n: size, m: size, k: size, A: f32[n, k], B: f32[k, m], C: f32[n, m]):
    for i in seq(0, n):
        for j in seq(0, m):
            for l in seq(0, k):
                C[i, j] += A[i, l] * B[l, j]


@proc
def matmul64(A: f32[64, 64], B: f32[64, 64], C: f32[64, 64]):
    for i in seq(0, 64):
        for j in seq(0, 64):
            for l in seq(0, 64):
                C[i, j] += A[i, l] * B[l, j]


@proc
def ger(m: size, n: size, alpha: f32, x: f32[m], y: f32[n], A: f32[m, n]):
    for i in seq(0, m):
        for j in seq(0, n):
            A[i, j] += alpha * x[i] * y[j]


@proc
def blur(H: size, W: size, blur_y: ui16[H, W], inp: ui16[H + 2, W + 2]):
    assert H % 32 == 0
    assert W % 256 == 0
    blur_x: ui16[H + 2, W]
    for y in seq(0, H + 2):
        for x in seq(0, W):
            blur_x[y, x] = (inp[y, x] + inp[y, x + 1] + inp[y, x + 2]) / 3.0
    for y in seq(0, H):
        for x in seq(0, W):
            blur_y[y, x] = (blur_x[y, x] + blur_x[y + 1, x] + blur_x[y + 2, x]) / 3.0


@proc
def producer_consumer(n: size, inp: f32[n + 1], out: f32[n]):
    p: f32[n + 1]
    for i in seq(0, n + 1):
        p[i] = inp[i] + 1.0
    for i in seq(0, n):
        out[i] = p[i] * p[i + 1]


@proc
def unary(n: size, inp: f32[n], out: f32[n]):
    p: f32[n]
    for i in seq(0, n):
        p[i] = inp[i] + 1.0
    for i in seq(0, n):
        out[i] = p[i] * 2.0


@proc
def conv1d(n: size, x: f32[n + 3], w: f32[4], y: f32[n]):
    for i in seq(0, n):
        y[i] = 0.0
        for k in seq(0, 4):
            y[i] += x[i + k] * w[k]


@proc
def hoistable(n: size, a: f32, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        t: f32
        t = a * 2.0
        x[i] = t
        y[i] = x[i] + t


@proc
def hoistable2(n: size, a: f32, x: f32[n]):
    for i in seq(0, n):
        x[i] += 1.0
        t: f32
        t = a * 2.0


@proc
def two_stmts(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0
        y[i] = 2.0


@proc
def guarded(n: size, x: f32[n + 8], y: f32[n + 8]):
    assert n > 3
    for i in seq(0, n + 8):
        if i < n:
            x[i] = 1.0


@proc
def nested_if(n: size, m: size, x: f32[n]):
    for i in seq(0, n):
        if m > 3:
            x[i] = 1.0
        else:
            x[i] = 2.0


@proc
def deadcode(n: size, x: f32[n + 1]):
    for i in seq(0, n):
        if i < n:
            x[i] = 1.0
        if i > n:
            x[i] = 2.0
    for i in seq(0, 1):
        x[i] = 3.0
    pass
    for i in seq(0, 0):
        x[i] = 4.0


@proc
def common(n: size, x: f32[n], y: f32[n], z: f32[n]):
    for i in seq(0, n):
        y[i] = x[i] * x[i]
        z[i] = x[i] + y[i]


@proc
def cse1(x: f32[8], y: f32[8]):
    for i in seq(0, 8):
        y[i] = x[i] * x[i] + x[i]


@proc
def alias(x: f32[8], y: f32[8]):
    for i in seq(0, 8):
        x[i] = x[i] * y[i] + y[i]


@proc
def bufs(x: f32[8]):
    a: f32[2, 8]
    for i in seq(0, 8):
        a[0, i] = x[i]
        a[1, i] = x[i]
    for i in seq(0, 8):
        x[i] = a[0, i] + a[1, i]


@proc
def jam(n: size, a: f32, x: f32[n]):
    t: f32
    t = a
    for i in seq(2, n + 2):
        x[i - 2] = 2.0


@proc
def bounds_loop(n: size, m: size, x: f32[n + m + 4]):
    for i in seq(0, n):
        for j in seq(0, 4):
            x[i + j] = 1.0


@proc
def staged(n: size, A: f32[n, 8], y: f32[n]):
    for i in seq(0, n):
        for j in seq(0, 8):
            y[i] += A[i, j] * 2.0


@proc
def tri(n: size, A: f32[n, n], x: f32[n], y: f32[n]):
    for i in seq(0, n):
        for j in seq(0, i + 1):
            y[i] += A[i, j] * x[j]


@proc
def small_tail(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        y[i] = x[i] + 1.0
        x[i] = 0.0


@proc
def neg(n: size, x: [f64][n], y: [f64][n]):
    assert stride(x, 0) == 1
    assert stride(y, 0) == 1
    for i in seq(0, n):
        y[i] = -x[i]


@proc
def three_stages(n: size, inp: f32[n + 2], out: f32[n], other: f32[n]):
    p: f32[n + 2]
    q: f32[n]
    for i in seq(0, n + 2):
        p[i] = inp[i] + 1.0
    for j in seq(0, n):
        q[j] = inp[j] * 2.0
    for k in seq(0, n):
        other[k] = q[k]
    for i in seq(0, n):
        out[i] = p[i] + p[i + 2]


@proc
def stages_2d(n: size, m: size, inp: f32[n, m], out: f32[n, m]):
    p: f32[n, m]
    for i in seq(0, n):
        for j in seq(0, m):
            p[i, j] = inp[i, j] + 1.0
    for j in seq(0, m):
        for i in seq(0, n):
            out[i, j] = p[i, j]


@proc
def backwards(x: f32[8], y: f32[8], z: f32[16]):
    for i in seq(0, 8):
        y[i] = x[7 - i]
    for i in seq(0, 8):
        y[i] += z[-1 * i + 7] + z[i * 2]


@proc
def around_inner(m: size, n: size, x: f32[n], y: f32[m], z: f32[m]):
    for i in seq(0, m):
        s: f32
        s = 1.0
        for j in seq(0, n):
            s += x[j]
        y[i] = s
        z[i] = s
