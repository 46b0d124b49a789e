# command: compile
# expect: backend.memory-alloc 7:5 memory AMX_C holds buffers of 2 dimensions, and this one has 3
# expect: backend.memory-window 8:30 memory AMX_C has a `window` that leaves out dimension 0, and this is not all of it
@proc
def p():
    amx_tile_config(16, 16, 16)
    t: i32[1, 16, 16] @ AMX_C
    amx_tilezero_i32(16, 16, t[0, 0:16, 0:16])
    amx_tile_release()
