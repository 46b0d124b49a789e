# Copies edge cells into a halo of width two on both sides, as a ring.
# covers: stencil, f32, tensor, negative-bound, asserts, constants
from __future__ import annotations
from exo import *

HALO = 2


@proc
def halo_exchange(n: size, x: f32[n + 4]):
    assert n >= HALO
    for h in seq(-HALO, 0):
        x[h + HALO] = x[n + h + HALO]
    for h in seq(0, HALO):
        x[n + HALO + h] = x[HALO + h]
