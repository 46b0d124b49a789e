# The outer guard is undone by the inner loop.
# expect: bounds.access 12:19 index 0 of `x` may be out of bounds: `i + j`
# because: for n = 2, m = 1, i = 1, j = 1: the index is 2, the extent 2
# run: p n=2 m=1


@proc
def p(n: size, m: size, x: f32[n]):
    if m < n:
        for i in seq(0, m + 1):
            for j in seq(0, 2):
                x[i + j] = 0.0
