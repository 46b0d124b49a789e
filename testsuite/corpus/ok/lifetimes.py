# Buffers that windows, and windows of windows, keep in use; in branches, and side by side.
# covers: f32, tensor, window, alloc, calls
from __future__ import annotations
from exo import *


@proc
def w8(n: size, d: [f32][n]):
    for i in seq(0, n):
        d[i] = d[i] * 2.0


@proc
def lifetimes(n: size, x: f32[n], y: f32[n]):
    t: f32[n, 2]
    a = t[0:n, 1]
    b = a[0:n]
    for i in seq(0, n):
        t[i, 0] = x[i]
        b[i] = x[i]
    if n > 3:
        c = b[1:3]
        w8(2, c)
        u: f32[n]
        v = u[0:n]
        for i in seq(0, n):
            v[i] = b[i]
        for i in seq(0, n):
            y[i] += v[i]
    else:
        z: f32[n]
        for i in seq(0, n):
            z[i] = a[i]
        w8(n, z)
        for i in seq(0, n):
            y[i] += z[i]
    s: f32[n]
    q: f32[n]
    w8(n, a)
    for i in seq(0, n):
        q[i] = b[i]
        s[i] = q[i] + a[i]
    for i in seq(0, n):
        y[i] += s[i]
