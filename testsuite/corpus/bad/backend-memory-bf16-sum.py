# command: compile
# expect: backend.memory-access 22:5 no sums here
# A sum in bf16 is read and written, and is a reduction all the same.
class KEPT(Memory):
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} {new_name}[{size}];"

    def can_read(cls):
        return True

    def write(cls, s, lhs, rhs):
        return f"{lhs} = {rhs};"

    def reduce(cls, s, lhs, rhs):
        raise MemGenError("no sums here")


@proc
def f(b: bf16[4]):
    v: bf16[4] @ KEPT
    v[0] = b[0]
    v[0] += b[1]
    b[0] = v[0]
