# Loop bounds read from a field that the body changes: they are evaluated once, before the loop.
# covers: f32, tensor, config, config-size, config-index, reduction
from __future__ import annotations
from exo import *


@config
class Limit:
    lo: index
    n: size


@proc
def config_bound_once(m: size, x: f32[m]):
    Limit.lo = 0
    Limit.n = m
    for i in seq(Limit.lo, Limit.n):
        x[i] += 1.0
        Limit.n = 1
        Limit.lo = 5
    for i in seq(0, Limit.n):
        Limit.n = Limit.n + 1
        x[i] += 2.0
