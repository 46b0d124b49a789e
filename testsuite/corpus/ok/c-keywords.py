# Keywords, macros, library functions and helpers of C may be names here.
# covers: rounds


@config
class register:
    static: size
    bool: bool
    I: f32


@proc
def double(int: size, float: f32[int], NULL: f32):
    for char in seq(0, int):
        float[char] = float[char] * 2.0 + NULL


@proc
def floor_div(n: size, free: f32[n], malloc: f32[n]):
    switch: f32[n]
    for I in seq(-n, 0):
        switch[I / 2 + n] = 1.0
        free[I + n] = 1.0
    for sinf in seq(0, n):
        volatile: f32
        volatile = sin(malloc[sinf])
        if sinf < n / 2:
            free[sinf] = volatile


@proc
def printf(n: size, ctxt: f32[n], ASSUME: f32):
    assert n >= 2
    register.static = n
    register.bool = n > 3
    register.I = 2.0
    for bool in seq(0, register.static):
        ctxt[bool] = register.I
    if register.bool:
        double(n, ctxt, ASSUME)
