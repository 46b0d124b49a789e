# command: compile
# expect: backend.argument-precision 14:10 x of zero is of type f32, not f64
# expect: backend.argument-precision 15:12 v of set is of type i8, not f32
@proc
def zero(x: [R][8]):
    x[0] = 0.0

@proc
def set(x: [R][8], v: i8):
    x[0] = v

@proc
def p(x: f64[8], y: f32[8], z: R, v: i8):
    zero(x)
    set(y, z)
    zero(y)
    set(y, v)
