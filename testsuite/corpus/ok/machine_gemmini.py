# The accelerator by the names of its instructions: every one of them once.
# covers: accelerator, f32, tensor, window, alloc, calls, other-memory, config, config-stride, config-hidden, stride-arg, asserts
from __future__ import annotations
from exo import *


@proc
def machine_gemmini(n: size, m: size, p: size, A: f32[n, p], B: f32[p, m], C: f32[n, m], D: f32[n, m]):
    assert n <= 16
    assert m <= 16
    assert p <= 16
    a: f32[n, 16] @ GEMM_SCRATCH
    b: f32[p, 16] @ GEMM_SCRATCH
    c: f32[n, 16] @ GEMM_ACCUM
    gemmini_config_ld(stride(A, 0))
    gemmini_mvin(n, p, A, a)
    gemmini_ld(p, m, B, b)
    gemmini_ld_acc(n, m, C, c)
    gemmini_matmul(n, m, p, a, b, c)
    gemmini_config_st(stride(C, 0))
    gemmini_mvout(n, m, c, C)
    gemmini_zero_acc(n, c)
    gemmini_config_ld(stride(D, 0))
    gemmini_mvin_acc(n, m, D, c)
    gemmini_matmul(n, m, p, a, b, c)
    gemmini_st(n, m, c, D)
