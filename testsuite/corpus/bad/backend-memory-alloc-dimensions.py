# command: compile
# expect: backend.memory-alloc 15:5 memory SCRATCH has an `alloc` that leaves out dimension 2 of this buffer, of 3
# An `alloc` that counts two extents is too small for three.
class SCRATCH(Memory):
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} *{new_name} = malloc({shape[0]} * {shape[1]} * sizeof({prim_type}));"

    def can_read(cls):
        return True


@proc
def p(y: f32):
    a: f32[2, 4] @ SCRATCH
    b: f32[2, 4, 8] @ SCRATCH
    y = a[0, 0] + b[0, 0, 0]
