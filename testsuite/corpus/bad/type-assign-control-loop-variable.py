# expect: type.assign-control 6:9 `i` is an `index` and cannot be assigned
@proc
def p(x: f32[8]):
    for i in seq(0, 8):
        x[i] = 0.0
        i = i + 1
