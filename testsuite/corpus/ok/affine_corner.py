# Index expressions with every operator: sums, differences, products by constants, / and %.
# covers: tiling, f32, tensor, index-arg, reduction, quasi-affine, asserts, chained
from __future__ import annotations
from exo import *


@proc
def affine_corner(n: size, k: index, x: f32[4 * n + 3], y: f32[4]):
    assert -3 <= k <= 3
    for i in seq(0, n):
        y[(3 * i - (k - 2) * 2) % 4] += x[4 * (n - 1 - i) + (i * 5 + k) % 7]
        y[-(-i) % 2 + (i + 8) / 4 % 2] += x[(i + i - -2) / 2]
