# expect: type.not-a-buffer 4:9 `n` is a `size` and cannot be indexed
@proc
def p(n: size, x: f32):
    x = n[0]
