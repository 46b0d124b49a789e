# command: compile
# expect: backend.parallel 39:9 s is static: one object, shared by all iterations of the parallel loop
# expect: backend.parallel 40:9 t is in memory PLACES, whose `alloc` uses place: threads may take the same place
# expect: backend.parallel 41:9 u is in memory POOL, whose `alloc` uses row: threads may take the same place
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


@proc
def f(n: size, x: f32[n], z: f32[n]):
    for i in par(0, n):
        s: f32[1] @ STATIC
        t: f32[1] @ PLACES
        u: f32[1] @ POOL
        s[0] = x[i]
        t[0] = x[i]
        u[0] = x[i]
        z[i] = x[i]
