# The accelerator by the names of its instructions: every one of them once.
# covers: accelerator, f32, tensor, window, alloc, calls, other-memory, config, config-stride, config-hidden, stride-arg, asserts
from __future__ import annotations
from exo import *


@proc
def machine_accelerator(n: size, m: size, p: size, A: f32[n, p], B: f32[p, m], C: f32[n, m], D: f32[n, m]):
    assert n <= 16
    assert m <= 16
    assert p <= 16
    a: f32[n, 16] @ ACCEL_SCRATCH
    b: f32[p, 16] @ ACCEL_SCRATCH
    c: f32[n, 16] @ ACCEL_ACCUM
    accel_config_ld(stride(A, 0))
    accel_mvin(n, p, A, a)
    accel_ld(p, m, B, b)
    accel_ld_acc(n, m, C, c)
    accel_matmul(n, m, p, a, b, c)
    accel_config_st(stride(C, 0))
    accel_mvout(n, m, c, C)
    accel_zero_acc(n, c)
    accel_config_ld(stride(D, 0))
    accel_mvin_acc(n, m, D, c)
    accel_matmul(n, m, p, a, b, c)
    accel_st(n, m, c, D)
