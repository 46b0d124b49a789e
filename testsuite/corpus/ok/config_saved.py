# Saves a field in control arguments of a callee, changes it, and puts it back.
# covers: i32, tensor, calls, config, config-size, config-bool, bool-arg, if, else, reduction
from __future__ import annotations
from exo import *


@config
class Mode:
    width: size
    signed_: bool


@proc
def with_width(n: size, old: size, keep: bool, x: i32[n]):
    Mode.width = n
    for i in seq(0, Mode.width):
        x[i] += 1
    if keep:
        Mode.width = old
    else:
        Mode.signed_ = False


@proc
def config_saved(n: size, x: i32[n]):
    Mode.signed_ = True
    with_width(n, Mode.width, Mode.signed_, x)
