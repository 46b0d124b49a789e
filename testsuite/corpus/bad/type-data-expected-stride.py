# expect: type.data-expected 4:9 not a `stride`
@proc
def p(x: [f32][8], y: f32):
    y = stride(x, 0)
