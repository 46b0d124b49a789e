# command: compile
# expect: backend.memory-access 22:5 scratch memory is written by `mvin` only
# expect: backend.memory-access 23:5 memory SCRATCH has no `reduce`: only instructions change it
# expect: backend.memory-access 24:12 memory SCRATCH has no `can_read`: only instructions read it
class SCRATCH(Memory):
    @classmethod
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} *{new_name} = hw_malloc({shape[0]});"

    @classmethod
    def free(cls, new_name, prim_type, shape, srcinfo):
        return f"hw_free({new_name});"

    @classmethod
    def write(cls, s, lhs, rhs):
        raise MemGenError("scratch memory is written by `mvin` only")


@proc
def touch(n: size, x: f32[n]):
    t: f32[n] @ SCRATCH
    t[0] = x[0]
    t[0] += 1.0
    x[0] = t[0]
