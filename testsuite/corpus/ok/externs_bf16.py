# Functions of bf16, fields of configurations, and calls with windows.
# covers: rounds, bf16, extern, config, window, calls, scalar, data-division
from __future__ import annotations
from exo import *


@config
class Scale:
    by: bf16


@proc
def scaled(n: size, x: [bf16][n]):
    for i in seq(0, n):
        x[i] = x[i] * Scale.by


@proc
def externs_bf16(n: size, a: bf16, x: bf16[n], y: bf16[n], z: bf16[n]):
    Scale.by = a / 3.0
    scaled(n, x[0:n])
    for i in seq(0, n):
        y[i] = select(x[i], y[i], relu(x[i]), fmaxf(x[i], fminf(y[i], a)))
        y[i] += sqrt(fabsf(x[i]))
        z[i] = fma(x[i], y[i], z[i]) - fma_ftz(x[i], y[i], a)
