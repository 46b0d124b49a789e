# The extent of a buffer and the offset of a window are read from fields.
# covers: f32, tensor, window-stmt, alloc, config, config-size, config-index, asserts
from __future__ import annotations
from exo import *


@config
class Buf:
    extent: size
    first: index


@proc
def config_in_shape(n: size, x: f32[n], y: f32[n]):
    assert Buf.extent <= n
    assert 0 <= Buf.first
    assert Buf.first + Buf.extent <= n
    tmp: f32[Buf.extent]
    part = x[Buf.first : Buf.first + Buf.extent]
    for i in seq(0, Buf.extent):
        tmp[i] = 3.0 * part[i]
    for i in seq(0, Buf.extent):
        y[i] = tmp[i]
