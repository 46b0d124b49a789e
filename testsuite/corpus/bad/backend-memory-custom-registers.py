# command: compile
# expect: backend.memory-window 32:18 memory TILE has a `window` that leaves out dimension 1, and this is not all of it
# expect: backend.memory-window 34:18 memory TILE has a `window` that leaves out dimension 1, and this is not all of it
# expect: backend.memory-window 36:19 memory TILE has registers, and this is several of them
# expect: backend.memory-window 40:7 t lives in TILE, where buffers have no address to pass
# A `window` without the last index is a register: an operand is one whole register there, too.
class TILE(Memory):
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"row_t {new_name}[{shape[0]}];"

    def window(cls, basetype, baseptr, indices, strides, srcinfo):
        return f"{baseptr}[{indices[0]}]"


@instr("row_store({dst}, {src_data});")
def row_store(dst: f32[4] @ DRAM, src: [f32][4] @ TILE):
    for i in seq(0, 4):
        dst[i] = src[i]


@instr("tile_store({dst}, {src_data});")
def tile_store(dst: f32[16] @ DRAM, src: [f32][4, 4] @ TILE):
    for i in seq(0, 4):
        for j in seq(0, 4):
            dst[4 * i + j] = src[i, j]


@proc
def p(y: f32[4], z: f32[16]):
    t: f32[4, 4] @ TILE
    row_store(y, t[1, 0:4])
    row_store(y, t[0:4, 1])
    w = t[0:4, 0:4]
    row_store(y, w[0:4, 2])
    row_store(y, w[2, 0:4])
    tile_store(z, t)


@proc
def q(t: [f32][4, 4] @ TILE):
    pass
