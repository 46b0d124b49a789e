# Signs and groupings of data that a careless printer gets wrong.
# covers: f32, tensor
from __future__ import annotations
from exo import *


@proc
def data_signs(x: f32[4], y: f32[8]):
    y[0] = x[0] - (x[1] - x[2])
    y[1] = x[0] - x[1] - x[2]
    y[2] = x[0] * (x[1] + x[2])
    y[3] = -(x[0] + x[1])
    y[4] = -x[0] + x[1]
    y[5] = -(-x[0])
    y[6] = x[0] - -x[1]
    y[7] = -(x[0] * -1.0) * -x[3]
