# command: compile
# expect: backend.parallel 79:9 s is static: one object, shared by all iterations of the parallel loop
# expect: backend.parallel 80:9 t is in memory PLACES, whose `alloc` uses place: threads may take the same place
# expect: backend.parallel 81:9 u is in memory POOL, whose `alloc` uses row: threads may take the same place
# expect: backend.parallel 82:9 v is in memory PLACED, whose `window` uses row: threads may take the same place
# expect: backend.parallel 83:9 w is in memory LATER, whose `alloc` uses cells: threads may take the same place
# expect: backend.parallel 88:9 mv is executed by what has memory LATER, of which there is one for all threads
# expect: backend.parallel 96:9 t is in memory THROUGH, whose `write` uses kept, which threads share
# expect: backend.parallel 118:17 iterations of the parallel loop over i may meet in a cell of t
# Threads would share the static array and the row, and take places of the pool at the same time.
class STATIC(Memory):
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"static {prim_type} {new_name}[{size}];"

    def write(cls, s, lhs, rhs):
        return f"{lhs} = {rhs};"


class PLACES(Memory):
    def global_(cls):
        return "static float pool[64]; static inline float *place(int n) { static int used; used += n; return pool + used - n; }"

    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} *{new_name} = place({size});"

    def write(cls, s, lhs, rhs):
        return f"{lhs} = {rhs};"


class POOL(Memory):
    def global_(cls):
        return "static float row[64];"

    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} *{new_name} = row;"

    def write(cls, s, lhs, rhs):
        return f"{lhs} = {rhs};"


class PLACED(Memory):
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return ""

    def window(cls, basetype, baseptr, indices, strides, srcinfo):
        return f"(row)[{offset}]"

    def write(cls, s, lhs, rhs):
        return f"{lhs} = {rhs};"


class LATER(Memory):
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} *{new_name} = cells;"

    def write(cls, s, lhs, rhs):
        return f"{lhs} = {rhs};"


class THROUGH(Memory):
    def global_(cls):
        return "static float last; static inline float kept(float x) { last = x; return last; }"

    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} {new_name}[{size}];"

    def write(cls, s, lhs, rhs):
        return f"{lhs} = kept({rhs});"


@instr("{dst_data} = {src_data};", "extern float (cells)[64];")
def mv(dst: [f32][1] @ LATER, src: [f32][1]):
    dst[0] = src[0]


@proc
def f(n: size, x: f32[n], z: f32[n]):
    for i in par(0, n):
        s: f32[1] @ STATIC
        t: f32[1] @ PLACES
        u: f32[1] @ POOL
        v: f32[1] @ PLACED
        w: f32[1] @ LATER
        s[0] = x[i]
        t[0] = x[i]
        u[0] = x[i]
        v[0] = x[i]
        mv(w[0:1], x[i : i + 1])
        z[i] = x[i]


@proc
def g(x: f32[8]):
    t: f32[8] @ THROUGH
    for i in par(0, 8):
        t[i] = x[i]


class REGISTER(Memory):
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"float16x4_t {new_name};"

    def window(cls, basetype, baseptr, indices, strides, srcinfo):
        return f"{baseptr}"


@instr("{dst_data} = lane({dst_data}, {k}, {x_data});")
def lane(k: index, dst: [f32][4] @ REGISTER, x: [f32][1]):
    assert k >= 0
    assert k < 4
    dst[k] = x[0]


@proc
def h(x: f32[4]):
    t: f32[4] @ REGISTER
    for i in par(0, 4):
        lane(i, t, x[i : i + 1])
