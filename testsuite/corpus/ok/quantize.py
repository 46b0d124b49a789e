# Scales single precision cells and holds them to the range of 8 bits before the write.
# covers: ml, f32, i8, scalar, tensor, alloc-scalar, cast, extern
from __future__ import annotations
from exo import *
from exo.libs.externs import clamp


@proc
def quantize(n: size, scale: f32, x: f32[n], q: i8[n]):
    for i in seq(0, n):
        q[i] = clamp(scale * x[i])


@proc
def dequantize(n: size, scale: f32, q: i8[n], x: f32[n]):
    for i in seq(0, n):
        t: f32
        t = q[i]
        x[i] = scale * t
