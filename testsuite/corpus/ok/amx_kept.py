# A tile that was another buffer's is configured before and after its first load: nothing of that buffer is left beyond.
# covers: accelerator, i8, i32, tensor, alloc, calls, other-memory, config, config-hidden, asserts, loop
from __future__ import annotations
from exo import *

@proc
def kept(A: i8[16, 64], B: i8[16, 64], A1: i8[16, 16], B1: i8[4, 64], C: i32[16, 16], D: i32[16, 16]):
    amx_tile_config(16, 16, 16)
    c: i32[16, 16] @ AMX_C
    amx_tilezero_i32(16, 16, c)
    for i in seq(0, 1):
        a: i8[16, 64] @ AMX_A
        b: i8[16, 64] @ AMX_B
        amx_tileload_a_i8(16, 16, a, A)
        amx_tileload_b_i8(16, 16, b, B)
        amx_tdpbssd(16, 16, 16, c, a, b)
    amx_tilestore_i32(16, 16, C, c)
    amx_tilezero_i32(16, 16, c)
    a1: i8[16, 16] @ AMX_A
    b1: i8[4, 64] @ AMX_B
    amx_tile_config(16, 16, 4)
    amx_tileload_a_i8(16, 4, a1, A1)
    amx_tileload_b_i8(4, 16, b1, B1)
    amx_tile_config(16, 16, 16)
    amx_tdpbssd(16, 16, 4, c, a1, b1)
    amx_tilestore_i32(16, 16, D, c)
    amx_tile_release()
