"""Small programs, a few of each shape, for single operations."""

from __future__ import annotations

from typing import Dict

from exo import Procedure, config, proc
from exo.libs.externs import relu, select, sin
from exo.API_scheduling import rename


@config
class Cfg:
    a: f32
    i: index


@proc
def fill(n: size, x: [R][n], v: R):
    for i in seq(0, n):
        x[i] = v


fill_twice = rename(fill, "fill_twice")


@proc
def clear(x: [R][8]):
    for i in seq(0, 8):
        x[i] = 0.0


@proc
def scale(n: size, a: f32, x: f32[n]):
    for i in seq(0, n):
        x[i] = a * x[i]


@proc
def zeros(x: f32[8], y: f32[8]):
    for i in seq(0, 8):
        x[i] = 0.0
    for i in seq(0, 8):
        y[i] = x[i] + 1.0


@proc
def gemm(n: size, m: size, k: size, C: f32[n, m], A: f32[n, k], B: f32[k, m]):
    assert n > 2
    assert m % 4 == 0
    for i in seq(0, n):
        for j in seq(0, m):
            C[i, j] = 0.0
            for l in seq(0, k):
                C[i, j] += A[i, l] * B[l, j]


@proc
def gemv(n: size, m: size, y: f32[n], A: f32[n, m], x: f32[m]):
    for i in seq(0, n):
        t: f32
        t = 0.0
        for j in seq(0, m):
            t += A[i, j] * x[j]
        y[i] += t


@proc
def dot(n: size, x: [f32][n], y: [f32][n], s: f32):
    s = 0.0
    for i in seq(0, n):
        s += x[i] * y[i]


@proc
def blur(n: size, y: f32[n], x: f32[n + 2]):
    t: f32[n + 1]
    for i in seq(0, n + 1):
        t[i] = x[i] + x[i + 1]
    for i in seq(0, n):
        y[i] = t[i] + t[i + 1]


@proc
def local(x: f32[8, 8], y: f32[8, 8]):
    for i in seq(0, 8):
        t: f32[8]
        for j in seq(0, 8):
            t[j] = x[i, j] * 2.0
        for j in seq(0, 8):
            y[i, j] = t[j] + t[7 - j]


@proc
def two_buffers(n: size, x: f32[n]):
    assert n >= 8
    t: f32[8, 4]
    u: f32[8, 4]
    for i in seq(0, 8):
        for j in seq(0, 4):
            t[i, j] = x[i] + x[j]
    for i in seq(0, 8):
        for j in seq(0, 4):
            u[i, j] = t[i, j]
    for i in seq(0, 8):
        x[i] = u[i, 0]


@proc
def guards(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        if n > 8:
            x[i] = 1.0
        else:
            x[i] = 2.0
    for i in seq(0, n):
        if i < 4:
            y[i] = x[i]
    if n < 4:
        y[0] = 0.0


@proc
def inner_guard(n: size, m: size, A: f32[n, m]):
    for i in seq(0, n):
        if i + 2 < n:
            for j in seq(0, m):
                A[i, j] = A[i + 2, j]


@proc
def tiled(n: size, x: f32[n], y: f32[n]):
    assert n % 8 == 0
    for io in seq(0, n / 8):
        for ii in seq(0, 8):
            x[8 * io + ii] = y[8 * io + ii] + 0.0
    for i in seq(0, (n + 7) / 8 * 8):
        if i < n:
            y[i] = x[i] * 1.0


@proc
def constants(x: f32[16]):
    for i in seq(0, 2):
        for j in seq(0, 8):
            x[8 * i + j] = 3
    for i in seq(0, 1):
        x[i + 3 - 3] = 2 * x[0 + i]
    for i in seq(4, 12):
        x[i % 8] += 1.0
        pass


@proc
def writes(a: f32, b: f32, x: f32[4], t: f32):
    x[0] = a
    x[0] = b
    x[1] = a + b
    x[1] += a
    x[2] += a
    x[2] += b
    x[3] = x[3] + b
    t = a * b
    x[3] = t
    pass
    t = t + 1.0


@proc
def reductions(n: size, a: f32, x: f32[n], y: f32[n], s: f32):
    s = 0.0
    for i in seq(0, n):
        s += a * x[i]
    for i in seq(0, n):
        y[i] = 0.0
        y[i] += a * x[i] * x[i]
        y[i] += -x[i]


@proc
def calls(n: size, x: f32[n], y: f32[8, 8]):
    assert n > 8
    v: f32
    v = 0.0
    fill(n, x[0:n], v)
    fill(8, y[0, 0:8], v)
    clear(y[1, 0:8])
    for i in seq(0, 8):
        y[2, i] = v
    for i in seq(0, n):
        x[i] = v
    for i in seq(0, 8):
        y[i, 3] = 0.0


@proc
def windows(n: size, x: f32[n, 8], y: f32[8]):
    assert n > 4
    w = x[2, 0:8]
    u = x[0:4, 3]
    for i in seq(0, 8):
        w[i] = y[i]
    for i in seq(0, 4):
        u[i] = w[i] + 1.0


@proc
def fields(n: size, x: f32[n], s: f32):
    Cfg.i = 3
    Cfg.a = s
    for i in seq(0, n):
        Cfg.a = 2.0
        x[i] = Cfg.a
    Cfg.i = 3
    x[0] = Cfg.a
    if Cfg.i < 4:
        x[0] += 1.0


@proc
def externs(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        y[i] = sin(x[i]) + relu(x[i] * 2.0)
    for i in seq(0, n):
        y[i] = select(x[i], 0.0, y[i], -x[i])


@proc
def double(n: size, x: f64[n], y: f64[n], a: f64):
    t: f64
    for i in seq(0, n):
        t = a * x[i]
        y[i] += t
    for i in seq(0, n):
        x[i] = y[i]


@proc
def untyped(n: size, x: R[n], y: R[n]):
    t: R
    t = 1.0
    for i in seq(0, n):
        x[i] = t
        y[i] = x[i]


@proc
def dependent(n: size, A: f32[n, n]):
    for i in seq(0, n):
        for j in seq(0, i + 1):
            A[i, j] = 1.0
    for i in seq(0, n):
        for j in seq(i, n):
            A[i, j] += 2.0


@proc
def triple(A: f32[4, 4, 4]):
    for i in seq(0, 4):
        for j in seq(0, 4):
            for k in seq(0, 4):
                A[i, j, k] = A[i, j, k] * 2.0 + 1.0
            A[i, j, 0] = 0.0


@proc
def invariant(n: size, m: size, x: f32[n], y: f32[m]):
    for i in seq(0, n):
        for j in seq(0, m):
            y[j] = 1.0
    for i in seq(0, n):
        t: f32
        t = 2.0
        x[i] = t
    for i in seq(0, n):
        x[0] = 1.0


@proc
def stencil(n: size, m: size, x: f32[n + 2, m + 2], y: f32[n, m]):
    for i in seq(0, n):
        for j in seq(0, m):
            y[i, j] = (x[i, j] + x[i + 1, j] + x[i + 2, j]) * (1.0 / 3.0)


@proc
def integers(n: size, a: i8[n], b: i8[n], c: i32[n]):
    for i in seq(0, n):
        t: i32
        t = a[i]
        c[i] += t * b[i]


#: By name.
SAMPLES: Dict[str, Procedure] = {
    p.name(): p
    for p in (
        scale, zeros, gemm, gemv, dot, blur, local, two_buffers, guards, inner_guard, tiled, constants, writes, reductions, calls,
        windows, fields, externs, double, untyped, dependent, triple, invariant, stencil, integers,
    )
}
