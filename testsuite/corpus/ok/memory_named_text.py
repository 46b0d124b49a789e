# The global code of a memory is a constant of the file: no instruction brings it.
HELPERS = """#include <stdlib.h>
static inline float *take(long n) { return (float *)malloc((size_t)n * sizeof(float)); }"""


class TAKEN(Memory):
    def global_(cls):
        return HELPERS

    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} *{new_name} = take({size});"

    def free(cls, new_name, prim_type, shape, srcinfo):
        return f"free({new_name});"

    def window(cls, basetype, baseptr, indices, strides, srcinfo):
        return f"{baseptr}[{offset}]"

    def write(cls, s, lhs, rhs):
        return f"{lhs} = {rhs};"

    def read(cls, s, lhs):
        return f"{lhs}"


@proc
def twice(n: size, x: f32[n]):
    t: f32[n] @ TAKEN
    for i in seq(0, n):
        t[i] = 2.0 * x[i]
    for i in seq(0, n):
        x[i] = t[i]
