# The text of a memory's methods declares names of its own, which capture none of the program's.
class HELD(Memory):
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"int k = {size}; {prim_type} {new_name}[k];"

    def can_read(cls):
        return True

    def write(cls, s, lhs, rhs):
        return f"{{ float kept = {rhs}; {lhs} = kept; }}"

    def reduce(cls, s, lhs, rhs):
        return f"{{ float acc = {lhs}; {lhs} = acc + {rhs}; }}"


@proc
def by_scalars(x: f32[4]):
    t: f32[4] @ HELD
    acc: f32
    kept: f32
    acc = x[0]
    kept = 2.0
    for i in seq(0, 4):
        t[i] = x[i] * kept
        t[i] += acc
    for i in seq(0, 4):
        x[i] = t[i] * acc


@proc
def by_arguments(k: size, acc: f32[k], kept: f32[k]):
    t: f32[k] @ HELD
    for i in seq(0, k):
        t[i] = kept[i] + 1.0
        t[i] += acc[i]
    for i in seq(0, k):
        acc[i] = t[k - 1 - i]
