# command: compile
# expect: backend.range 12:5 `n + 9223372036854775807LL` is too large for C to compute with
# expect: backend.range 19:9 `16777216 * i` may be too large for C to compute with
# expect: backend.range 25:5 `t` is too large for C to allocate
# expect: backend.range 37:5 `9223372036854775807LL` may be too large for C to compute with
# expect: backend.range 56:5 `65536 * 65536` may be too large for C to compute with
# expect: backend.range 74:5 `8 * n` may be too large for C to compute with


@proc
def bound(n: size, x: f32[n]):
    for i in seq(9223372036854775807, 9223372036854775807 + n):
        x[i - 9223372036854775807] = 0.0


@proc
def guard(n: size, x: f32[n]):
    for i in seq(0, n):
        if 16777216 * i < n:
            x[i] = 0.0


@proc
def extent(x: f32):
    t: f32[1073741824, 1073741824]
    t[0, 0] = x
    x = t[0, 0]


@config
class Cfg:
    n: index


@proc
def field(n: size):
    Cfg.n = 9223372036854775807


class SCRATCH(Memory):
    @classmethod
    def alloc(cls, new_name, prim_type, shape, srcinfo):
        return f"{prim_type} *{new_name} = scratch({shape[0]} * {shape[1]} * sizeof({prim_type}));"

    @classmethod
    def can_read(cls):
        return True

    @classmethod
    def write(cls, s, lhs, rhs):
        return f"{lhs} = {rhs};"


@proc
def literals(x: f32):
    t: f32[65536, 65536] @ SCRATCH
    t[0, 0] = x
    x = t[0, 0]


@proc
def callee(n: index, x: f32):
    if n < 5:
        x = 0.0


@proc
def caller(n: index, x: f32):
    callee(4194304 * n, x)


@proc
def callee_far(n: index, x: f32):
    if 8 * n < 5:
        x = 0.0


@proc
def caller_far(n: index, x: f32):
    callee_far(4194304 * n, x)
