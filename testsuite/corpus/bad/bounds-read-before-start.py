# A read one before the first cell.
# expect: bounds.access 10:18 index 0 of `x` may be out of bounds: `i - 1`
# because: for n = 1, i = 0: the index is -1, the extent 1
# run: p n=1


@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        y[i] = x[i - 1]
