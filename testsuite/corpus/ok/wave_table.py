# Sines and cosines at equal steps: the angle is accumulated as data.
# covers: scan, f32, scalar, tensor, alloc-scalar, reduction, extern
from __future__ import annotations
from exo import *
from exo.libs.externs import sin, cos


@proc
def wave_table(n: size, step: f32, s: f32[n], c: f32[n]):
    angle: f32
    angle = 0.0
    for i in seq(0, n):
        s[i] = sin(angle)
        c[i] = cos(angle)
        angle += step
