# Scalars are passed by reference: a callee's write is seen by the caller, and by its next call.
# covers: f32, scalar, alloc-scalar, calls
from __future__ import annotations
from exo import *


@proc
def fib_step(a: f32, b: f32):
    t: f32
    t = a + b
    a = b
    b = t


@proc
def scalar_arguments(n: size, result: f32):
    a: f32
    b: f32
    a = 0.0
    b = 1.0
    for i in seq(0, n):
        fib_step(a, b)
    result = a
