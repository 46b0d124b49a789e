# Rotates the cells of a ring of eight by k places; k may be negative, and % is the floor remainder.
# covers: transpose, f32, tensor, index-arg, quasi-affine, constants
from __future__ import annotations
from exo import *

RING = 8


@proc
def rotate_cells(k: index, x: f32[RING], y: f32[RING]):
    for i in seq(0, RING):
        y[(i + k) % RING] = x[i]
