# command: compile
# expect: backend.memory-window 20:11 w lives in SPACED, where buffers have no address to pass
# expect: backend.memory-window 30:11 buffers in SPACED have no address
# A callee would add what `window` adds a second time.
class SPACED(Memory):
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} {new_name}[{shape[0]} * 3 + 1];"

    def window(cls, basetype, baseptr, indices, strides, srcinfo):
        return f"{baseptr}[{indices[0]} * 3 + 1]"

    def can_read(cls):
        return True

    def write(cls, s, lhs, rhs):
        return f"{lhs} = {rhs};"


@proc
def inner(w: [f32][3] @ SPACED, x: f32[3]):
    for i in seq(0, 3):
        x[i] = w[i]


@proc
def outer(x: f32[8]):
    t: f32[8] @ SPACED
    for i in seq(0, 8):
        t[i] = x[i]
    inner(t[2:5], x[1:4])
