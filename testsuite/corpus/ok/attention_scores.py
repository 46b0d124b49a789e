# Scaled scores of queries against keys, with a causal mask: no key after the query counts.
# covers: ml, f32, scalar, tensor, if, else, reduction
from __future__ import annotations
from exo import *


@proc
def attention_scores(t: size, d: size, scale: f32, q: f32[t, d], k: f32[t, d], s: f32[t, t]):
    for i in seq(0, t):
        for j in seq(0, t):
            if j <= i:
                s[i, j] = 0.0
                for c in seq(0, d):
                    s[i, j] += q[i, c] * k[j, c]
                s[i, j] = scale * s[i, j]
            else:
                s[i, j] = -1e30
