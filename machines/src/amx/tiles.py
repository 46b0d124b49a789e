# AMX: eight tiles of at most 16 rows of 64 bytes, reached by its instructions alone. A buffer in one of these memories is
# one tile, and its two extents are the part of the tile that is used; an operand of an instruction is all of it. The number
# of the tile is chosen when the buffer is allocated: sums in tiles 0 to 3, left operands in 4 and 5, right ones in 6 and 7.
# `MODEL` is the C in model.h.


class AMX_C(Memory):
    def global_(cls):
        return MODEL

    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} *{new_name} = ({prim_type} *)(uint64_t)amx_tile(0, {shape[0]}, {shape[1]} * (int64_t)sizeof({prim_type}));"

    def free(cls, new_name, prim_type, shape, srcinfo):
        return f"amx_tile_free((int)(uint64_t){new_name});"

    def window(cls, basetype, baseptr, indices, strides, srcinfo):
        return f"*({prim_type} *){baseptr}"

    def read(cls, basetype, baseptr, indices, strides, srcinfo):
        raise MemGenError("tiles are read by instructions only")

    def write(cls, *args):
        raise MemGenError("tiles are written by instructions only")

    def reduce(cls, *args):
        raise MemGenError("tiles are written by instructions only")


class AMX_A(Memory):
    def global_(cls):
        return MODEL

    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} *{new_name} = ({prim_type} *)(uint64_t)amx_tile(4, {shape[0]}, {shape[1]} * (int64_t)sizeof({prim_type}));"

    def free(cls, new_name, prim_type, shape, srcinfo):
        return f"amx_tile_free((int)(uint64_t){new_name});"

    def window(cls, basetype, baseptr, indices, strides, srcinfo):
        return f"*({prim_type} *){baseptr}"

    def read(cls, basetype, baseptr, indices, strides, srcinfo):
        raise MemGenError("tiles are read by instructions only")

    def write(cls, *args):
        raise MemGenError("tiles are written by instructions only")

    def reduce(cls, *args):
        raise MemGenError("tiles are written by instructions only")


class AMX_B(Memory):
    def global_(cls):
        return MODEL

    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} *{new_name} = ({prim_type} *)(uint64_t)amx_tile(6, {shape[0]}, {shape[1]} * (int64_t)sizeof({prim_type}));"

    def free(cls, new_name, prim_type, shape, srcinfo):
        return f"amx_tile_free((int)(uint64_t){new_name});"

    def window(cls, basetype, baseptr, indices, strides, srcinfo):
        return f"*({prim_type} *){baseptr}"

    def read(cls, basetype, baseptr, indices, strides, srcinfo):
        raise MemGenError("tiles are read by instructions only")

    def write(cls, *args):
        raise MemGenError("tiles are written by instructions only")

    def reduce(cls, *args):
        raise MemGenError("tiles are written by instructions only")


# The shapes of the tiles. Sums have `rows` rows of `cols` cells of 4 bytes; left operands `rows` rows of `depth`; right
# operands `depth` rows of `cols`. With palette 0 there are no tiles.
@config(readwrite=False)
class AmxTiles:
    palette: index
    rows: size
    cols: size
    depth: size


@instr("amx_tile_config({rows}, {cols}, {depth});", MODEL)
def amx_tile_config(rows: size, cols: size, depth: size):
    assert rows <= 16
    assert cols <= 16
    assert depth <= 16
    AmxTiles.palette = 1
    AmxTiles.rows = rows
    AmxTiles.cols = cols
    AmxTiles.depth = depth


@instr("amx_tile_release();", MODEL)
def amx_tile_release():
    AmxTiles.palette = 0
