# Loops and guards that are decided by constants, and a buffer that is only allocated.
# covers: f32, tensor, alloc, if, else, pass, reduction, constants
from __future__ import annotations
from exo import *

DEBUG = 0
UNROLL = 1


@proc
def dead_branches(n: size, x: f32[n]):
    spare: f32[n, UNROLL]
    if DEBUG == 1:
        for i in seq(0, n):
            x[i] = 0.0
    for i in seq(0, n):
        for u in seq(0, UNROLL):
            x[i + u] += 1.0
    if False:
        pass
    else:
        x[n - UNROLL] = 2.0
