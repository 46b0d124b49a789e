# A data field holds a factor; it is written from a scalar argument and used in a loop.
# covers: f32, scalar, tensor, config, config-data
from __future__ import annotations
from exo import *


@config
class Act:
    scale: f32
    bias: f32


@proc
def config_scale(n: size, s: f32, x: f32[n]):
    Act.scale = s
    Act.bias = 0.5
    for i in seq(0, n):
        x[i] = Act.scale * x[i] + Act.bias
