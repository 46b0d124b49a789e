# Prefix sums in place, forwards and backwards.
# covers: scan, i32, window, reduction
from __future__ import annotations
from exo import *


@proc
def prefix_sum_in_place(n: size, x: [i32][n]):
    for i in seq(1, n):
        x[i] += x[i - 1]


@proc
def suffix_sum_in_place(n: size, x: [i32][n]):
    for i in seq(0, n - 1):
        x[n - 2 - i] += x[n - 1 - i]
