# Two loop variables whose sum reaches the extent.
# expect: bounds.access 11:15 index 0 of `x` may be out of bounds: `i + j`
# because: for n = 1, i = 0, j = 1: the index is 1, the extent 1
# run: p n=1


@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        for j in seq(0, n - i + 1):
            x[i + j] = 0.0
