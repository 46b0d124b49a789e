# Gemmini by the names of its instructions: every one of them once.
# covers: accelerator, i8, i32, tensor, window, alloc, calls, other-memory, config, config-stride, config-hidden, stride-arg, asserts
from __future__ import annotations
from exo import *


@proc
def machine_gemmini(
    n: size,
    m: size,
    k: size,
    scale: f32,
    A: i8[n, k],
    B: i8[k, m],
    D: i32[n, m],
    C: i8[n, m],
    S: i32[n, m],
    E: i8[16, 32],
    F: i8[16, 16],
    G: i32[32, 16],
    H: i32[16],
):
    assert n <= 16
    assert m <= 16
    assert k <= 16
    a: i8[n, 16] @ GEMM_SCRATCH
    b: i8[k, 16] @ GEMM_SCRATCH
    c: i32[n, 16] @ GEMM_ACCUM
    gemmini_config_ex_ws()
    gemmini_config_ld0(stride(A, 0))
    gemmini_config_ld1(stride(B, 0))
    gemmini_config_ld2(stride(D, 0))
    gemmini_mvin(n, k, A, a)
    gemmini_mvin2(k, m, B, b)
    gemmini_mvin3(n, m, D, c)
    gemmini_matmul_acc(n, m, k, a, b, c)
    gemmini_config_st_wide(stride(S, 0))
    gemmini_mvout_wide(n, m, c, S)
    gemmini_matmul(n, m, k, a, b, c)
    gemmini_config_st(stride(C, 0), True, scale)
    gemmini_mvout(n, m, c, C)
    e: i8[2, 16, 16] @ GEMM_SCRATCH
    f: i8[2, 16, 16] @ GEMM_SCRATCH
    g: i32[2, 16, 16] @ GEMM_ACCUM
    gemmini_config_ld2(0)
    gemmini_mvin3_repeated(16, 16, H, g[0, 0:16, 0:16])
    gemmini_config_ld0(stride(E, 0))
    gemmini_config_ld1(stride(E, 0))
    gemmini_mvin_blocks(2, E, e)
    gemmini_mvin2_blocks(2, E, f)
    gemmini_config_ld1(stride(F, 0))
    gemmini_zero(16, 16, f[1, 0:16, 0:16])
    gemmini_mvin2(16, 16, F, f[1, 0:16, 0:16])
    gemmini_zero_acc(16, 16, g[1, 0:16, 0:16])
    gemmini_matmul_acc_blocks(2, 16, 16, 16, e, f[1, 0:16, 0:16], g)
    gemmini_config_st_wide(stride(G, 0))
    for h in seq(0, 2):
        gemmini_mvout_wide(16, 16, g[h, 0:16, 0:16], G[16 * h : 16 * h + 16, 0:16])
