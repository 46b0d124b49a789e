# Module constants as literals, extents, loop bounds, and a template glued from two strings.
# covers: accelerator, f32, tensor, window-0d, cell-argument, calls, instr, c-global, negative-bound, constants, docstring
"""Constants stand for literals wherever a name could stand."""
from __future__ import annotations
from exo import *

__all__ = ["constants_and_strings"]

N = 16
SHIFT = -3
GAIN = 0.75
CALL = "{dst_data} = " + "twice({src_data});"
HELP = "static inline float twice(float v) { return 2.0f * v; }\n"


@instr(CALL, HELP)
def twice(dst: [f32], src: [f32]):
    dst = 2.0 * src


@proc
def constants_and_strings(x: f32[N], y: f32[N]):
    """Neither docstrings nor `__all__` mean anything here."""
    for i in seq(0, N):
        # A constant is data on the right of an assignment ...
        y[i] = GAIN * x[i] + SHIFT
    for i in seq(-SHIFT, N):
        # ... and control in an index.
        twice(y[i + SHIFT], x[i])
