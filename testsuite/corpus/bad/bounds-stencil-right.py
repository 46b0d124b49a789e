# A stencil whose loop spares the left border only.
# expect: bounds.access 10:36 index 0 of `x` may be out of bounds: `i + 1`
# because: for n = 2, i = 1: the index is 2, the extent 2
# run: p n=2


@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(1, n):
        y[i] = x[i - 1] + x[i] + x[i + 1]
