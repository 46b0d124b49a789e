# Differences across cell faces: the first loop fills the faces, the second empties them.
# covers: stencil, f32, scalar, tensor, alloc, reduction
from __future__ import annotations
from exo import *


@proc
def upwind_flux(n: size, dt: f32, u: f32[n + 1], q: f32[n]):
    face: f32[n + 1]
    face[0] = u[0] * q[0]
    for i in seq(1, n + 1):
        face[i] = u[i] * q[i - 1]
    for i in seq(0, n):
        q[i] += dt * (face[i] - face[i + 1])
