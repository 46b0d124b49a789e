# One loop over a 6 by 8 matrix, which finds row and column by / and %.
# covers: tiling, f32, tensor, quasi-affine, constants
from __future__ import annotations
from exo import *

ROWS = 6
COLS = 8


@proc
def flatten_loops(A: f32[ROWS, COLS], v: f32[48]):
    for q in seq(0, 48):
        v[q] = A[q / COLS, q % COLS]


@proc
def unflatten_loops(v: f32[48], A: f32[ROWS, COLS]):
    for q in seq(0, 48):
        A[q / COLS, q % COLS] = v[COLS * (q / COLS) + q % COLS]
