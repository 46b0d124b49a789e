@proc
def clear(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 0.0
        x[i] = 0.0


p = merge_repeats(clear, "x[_] = _ ; x[_] = _")
