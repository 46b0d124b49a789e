# expect: type.alloc-window 4:5 `x` is allocated with a window type
@proc
def p():
    x: [f32][8]
    x[0] = 0.0
