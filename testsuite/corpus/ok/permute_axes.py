# Rank-3 permutations: channels last to channels first, and back.
# covers: transpose, f32, tensor
from __future__ import annotations
from exo import *


@proc
def channels_first(h: size, w: size, c: size, x: f32[h, w, c], y: f32[c, h, w]):
    for k in seq(0, c):
        for i in seq(0, h):
            for j in seq(0, w):
                y[k, i, j] = x[i, j, k]


@proc
def channels_last(h: size, w: size, c: size, x: f32[c, h, w], y: f32[h, w, c]):
    for i in seq(0, h):
        for j in seq(0, w):
            for k in seq(0, c):
                y[i, j, k] = x[k, i, j]
