# A write in a loop that starts one too early.
# expect: bounds.access 10:11 index 0 of `x` may be out of bounds: `i`
# because: for n = 1, i = -1: the index is -1, the extent 1
# run: p n=1


@proc
def p(n: size, x: f32[n]):
    for i in seq(-1, n):
        x[i] = 0.0
