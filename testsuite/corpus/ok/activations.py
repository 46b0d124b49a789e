# Activation functions of a layer, one loop each.
# covers: ml, f32, tensor, extern
from __future__ import annotations
from exo import *
from exo.libs.externs import *


@proc
def activations(n: size, x: f32[n], out: f32[5, n]):
    for i in seq(0, n):
        out[0, i] = relu(x[i])
        out[1, i] = sigmoid(x[i])
        out[2, i] = x[i] * sigmoid(x[i])
        out[3, i] = fmaxf(0.1 * x[i], x[i])
        out[4, i] = 2.0 * sigmoid(2.0 * x[i]) - 1.0
