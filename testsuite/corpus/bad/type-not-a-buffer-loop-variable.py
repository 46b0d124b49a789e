# expect: type.not-a-buffer 5:16 `i` is an `index` and cannot be indexed
@proc
def p(x: f32[8]):
    for i in seq(0, 8):
        x[i] = i[0]
