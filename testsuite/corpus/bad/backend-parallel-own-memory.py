# command: compile
# expect: backend.parallel 27:9 s is static: one object, shared by all iterations of the parallel loop
# expect: backend.parallel 28:9 t is in memory PLACES, whose `alloc` calls place: threads may take the same place
# Threads would share the static array, and take places of the pool at the same time.
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


@proc
def f(n: size, x: f32[n], z: f32[n]):
    for i in par(0, n):
        s: f32[1] @ STATIC
        t: f32[1] @ PLACES
        s[0] = x[i]
        t[0] = x[i]
        z[i] = x[i]
