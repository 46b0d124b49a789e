# bf16 from and to every other precision, copied, and added to.
# covers: rounds, bf16, f32, f64, i8, ui8, ui16, i32, tensor, alloc-scalar, cast, other-memory
from __future__ import annotations
from exo import *


@proc
def casts_bf16(n: size, x: f64[n], y: f32[n], k: i32[n], j: i8[n], b: bf16[n], c: bf16[n], d: f64[n], h: ui8[n], w: ui16[n]):
    for i in seq(0, n):
        c[i] = b[i]
        b[i] = x[i]
        b[i] += y[i]
        c[i] += k[i]
        t: bf16
        t = k[i]
        c[i] = -t + c[i]
        t = x[i] / 3.0
        y[i] = t
        y[i] += t
        d[i] = t * 0.1
        d[i] += b[i]
        t = j[i]
        s: bf16[2] @ DRAM_STACK
        s[0] = t + 0.5
        s[1] = clamp(s[0])
        j[i] = clamp(s[0] / 3.0)
        s[0] = fminf(fabsf(s[1]), 255.0)
        h[i] = s[0]
        w[i] = s[0] * 2.0
        k[i] = s[1]
