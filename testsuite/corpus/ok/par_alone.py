# A parallel loop of one iteration: what it does is more than a solver takes in, and there is none to meet.
# covers: f32, window, calls, parallel, config, config-index, if, else
from __future__ import annotations
from exo import *


@config
class Cfg:
    a: index
    b: index
    on: bool


@proc
def both(k: index, x: [f32][4]):
    for z in seq(0, 2):
        if Cfg.a == z:
            x[z] += 1.0
        Cfg.a = k


@proc
def deep(k: index, x: [f32][4]):
    both(k, x[0:4])
    for z in seq(0, 2):
        if Cfg.a == z:
            Cfg.a = z + 1
        else:
            x[z] += 0.25
    if Cfg.on:
        Cfg.b = Cfg.a


@proc
def par_alone(x: f32[4], y: f32[4]):
    for j in par(0, 1):
        deep(Cfg.a, y[0:4])
        if Cfg.b == (3 * (1 - j) + 2) % 3:
            x[0] = x[Cfg.b % 4]
