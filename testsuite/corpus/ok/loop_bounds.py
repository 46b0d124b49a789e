# Loop bounds of every form: constants, minus signs, quotients, differences of arguments.
# covers: i32, tensor, index-arg, reduction, quasi-affine, negative-bound, constants
from __future__ import annotations
from exo import *

LO = -2
HI = 3


@proc
def loop_bounds(n: size, a: index, b: index, count: i32[5]):
    for c in seq(0, 5):
        count[c] = 0
    for i in seq(LO, HI):
        count[0] += 1
    for i in seq(-n, n):
        count[1] += 1
    for i in seq(a, b):
        count[2] += 1
    for i in seq(n / 2 - n % 2, (n + 5) / 3):
        count[3] += 1
    for i in seq(2 * a - b, 3 * (b - a)):
        count[4] += 1
