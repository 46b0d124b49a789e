# command: compile
# expect: backend.parallel 25:9 a buffer of loaded is in a memory of amx, whose places all threads would take at the same time
# expect: backend.parallel 25:9 amx_tileload_a_i8 relies on AmxTiles.palette, which the thread that runs an iteration need not have set
# expect: backend.parallel 32:9 a is in a memory of amx, whose places all threads would take at the same time
# expect: backend.parallel 33:9 amx_tileload_a_i8 relies on AmxTiles.palette, which the thread that runs an iteration need not have set
# expect: backend.parallel 40:9 gemmini_zero_acc is executed by gemmini, of which there is one for all threads
# expect: backend.parallel 47:13 amx_tile_config sets AmxTiles.palette of the thread that runs an iteration, not of others
from exo import *


@proc
def loaded(A: [i8][16, 64]):
    assert stride(A, 1) == 1
    assert AmxTiles.palette == 1
    assert AmxTiles.rows == 16
    assert AmxTiles.depth == 16
    a: i8[16, 64] @ AMX_A
    amx_tileload_a_i8(16, 16, a, A)


@proc
def by_call(A: i8[64, 64]):
    amx_tile_config(16, 16, 16)
    for i in par(0, 4):
        loaded(A[16 * i : 16 * i + 16, 0:64])


@proc
def here(A: i8[64, 64]):
    amx_tile_config(16, 16, 16)
    for i in par(0, 4):
        a: i8[16, 64] @ AMX_A
        amx_tileload_a_i8(16, 16, a, A[16 * i : 16 * i + 16, 0:64])


@proc
def outside():
    c: i32[8, 16, 16] @ GEMM_ACCUM
    for i in par(0, 8):
        gemmini_zero_acc(16, 16, c[i, 0:16, 0:16])


@proc
def once():
    for i in par(0, 4):
        if i == 3:
            amx_tile_config(16, 16, 16)
