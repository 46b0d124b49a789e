# Sums in 8 bits wrap around; the same sums in 32 bits do not.
# covers: i8, i32, scalar, tensor, reduction, cast
from __future__ import annotations
from exo import *


@proc
def wrap_i8(n: size, x: i8[n], narrow: i8, wide: i32):
    narrow = 100
    wide = 100
    for i in seq(0, n):
        narrow += x[i]
        narrow += 100
        wide += x[i]
        wide += 100
