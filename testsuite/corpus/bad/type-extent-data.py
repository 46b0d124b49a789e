# expect: type.extent 4:12 an extent is an integer, not data of type `i32`
@proc
def p(k: i32):
    x: f32[k]
    x[0] = 0.0
