# An instruction that does nothing to the store: its C is a hint, its body is pass.
# covers: accelerator, f32, scalar, tensor, window, calls, instr, if, pass, reduction, omitted-ends
from __future__ import annotations
from exo import *


@instr("(void)&{x_data};")
def prefetch(n: size, x: [f32][n]):
    pass


@proc
def accel_prefetch(m: size, n: size, A: f32[m, n], s: f32):
    s = 0.0
    for i in seq(0, m):
        if i + 1 < m:
            prefetch(n, A[i + 1, :])
        for j in seq(0, n):
            s += A[i, j]
