# Conditions one inside the other, some of them always or never true.
# covers: f32, tensor, bool-arg, if, else, not, or, reduction
from __future__ import annotations
from exo import *


@proc
def nested_guards(n: size, flag: bool, x: f32[n, n]):
    for i in seq(0, n):
        for j in seq(0, n):
            if i >= 0:
                if i <= j and flag:
                    if j - i < 2 or j == n - 1:
                        x[i, j] += 1.0
                elif True and not flag:
                    if i + j >= 2 * n:
                        x[i, j] = 0.0
                    else:
                        x[i, j] += 2.0
