# Memories of a file's own, for random programs: memories.rs.


class HEAP(Memory):
    def global_(cls):
        return "#include <stdlib.h>\nstatic inline void *heap_get(size_t n) { return malloc(n + 8); }"

    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} *{new_name} = heap_get({size} * sizeof({prim_type}));"

    def free(cls, new_name, prim_type, shape, srcinfo):
        return f"free({new_name});"

    def can_read(cls):
        return True

    def write(cls, s, lhs, rhs):
        return f"{lhs} = {rhs};"

    def reduce(cls, s, lhs, rhs):
        return f"{lhs} = {lhs} + {rhs};"


class NEGATED(Memory):
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} *{new_name} = malloc({size} * sizeof({prim_type}));"

    def free(cls, new_name, prim_type, shape, srcinfo):
        return f"free({new_name});"

    def global_(cls):
        return "#include <stdlib.h>"

    def read(cls, s, lhs):
        return f"-{lhs}"

    def write(cls, s, lhs, rhs):
        return f"{lhs} = -{rhs};"

    def reduce(cls, s, lhs, rhs):
        return f"{lhs} = -(-{lhs} + {rhs});"


class PADDED(Memory):
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} *{new_name} = malloc({shape[0]} * 3 * sizeof({prim_type}));"

    def free(cls, new_name, prim_type, shape, srcinfo):
        return f"free({new_name});"

    def global_(cls):
        return "#include <stdlib.h>"

    def window(cls, basetype, baseptr, indices, strides, srcinfo):
        return f"{baseptr}[{indices[0]} * 3 + 1]"

    def can_read(cls):
        return True

    def write(cls, s, lhs, rhs):
        return f"{lhs} = {rhs};"

    def reduce(cls, s, lhs, rhs):
        return f"{lhs} += {rhs};"


class MIRRORED(Memory):
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} *{new_name} = malloc(65536 * sizeof({prim_type}));"

    def free(cls, new_name, prim_type, shape, srcinfo):
        return f"free({new_name});"

    def global_(cls):
        return "#include <stdlib.h>"

    def window(cls, basetype, baseptr, indices, strides, srcinfo):
        return f"{baseptr}[65535 - ({indices[0]} * {strides[0]} + {indices[1]})]"

    def can_read(cls):
        return True

    def write(cls, s, lhs, rhs):
        return f"{lhs} = {rhs};"

    def reduce(cls, s, lhs, rhs):
        return f"{lhs} += {rhs};"
