# AMX by the names of its instructions: tiles of any size, and another configuration while they hold something.
# covers: accelerator, i8, i32, tensor, window, alloc, calls, other-memory, config, config-hidden, asserts
from __future__ import annotations
from exo import *


@proc
def machine_amx(
    n: size, m: size, k: size, A: i8[n, 4 * k], B: i8[k, 4 * m], C: i32[n, m], S: i32[n, m], E: i8[20, 64], D: i32[16, 16]
):
    assert n <= 16
    assert m <= 16
    assert k <= 16
    amx_tile_config(n, m, k)
    a: i8[n, 4 * k] @ AMX_A
    b: i8[k, 4 * m] @ AMX_B
    c: i32[n, m] @ AMX_C
    amx_tileload_a_i8(n, k, a, A)
    amx_tileload_b_i8(k, m, b, B)
    amx_tileload_c_i32(n, m, c, C)
    amx_tdpbssd(n, m, k, c, a, b)
    amx_tile_config(16, 16, 16)
    amx_tdpbssd(n, m, k, c, a, b)
    amx_tilestore_i32(n, m, C, c)
    d: i32[n, m] @ AMX_C
    amx_tilezero_i32(n, m, d)
    amx_tdpbssd(n, m, k, d, a, b)
    amx_tilestore_i32(n, m, S, d)
    e: i8[16, 64] @ AMX_A
    f: i8[16, 64] @ AMX_B
    g: i32[16, 16] @ AMX_C
    amx_tilezero_i32(16, 16, g)
    for h in seq(0, 5):
        amx_tileload_a_i8(16, 16, e, E[h : h + 16, 0:64])
        amx_tileload_b_i8(16, 16, f, E[4 - h : 20 - h, 0:64])
        amx_tdpbssd(16, 16, 16, g, e, f)
    amx_tilestore_i32(16, 16, D, g)
    amx_tile_release()
