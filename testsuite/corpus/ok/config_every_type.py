# A field of every control type and of several data types, written, read, and read by a callee.
# covers: f64, i32, scalar, tensor, calls, config, config-size, config-index, config-int, config-bool, config-stride, config-data, int-arg, if, or, reduction, quasi-affine, asserts, stride, chained
from __future__ import annotations
from exo import *


@config
class State:
    count: size
    place: index
    delta: int
    on: bool
    step: stride
    gain: f64
    bias: i32


@proc
def apply_state(n: size, x: f64[n], k: i32[n]):
    assert State.count <= n
    assert State.step == 1
    assert 0 <= State.place < n
    for i in seq(0, State.count):
        if State.on and i + State.delta >= State.place:
            x[i] = State.gain * x[i]
        k[i] += State.bias
    x[State.place] += State.gain


@proc
def config_every_type(n: size, d: int, g: f64, x: f64[n], k: i32[n]):
    State.count = n
    State.place = n / 2
    State.delta = d - 1
    State.on = d > 0 or n > 4
    State.step = stride(x, 0)
    State.gain = g
    State.gain = State.gain + 1.0
    State.bias = -3
    apply_state(n, x, k)
    State.count = State.count + 1
