# A stencil of radius 2 in a loop for radius 1.
# expect: bounds.access 10:18 index 0 of `x` may be out of bounds: `i - 2`
# because: for n = 3, i = 1: the index is -1, the extent 3
# run: p n=3


@proc
def p(n: size, x: f32[n], y: f32[n]):
    for i in seq(1, n - 1):
        y[i] = x[i - 2]
