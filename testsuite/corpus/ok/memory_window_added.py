# Where `window` adds to the distance of a cell, a window has no address of a first cell from which others are found.
class SPACED(Memory):
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} {new_name}[{shape[0]} * 3 + 1];"

    def window(cls, basetype, baseptr, indices, strides, srcinfo):
        return f"{baseptr}[{indices[0]} * 3 + 1]"

    def can_read(cls):
        return True

    def write(cls, s, lhs, rhs):
        return f"{lhs} = {rhs};"


class ROWS(Memory):
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} {new_name}[{shape[0]}][{shape[1]}];"

    def window(cls, basetype, baseptr, indices, strides, srcinfo):
        return f"{baseptr}[{indices[0]}][{indices[1]}]"

    def can_read(cls):
        return True

    def write(cls, s, lhs, rhs):
        return f"{lhs} = {rhs};"


@proc
def of_a_line(x: f32[8]):
    t: f32[8] @ SPACED
    for i in seq(0, 8):
        t[i] = x[i]
    w = t[2:6]
    v = w[1:3]
    for i in seq(0, 3):
        x[i] = w[i + 1] - w[3 - i]
    x[5] = v[1]


@proc
def of_rows(x: f32[8, 8], y: f32[2, 2]):
    t: f32[8, 8] @ ROWS
    for i in seq(0, 8):
        for j in seq(0, 8):
            t[i, j] = x[i, j]
    w = t[2:6, 3:7]
    v = w[1:3, 1:3]
    c = w[0:4, 2]
    for i in seq(0, 2):
        for j in seq(0, 2):
            y[i, j] = v[i, j] + w[i + 2, j] * c[j + 1]
