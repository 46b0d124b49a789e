# Products of bf16 on the tiles of AMX: of a part of each tile, of all of it as configured, and of cells that are denormal.
# covers: accelerator, bf16, f32, tensor, window, alloc, calls, other-memory, config, config-hidden, asserts, rounds
from __future__ import annotations
from exo import *


@proc
def machine_amx_bf16(n: size, m: size, k: size, A: bf16[n, 2 * k], B: bf16[k, 2 * m], C: f32[n, m], S: f32[n, m]):
    assert n <= 16
    assert m <= 16
    assert k <= 16
    amx_tile_config(n, m, k)
    a: bf16[n, 2 * k] @ AMX_A
    b: bf16[k, 2 * m] @ AMX_B
    c: f32[n, m] @ AMX_C
    amx_tileload_a_bf16(n, k, a, A)
    amx_tileload_b_bf16(k, m, b, B)
    amx_tileload_c_f32(n, m, c, C)
    amx_tdpbf16ps(n, m, k, c, a, b)
    amx_tilestore_f32(n, m, C, c)
    amx_tile_config(16, 16, 16)
    d: f32[n, m] @ AMX_C
    amx_tilezero_f32(n, m, d)
    amx_tdpbf16ps(n, m, k, d, a, b)
    amx_tilestore_f32(n, m, S, d)
