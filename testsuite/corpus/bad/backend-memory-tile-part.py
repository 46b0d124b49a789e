# command: compile
# expect: backend.memory-window 8:30
# A tile's operand is all of its buffer.
@proc
def rows(A: i8[16, 64]):
    amx_tile_config(16, 16, 16)
    a: i8[16, 64] @ AMX_A
    amx_tileload_a_i8(8, 16, a[0:8, 0:64], A[0:8, 0:64])
